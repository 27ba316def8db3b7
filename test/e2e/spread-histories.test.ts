import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { localClient } from '../../shared/runtime/admin-wiring';
import { NAME } from '../../shared/store/entities/entity-attributes';
import { spreadIn, spreadText } from '../../shared/store/entities/spread-reading';
import { entityKey, isEntityShard } from '../../shared/store/keys';
import { call, newAccount } from '../support/api';
import { localRun } from '../support/local-run';

const MINUTE_MS = 60_000;
const TableName = localRun().outputs.TableName ?? '';
const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(localRun())));
afterAll(() => client.destroy());

/** The items of an account's entities, by name. */
async function entitiesOf(accountId: string): Promise<Map<string, Record<string, unknown>>> {
  const { pk: prefix } = entityKey(accountId, '');
  const found = new Map<string, Record<string, unknown>>();
  const scan = {
    TableName,
    FilterExpression: 'begins_with(pk, :prefix)',
    ExpressionAttributeValues: { ':prefix': prefix },
  };
  for await (const { Items = [] } of paginateScan({ client }, scan)) {
    for (const item of Items) found.set(String(item.pk).slice(prefix.length), item);
  }
  return found;
}

const spreadOf = (item: Record<string, unknown> | undefined) => {
  const text = item?.[NAME.spread];
  return spreadIn(typeof text === 'string' ? { S: text } : undefined);
};

/* No test run is as busy as a history that spreads: these are marked by hand. What follows needs the rights of the function. */
it('a function may write to the shards of histories that are spread, and fold them', async () => {
  const { account_id, key } = await newAccount('spread');
  const payment = { amount: 20, currency: 'EUR', device_fingerprint: 'busy', ip_address: '91.0.0.7' };
  const pay = async (user_id: string) => {
    const { status, json } = await call('POST', '/v1/transactions/screen', { key, body: { ...payment, user_id } });
    expect([status, json.warnings]).toEqual([200, undefined]);
  };
  await pay('ann');
  const ago = Date.now() - MINUTE_MS;
  const marked = spreadText({ shards: 2, most: 2, folded_at_ms: ago, since_ms: ago, pace: 0 });
  const homes = [...(await entitiesOf(account_id)).keys()];
  for (const entity of homes) {
    await client.send(
      new UpdateCommand({
        ...{ TableName, Key: entityKey(account_id, entity) },
        UpdateExpression: 'SET #spread = :marked, #seen = :ago',
        ExpressionAttributeNames: { '#spread': NAME.spread, '#seen': NAME.lastSeen },
        ExpressionAttributeValues: { ':marked': marked, ':ago': ago },
      }),
    );
  }

  // The first meets the mark and folds; the others know of the shards.
  for (const user of ['bob', 'cleo', 'dora']) await pay(user);
  const after = await entitiesOf(account_id);
  const folded = homes.filter((entity) => (spreadOf(after.get(entity))?.folded_at_ms ?? 0) > ago);
  expect(folded.length).toBeGreaterThanOrEqual(2);
  expect([...after.keys()].filter(isEntityShard).length).toBeGreaterThan(0);
});
