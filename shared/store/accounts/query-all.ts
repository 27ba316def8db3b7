import type { Table } from '../sdk/client';
import { wholeQuery } from '../sdk/whole-query';

/** All items of a partition whose sort key begins with a prefix; only some of their attributes, if `names` says which. */
export function queryAll(
  table: Table,
  pk: string,
  prefix: string,
  names?: readonly string[],
): Promise<Record<string, unknown>[]> {
  const projection = names && {
    ProjectionExpression: names.map((_, i) => `#${i}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#${i}`, name])),
  };
  return wholeQuery(table)({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
    ...projection,
  });
}
