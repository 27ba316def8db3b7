import { fromWireItem, toWireItem, type WireItem } from './wire-values';

/* Stands in for `@aws-sdk/util-dynamodb` in bundles (lib/bundling). */

export const marshall = toWireItem;

export const unmarshall = (item: WireItem, { wrapNumbers }: { wrapNumbers?: (digits: string) => unknown } = {}) =>
  fromWireItem(item, wrapNumbers);
