import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { localClient } from '../../shared/runtime/admin-wiring';
import { entityKey } from '../../shared/store/keys';
import { call, newAccount, type Reply } from '../support/api';
import { localRun } from '../support/local-run';
import { patient } from '../support/patience';
import { sized } from '../support/sized';

const AT_ONCE = sized(200, 40);
jest.setTimeout(patient(60_000));

async function merchant() {
  const { account_id, key } = await newAccount();
  const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> =>
    call(method, path, { key, ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) });
  return {
    account_id,
    ask,
    event: (body: object) => ask('POST', '/v1/events', { user_id: 'ann', ip_address: '91.0.0.1', ...body }),
    pay: (body: object = {}) =>
      ask('POST', '/v1/transactions/screen', { user_id: 'ann', amount: 25, currency: 'EUR', ...body }),
  };
}

const fieldsOf = ({ json }: Reply): string[] =>
  json.error.details.map(({ field }: { field: string }) => field).toSorted();

it('an attribute is declared, changed, listed and deleted', async () => {
  const { ask, pay } = await merchant();
  const created = await ask('PUT', '/v1/attributes/items', { type: 'number', colour: 'red' });
  expect([created.status, created.json.warnings]).toEqual([201, [expect.stringContaining('colour')]]);
  const { warnings: _, ...declared } = created.json;
  expect(declared).toEqual({
    ...{ key: 'items', type: 'number', entity: false, note: null, updated_by: expect.any(String) },
    ...{ created_at: expect.any(String), updated_at: expect.any(String) },
  });
  expect((await ask('PUT', '/v1/attributes/items', { type: 'number', note: 'x' })).status).toBe(200);
  expect(fieldsOf(await ask('PUT', '/v1/attributes/items', { type: 'colour', entity: 'yes' }))).toEqual([
    'entity',
    'type',
  ]);
  const { attributes } = (await ask('GET', '/v1/attributes')).json;
  const entities = attributes.filter(({ entity }: { entity: boolean }) => entity);
  expect(entities.map(({ key }: { key: string }) => key)).toContain('card_fingerprint');
  const rule = { expression: 'attr.items > 10', action: 'block', state: 'active' };
  expect((await ask('PUT', '/v1/rules/many', rule)).status).toBe(201);
  expect((await pay({ custom_attributes: { items: '11' } })).json.decided_by.name).toBe('many');
  expect((await pay({ custom_attributes: { items: '9' } })).json.rules).toEqual([]);
  const unreadable = (await pay({ custom_attributes: { items: 'many' } })).json;
  expect([unreadable.rules, unreadable.warnings]).toEqual([[], [expect.stringContaining('custom_attributes.items')]]);
  const refused = await ask('DELETE', '/v1/attributes/items');
  expect([refused.status, refused.json.error.code, fieldsOf(refused)]).toEqual([409, 'in_use', ['rules.many']]);
  expect((await ask('DELETE', '/v1/rules/many')).status).toBe(204);
  expect((await ask('DELETE', '/v1/attributes/items')).status).toBe(204);
  expect((await ask('DELETE', '/v1/attributes/items')).status).toBe(404);
  expect((await ask('PUT', '/v1/attributes/loyalty_id', { type: 'text', entity: true })).json.entity).toBe(true);
});

it('an event type of an account is screened like a built-in one, and never counts as one', async () => {
  const { ask, event } = await merchant();
  const undeclared = await event({ event_type: 'gift_card' });
  expect([undeclared.status, fieldsOf(undeclared)]).toEqual([400, ['event_type']]);
  expect(undeclared.json.error.details[0].message).toContain('login, signup');
  const type = { amount: 'required', required: ['shop'], review_threshold: 0, block_threshold: 90 };
  const created = await ask('PUT', '/v1/event-types/gift_card', type);
  expect([created.status, created.json]).toEqual([
    201,
    expect.objectContaining({ name: 'gift_card', built_in: false, ...type, note: null }),
  ]);
  expect((await ask('PUT', '/v1/event-types/gift_card', { ...type, note: 'x' })).status).toBe(200);
  for (const custom_attributes of [{}, { shop: '' }]) {
    const faulty = await event({ event_type: 'gift_card', amount: -1, custom_attributes });
    expect(fieldsOf(faulty)).toEqual(['amount', 'currency', 'custom_attributes.shop']);
  }
  const good = { event_type: 'gift_card', amount: 40, currency: 'eur', custom_attributes: { shop: '7' } };
  const screened = await event(good);
  expect([screened.status, screened.json]).toEqual([
    200,
    expect.objectContaining({ event_type: 'gift_card', amount: 40, currency: 'EUR', decision: 'review' }),
  ]);
  const decided = (await ask('GET', `/v1/decisions/${screened.json.event_id}`)).json;
  expect(decided).toMatchObject({ subject_type: 'event', event_type: 'gift_card', amount: 40 });
  expect((await ask('GET', `/v1/cases/${screened.json.case_id}`)).json.event_type).toBe('gift_card');
  const plain = await event({ event_type: 'login', amount: 'x' });
  expect([plain.status, plain.json.warnings]).toEqual([200, [expect.stringContaining('amount')]]);
  const profile = (await ask('GET', '/v1/users/ann/risk-profile')).json;
  expect(profile.events).toEqual({ count: 2, by_type: { login: 1, gift_card: 1 } });
  expect(profile.transactions.count).toBe(0);
  const { event_types } = (await ask('GET', '/v1/event-types')).json;
  expect(event_types.map(({ built_in }: { built_in: boolean }) => built_in)).toEqual([...Array(8).fill(true), false]);
  for (const [method, name] of [
    ['PUT', 'login'],
    ['DELETE', 'signup'],
  ] as const) {
    const refused = await ask(method, `/v1/event-types/${name}`, method === 'PUT' ? {} : undefined);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'built_in']);
  }
  const other = await merchant();
  expect((await other.ask('DELETE', '/v1/event-types/gift_card')).status).toBe(404);
  expect((await ask('DELETE', '/v1/event-types/gift_card')).status).toBe(204);
});

