import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { reach, type Table } from './client';

type Input = Omit<QueryCommand['input'], 'TableName' | 'ConsistentRead'>;

/** Queries of the table, strongly consistent: all that they find, or as much as their limit. */
export const wholeQuery =
  (table: Table) =>
  async (input: Input): Promise<Record<string, unknown>[]> => {
    const items: Record<string, unknown>[] = [];
    let from: Record<string, unknown> | undefined;
    do {
      const command: QueryCommand = new QueryCommand({
        TableName: table.name,
        ConsistentRead: true,
        ...input,
        ...(from ? { ExclusiveStartKey: from } : {}),
      });
      const page = await reach(() => table.client.send(command));
      items.push(...(page.Items ?? []));
      from = page.LastEvaluatedKey;
    } while (from && (input.Limit === undefined || items.length < input.Limit));
    return items;
  };
