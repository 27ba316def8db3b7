import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { reach, type Table } from '../sdk/client';

/** All items of a partition whose sort key begins with a prefix; only some of their attributes, if `names` says which. */
export async function queryAll(
  table: Table,
  pk: string,
  prefix: string,
  names?: readonly string[],
): Promise<Record<string, unknown>[]> {
  const projection = names && {
    ProjectionExpression: names.map((_, i) => `#${i}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#${i}`, name])),
  };
  const items: Record<string, unknown>[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const command: QueryCommand = new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
      ...projection,
      ConsistentRead: true,
      ...(from ? { ExclusiveStartKey: from } : {}),
    });
    const page = await reach(() => table.client.send(command));
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from);
  return items;
}