it('a counter stops the attempt that should be stopped, and not the one before', async () => {
  const { ask, pay } = await merchant();
  const cards = { of: ['transaction'], count: 'distinct', value: 'attr.card', by: ['attr.email'], window: '24h' };
  const created = await ask('PUT', '/v1/counters/cards_per_email', cards);
  expect([created.status, created.json]).toEqual([
    201,
    expect.objectContaining({ name: 'cards_per_email', ...cards, where: null, version: 1, write_units: 1 }),
  ]);
  expect(created.json.since).toBe(created.json.created_at);
  const spent = {
    of: ['transaction'],
    count: 'sum',
    value: 'amount',
    by: ['user_id'],
    window: '24h',
    where: 'amount > 1',
  };
  expect((await ask('PUT', '/v1/counters/spent', spent)).status).toBe(201);
  expect(
    fieldsOf(await ask('PUT', '/v1/counters/bad', { ...spent, of: ['nothing'], by: ['score'], where: 'score > 1' })),
  ).toEqual(['by.0', 'of', 'where']);
  const rule = {
    expression: 'counters.cards_per_email > 2 || counters.spent > 1000',
    action: 'block',
    state: 'active',
  };
  expect((await ask('PUT', '/v1/rules/testing', rule)).status).toBe(201);
  const refused = await ask('DELETE', '/v1/counters/spent');
  expect([refused.status, refused.json.error.code, fieldsOf(refused)]).toEqual([409, 'in_use', ['rules.testing']]);
  const with_card = (card: string, n: number) =>
    pay({ user_id: `u${n}`, custom_attributes: { card, email: 'Eve+x@example.com' } });
  const seen: unknown[] = [];
  for (const [n, card] of ['1', '2', '2', '3'].entries()) {
    const { json } = await with_card(card, n);
    const { counters } = (await ask('GET', `/v1/decisions/${json.decision_id}`)).json;
    seen.push([counters.cards_per_email, json.decided_by.name]);
  }
  expect(seen).toEqual([
    [1, null],
    [2, null],
    [2, null],
    [3, 'testing'],
  ]);
  const dear = { amount: 600, currency: 'USD', user_id: 'rich' };
  expect((await pay(dear)).json.rules).toEqual([]);
  const again = { ...dear, references: ['r'] };
  const headers = { 'Idempotency-Key': 'once' };
  const first = await ask('POST', '/v1/transactions/screen', again, headers);
  expect(first.json.decided_by).toEqual({ kind: 'rule', name: 'testing' });
  expect((await ask('POST', '/v1/transactions/screen', again, headers)).json).toEqual(first.json);
  const third = (await pay({ ...dear, amount: 1.5 })).json;
  expect((await ask('GET', `/v1/decisions/${third.decision_id}`)).json.counters).toEqual({ spent: 1201.5 });
  expect((await ask('GET', '/v1/counters')).json.counters.map(({ name }: { name: string }) => name)).toEqual([
    'cards_per_email',
    'spent',
  ]);
  expect((await ask('GET', '/v1/counters/spent')).json.window).toBe('24h');
});

it('attempts at once each see another number, on a cold counter and on one that is spread', async () => {
  const { ask, pay, account_id } = await merchant();
  await ask('PUT', '/v1/counters/tries', { of: ['transaction'], count: 'attempts', by: ['ip_network'], window: '10m' });
  await ask('PUT', '/v1/rules/tries', { expression: 'counters.tries > 1000', action: 'review', state: 'shadow' });
  const payAtOnce = (network: string) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, n) => pay({ user_id: `u${n}`, ip_address: `${network}.${n}` })));
  // As many processes as that takes to start and to read the rules, which counters need: that takes a slow machine long.
  await payAtOnce('91.0.9');
  const atOnce = async () => {
    const paid = await payAtOnce('91.0.3');
    expect(paid.filter(({ status, json }) => status !== 200 || json.warnings)).toEqual([]);
    const values = await Promise.all(
      paid.map(async ({ json }) => (await ask('GET', `/v1/decisions/${json.decision_id}`)).json.counters?.tries),
    );
    return values.toSorted((a, b) => a - b);
  };
  const upTo = (from: number) => Array.from({ length: AT_ONCE }, (_, at) => from + at + 1);
  expect(await atOnce()).toEqual(upTo(0));
  // No test run is busy enough for DynamoDB to throttle a counter: it is marked by hand.
  const { outputs, ...run } = localRun();
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(run)));
  const scan = { TableName: outputs.TableName, FilterExpression: 'begins_with(pk, :home)' };
  const { pk } = entityKey(account_id, 'counter.');
  for await (const { Items = [] } of paginateScan(
    { client },
    { ...scan, ExpressionAttributeValues: { ':home': pk } },
  )) {
    for (const item of Items) {
      const until = Date.now() + 1_800_000;
      const spread = { UpdateExpression: 'SET sp = :until', ExpressionAttributeValues: { ':until': until } };
      await client.send(
        new UpdateCommand({ TableName: outputs.TableName, Key: { pk: item.pk, sk: item.sk }, ...spread }),
      );
    }
  }
  client.destroy();
  expect(await atOnce()).toEqual(upTo(AT_ONCE));
});
