import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateScan,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DEFAULT_SETTINGS } from '../../shared/domain/accounts/account';
import type { AccountMove } from '../../shared/domain/accounts/account-move';
import { type AdminWiring, localClient } from '../../shared/runtime/admin-wiring';
import { moveWiring } from '../../shared/runtime/move-wiring';
import { aesSealer } from '../../shared/secrets/aes-sealer';
import { accountAdminStore } from '../../shared/store/accounts/account-store';
import { isCopied } from '../../shared/store/cells/copied-change';
import { inboundAdmin, inboundReceiver } from '../../shared/store/outcomes/inbound-store';
import { webhookSecretRotator } from '../../shared/store/webhooks/webhook-store';
import { followMoved } from '../../shared/usecases/accounts/follow-moved';
import { moveAccount } from '../../shared/usecases/accounts/move-account';
import { localRun } from '../support/local-run';

let client: DynamoDBClient;
let streams: DynamoDBStreamsClient;
beforeAll(() => {
  client = new DynamoDBClient(localClient(localRun()));
  streams = new DynamoDBStreamsClient(localClient(localRun()));
});
afterAll(() => {
  client.destroy();
  streams.destroy();
});

/** Real time, and what was skipped instead of waited for. */
let skippedMs = 0;
const clock = { now: () => Date.now() + skippedMs };

/** A deployment, as far as a move sees it: a table with a stream, a data key of its own, and a gateway. */
async function deployment(word: string): Promise<AdminWiring> {
  const name = `move-${word}-${randomUUID()}`;
  const attributes = ['pk', 'sk'] as const;
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: attributes.map((AttributeName, at) => ({ AttributeName, KeyType: at === 0 ? 'HASH' : 'RANGE' })),
    }),
  );
  const table = { name, client: DynamoDBDocumentClient.from(client) };
  const keys = {
    current: async () => ({ version: word, material: word }),
    byVersion: async (version: string) => version,
  };
  const onlyOwn = {
    ...keys,
    byVersion: async (version: string) =>
      version === word ? word : Promise.reject(new Error(`${word} cannot open ${version}`)),
  };
  const sealer = aesSealer(onlyOwn, (size) => new Uint8Array(size).fill(7));
  const parts = {
    ...{ table, streams, clock, accounts: accountAdminStore(table), inbound: inboundAdmin(table, sealer) },
    dataKey: { sealer },
    randomBytes: (size: number) => new Uint8Array(size).fill(1),
    ensureRateLimitKey: async (id: string) => `gateway-${word}-${id}`,
    webhookSecrets: webhookSecretRotator(table, sealer),
  };
  return parts as unknown as AdminWiring;
}

const ACCOUNT = 'acc_01MOVE';
const account = {
  account_id: ACCOUNT,
  name: 'Shop',
  created_at: '2026-01-01T00:00:00.000Z',
  settings: DEFAULT_SETTINGS,
  rate_limit_key: 'rate',
  rate_limit_key_id: 'gateway-left',
};

type Item = Parameters<typeof isCopied>[0]['dynamodb'] extends { NewImage?: infer Image } | undefined ? Image : never;

async function contents(TableName: string): Promise<Map<string, Record<string, unknown>>> {
  const items = new Map<string, Record<string, unknown>>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    for (const item of Items) items.set(`${item.pk?.S} ${item.sk?.S}`, item);
  }
  return items;
}

const put = (table: string, pk: string, sk: string, more: object) =>
  client.send(new PutItemCommand({ TableName: table, Item: { pk: { S: pk }, sk: { S: sk }, ...more } }));

/** Counts and other numbers that a screening would write, a removal, and what sweeps look at. */
async function traffic(table: string, turn: number): Promise<void> {
  const ulid = `01J${String(turn).padStart(23, '0')}`;
  await put(table, `SUBJECT#${ACCOUNT}#${ulid}`, 'RESULT', {
    entity: { S: 'screening' },
    empty: { M: {} },
    risk_score: { N: '1' },
  });
  await put(table, `SUBJECT#${ACCOUNT}#${ulid}`, 'CASE', {
    ...{ entity: { S: 'case' }, status: { S: 'open' }, due_pk: { S: 'DUE#case#1' }, due_sk: { S: `${turn}` } },
  });
  await client.send(
    new UpdateItemCommand({
      TableName: table,
      Key: { pk: { S: `ENTITY#${ACCOUNT}#user#1.x` }, sk: { S: 'ENTITY' } },
      UpdateExpression: 'ADD n :one, bytes :set',
      ExpressionAttributeValues: { ':one': { N: '1' }, ':set': { BS: [Uint8Array.from([turn])] } },
    }),
  );
  await put(table, `DELIVERIES#${ACCOUNT}#wh_1#0`, ulid, {
    ...{ entity: { S: 'delivery' }, status: { S: 'pending' }, due_pk: { S: 'DUE#delivery#1' }, due_sk: { S: 'x' } },
  });
  if (turn % 2 === 1) {
    const Key = { pk: { S: `SUBJECT#${ACCOUNT}#01J${String(turn - 1).padStart(23, '0')}` }, sk: { S: 'CASE' } };
    await client.send(new DeleteItemCommand({ TableName: table, Key }));
  }
  await put(table, `ENTITY#acc_OTHER#user#${turn}`, 'ENTITY', { n: { N: '1' } });
}

