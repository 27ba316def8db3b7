import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { localClient } from '../../../shared/runtime/admin-wiring';
import { newUlid } from '../../../shared/runtime/ids';
import { labelKey } from '../../../shared/store/keys';
import { localRun } from '../local-run';

const ITEMS_PER_BATCH = 25;

const MINUTE_MS = 60_000;

/**
 * Stores every label of an account again, as of so many further screenings, each a minute older: both kinds of labels
 * are among the oldest and the newest. Training needs hundreds of labels, and over HTTP each takes two requests.
 */
export async function multiplyLabels(accountId: string, times: number): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(localRun())));
  const TableName = localRun().outputs.TableName ?? '';
  const labels: Record<string, unknown>[] = [];
  const pages = paginateScan(
    { client },
    {
      TableName,
      FilterExpression: 'entity = :label AND account_id = :account',
      ExpressionAttributeValues: { ':label': 'label', ':account': accountId },
    },
  );
  for await (const { Items: items = [] } of pages) labels.push(...items);
  const copies = labels.flatMap((item) =>
    Array.from({ length: times }, (_, at) => {
      const screened_at_ms = Number(item.screened_at_ms) - (at + 1) * MINUTE_MS;
      const ulid = newUlid(screened_at_ms);
      return { ...item, ...labelKey(accountId, ulid, screened_at_ms, 1), screened_at_ms, subject_id: `txn_${ulid}` };
    }),
  );
  for (let at = 0; at < copies.length; at += ITEMS_PER_BATCH) {
    const requests = copies.slice(at, at + ITEMS_PER_BATCH).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
  }
  client.destroy();
}
