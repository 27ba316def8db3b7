import type { AwsCall } from '../../../local/aws/call';
import { type WireItem, wireBytes, writeUnits } from '../../support/wire-size';

/** What one item of a call takes from its partition, and from that of an index. */
export interface ItemUse {
  readonly pk: string;
  readonly indexPk?: string;
  readonly units: number;
  readonly isWrite: boolean;
}

type Input = Readonly<Record<string, unknown>>;
const TRANSACTION_FACTOR = 2;

const textOf = (item: WireItem | undefined, name: string): string => String(item?.[name]?.S ?? '');

function writeOf(part: Input, factor = 1): ItemUse {
  const item = part.Item as WireItem | undefined;
  const indexPk = textOf(item, 'due_pk');
  const units = factor * (item ? writeUnits(wireBytes(item)) : 1);
  const pk = textOf(item ?? (part.Key as WireItem | undefined), 'pk');
  return { pk, units, isWrite: true, ...(indexPk ? { indexPk } : {}) };
}

const readOf = (pk: string, isConsistent: unknown): ItemUse => ({ pk, units: isConsistent ? 1 : 0.5, isWrite: false });

/** The keys of a `BatchGetItem`, of the one table that there is. */
export function batchKeys(input: Input): readonly WireItem[] {
  return Object.values(input.RequestItems as Record<string, { Keys: WireItem[] }>).flatMap(({ Keys }) => Keys);
}

/** The writes of a `BatchWriteItem`, likewise. */
export function batchWrites(input: Input): ReadonlyArray<Readonly<Record<string, Input>>> {
  return Object.values(input.RequestItems as Record<string, ReadonlyArray<Record<string, Input>>>).flat();
}

/** What a call takes, item by item in their order. Reads and updates count as small items: those of the hot keys are. */
export function usesOf({ operation, input }: Pick<AwsCall, 'operation' | 'input'>): readonly ItemUse[] {
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [writeOf(input)];
    case 'TransactWriteItems':
      return (input.TransactItems as ReadonlyArray<Readonly<Record<string, Input>>>).flatMap((entry) =>
        Object.values(entry).map((part) => writeOf(part, TRANSACTION_FACTOR)),
      );
    case 'BatchWriteItem':
      return batchWrites(input).flatMap((entry) => Object.values(entry).map((part) => writeOf(part)));
    case 'BatchGetItem':
      return batchKeys(input).map((key) => readOf(textOf(key, 'pk'), true));
    case 'GetItem':
      return [readOf(textOf(input.Key as WireItem, 'pk'), input.ConsistentRead)];
    case 'Query': {
      const values = input.ExpressionAttributeValues as Readonly<Record<string, { S?: string }>> | undefined;
      return [readOf(values?.[':pk']?.S ?? '', input.ConsistentRead)];
    }
    default:
      return [];
  }
}