const withoutMark = ({ moved: _mark, ...item }: Record<string, unknown>): unknown => item;

it('moves an account that is in use, with its keys, secrets, sweeps and counts, and nothing else', async () => {
  const [left, right] = [await deployment('left'), await deployment('right')];
  const source = left.table.name;
  await left.accounts.insertAccount(account);
  await left.accounts.insertKey({
    ...{ key_id: 'key_1', account_id: ACCOUNT, key_hash: 'hash', hint: 'sk', label: null, role: 'admin', person: null },
    ...{ created_at: account.created_at, revoked_at: null, expires_at: null },
  });
  await left.inbound.create(
    { inbound_id: 'in_1', account_id: ACCOUNT, provider: 'stripe', created_at: account.created_at },
    'whsec',
  );
  const counts = { entity: { S: 'overview' }, ttl: { N: '9999999999' }, allow: { N: '5' } };
  await put(source, `OVERVIEW#${ACCOUNT}#0`, 'DAY#2026-01-01', counts);
  let turn = 0;
  for (; turn < 6; turn++) await traffic(source, turn);

  const begun: AccountMove = { move_id: 'move_1', to: 'https://right.example/' };
  const wiring = moveWiring(left, right, ACCOUNT, begun);
  let isStopped = false;
  const wait = async (ms: number): Promise<void> => {
    skippedMs += ms;
    // In use until the stop, and for as long as a function may run after it.
    if (!isStopped && turn < 30) await traffic(source, turn++);
  };
  const steps: string[] = [];
  const onStep = (step: string): void => {
    steps.push(step);
    isStopped = isStopped || step === 'stopped';
  };
  const report = await moveAccount({ ...wiring, wait, onStep }, begun);
  expect(report.move.moved_at_ms).toBeDefined();
  expect(turn).toBe(30);
  expect([...new Set(steps)]).toEqual(['copying', 'comparing', 'announced', 'stopped', 'verified', 'moved']);

  const [here, there] = [await contents(source), await contents(right.table.name)];
  const late = new Set(['OVERVIEW']);
  const mine = [...here].filter(([name]) => name.includes(ACCOUNT) && !late.has(name.split('#', 1)[0] ?? ''));
  expect([...there.keys()].filter((name) => name.includes('acc_OTHER'))).toEqual([]);
  for (const [name, item] of mine) {
    if (name === `ACCOUNT#${ACCOUNT} ACCOUNT`) continue;
    const { due_pk, due_sk, ...quiet } = item;
    expect([name, withoutMark(there.get(name) ?? {})]).toEqual([name, name.startsWith('DELIVERIES#') ? quiet : item]);
  }
  // Keys work, the address opens with the other data key, and its own gateway knows the account.
  expect(await right.accounts.account(ACCOUNT)).toMatchObject({ rate_limit_key_id: `gateway-right-${ACCOUNT}` });
  expect((await right.accounts.account(ACCOUNT))?.move).toBeUndefined();
  expect((await left.accounts.account(ACCOUNT))?.move).toMatchObject({ to: begun.to, moved_at_ms: expect.any(Number) });
  expect(there.has('KEYHASH#hash KEYHASH')).toBe(true);
  const address = await inboundReceiver(right.table, right.dataKey.sealer).find('in_1');
  expect(address).toMatchObject({ secret: 'whsec' });
  expect(address?.move).toBeUndefined();

  // Counts are added once, however often: first to nothing, then again to the same.
  const following = {
    ...wiring,
    wait,
    onProgress: () => undefined,
    late: { ...wiring.late, isCounted: async () => true },
  };
  await put(right.table.name, `OVERVIEW#${ACCOUNT}#0`, 'DAY#2026-01-01', { ...counts, allow: { N: '2' } });
  for (let again = 0; again < 2; again++) expect(await followMoved(following)).toBe(true);
  const day = (await contents(right.table.name)).get(`OVERVIEW#${ACCOUNT}#0 DAY#2026-01-01`);
  expect(day?.allow).toEqual({ N: '7' });

  // A sweep finds the cases there, and no more here.
  await wiring.late.silence(wiring.copier.due());
  const dues = [...(await contents(source)).values()].filter(
    ({ entity, due_pk }) => due_pk && (entity as { S: string }).S === 'case',
  );
  expect(dues).toEqual([]);
  let removed = 0;
  for await (const count of wiring.removeHere()) removed += count;
  expect(removed).toBeGreaterThan(mine.length - 6);
  expect([...(await contents(source)).keys()].filter((name) => name.includes('acc_OTHER'))).toHaveLength(30);
});

it('marks copies, so that the readers of the stream there make nothing of them', () => {
  const item = (moved?: string): Item => ({ entity: { S: 'case' }, ...(moved ? { moved: { S: moved } } : {}) });
  expect(isCopied({ eventName: 'INSERT', dynamodb: { NewImage: item('a') } })).toBe(true);
  expect(isCopied({ eventName: 'MODIFY', dynamodb: { NewImage: item('b'), OldImage: item('a') } })).toBe(true);
  expect(isCopied({ eventName: 'MODIFY', dynamodb: { NewImage: item('a'), OldImage: item('a') } })).toBe(false);
  expect(isCopied({ eventName: 'INSERT', dynamodb: { NewImage: item() } })).toBe(false);
});
