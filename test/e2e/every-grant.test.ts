import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { intelligenceAdmin } from '../../lib/bundling/renew-intelligence';
import type { AwsCall } from '../../local/aws/call';
import { keysIn } from '../../local/aws/warehouse-bucket';
import { type LocalRun, startLocal } from '../../local/start-local';
import { loadAssembly } from '../../local/template/load-assembly';
import { resolveStacks } from '../../local/template/resolve-stack';
import { SOURCE_KINDS } from '../../shared/domain/intelligence/intelligence-table';
import { modelIn, promote, startShadow } from '../../shared/domain/models/registry-state';
import { type ReadRow, WAREHOUSE_TABLE_NAMES, WAREHOUSE_TABLES } from '../../shared/domain/warehouse/warehouse-tables';
import { registryPrefix } from '../../shared/store/models/model-registry';
import { readParquet, writeParquet } from '../../shared/store/warehouse/parquet-rows';
import { changeSettings } from '../../shared/usecases/accounts/administer-accounts';
import { admin } from '../support/api';
import { askAfd } from '../support/ask-afd';
import { eraseSomebody, reportOutcomes } from '../support/audits/grant-steps';
import { type Grant, grantsOf, isUsedBy } from '../support/grants';
import { DAY, MINUTE, pass } from '../support/machine/time-machine';
import { GENEROUS_BUDGETS, patient } from '../support/patience';
import { longNotes } from '../support/stores/long-notes';
import { amountModel, cause, modelBucket, registered, registryUnderTest } from '../support/stores/registry';
import { assemblyUnderTest, TEST_BUS, withBus } from '../support/synthesize-once';
import { leaveClaim } from '../support/traffic/claim-left-behind';
import { multiplyLabels } from '../support/traffic/multiply-labels';
import { busEvents } from '../support/webhooks/bus-events';
import { takeEverySlot } from '../support/webhooks/take-every-slot';
import { webhookAccount } from '../support/webhooks/webhook-account';
import { useReceiver } from '../support/webhooks/webhook-receiver';

/**
 * Every grant of every function, used at least once by what the function really does: a grant that nothing here uses is
 * too much, and one that is missing shows as a denial. Each step below is the shortest way to a grant.
 */
const STACK = 'FraudScreening-sandbox';
const receiver = useReceiver();
const directory = mkdtempSync(join(tmpdir(), 'every-grant-'));
const shared = process.env.LOCAL_RUN_DIR;

/** Functions of the version before run under the same roles while a deployment shifts traffic. */
const FOR_THE_VERSION_BEFORE = ['ResolveCase: dynamodb:PutItem on SUBJECT'];

/** Grants that CDK adds with an event source; we cannot ask for less. */
const GIVEN_WITH_SOURCES: readonly string[] = [
  'sqs:GetQueueAttributes',
  'sqs:ChangeMessageVisibility',
  'sqs:GetQueueUrl',
  'dynamodb:ListStreams',
];

/** Whether a transaction meets another one on a tally, as it may under load and never does on this machine. */
let meetsRival: (() => boolean) | undefined;
let fails: ((call: AwsCall & { readonly caller: string }) => boolean) | undefined;
/** Runs while a call is on its way. */
let meanwhile: ((call: AwsCall & { readonly caller: string }) => Promise<void>) | undefined;
let run: LocalRun;

/** With a bus, which is an option: the grants on it must be used as well. */
const assembly = withBus(assemblyUnderTest());
const bus = busEvents();

beforeAll(async () => {
  Object.assign(process.env, receiver.env, GENEROUS_BUDGETS);
  run = await startLocal({
    assembly,
    stackName: STACK,
    dataDir: join(directory, 'data'),
    port: 0,
    inMemory: true,
    virtualClock: true,
    // Grants are used by one environment as by six; each takes a tenth of a second of CPU and more to start.
    concurrencyPerFunction: 2,
    intercept: async (call, proceed) => {
      if (call.service === 'events') return bus.note(call, proceed);
      await meanwhile?.(call);
      return fails?.(call)
        ? { status: 400, body: '{"__type":"x#ValidationException","message":"injected"}' }
        : conflictOf(call.input.TransactItems);
    },
  });
  process.env.LOCAL_RUN_DIR = join(directory, 'data');
}, patient(60_000));
afterAll(async () => {
  process.env.LOCAL_RUN_DIR = shared;
  for (const name of Object.keys({ ...receiver.env, ...GENEROUS_BUDGETS })) delete process.env[name];
  await run?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The refusal of a transaction that counts itself in a tally, once it has a rival. */
function conflictOf(items: unknown) {
  if (!Array.isArray(items) || !meetsRival) return undefined;
  const isCounted = items.map(({ Update }) => /^TALLY#[^#]*#\d+$/.test(Update?.Key.pk.S ?? ''));
  if (!isCounted.some(Boolean) || !meetsRival()) return undefined;
  const CancellationReasons = isCounted.map((each) => ({ Code: each ? 'TransactionConflict' : 'None' }));
  return { status: 400, body: JSON.stringify({ __type: 'x#TransactionCanceledException', CancellationReasons }) };
}

type Account = Awaited<ReturnType<typeof webhookAccount>>;

const has = (name: string, action: string, partition?: string): boolean =>
  run.calls().some((call) => call.function === name && call.action === action && call.partition === partition);

async function until(what: string, isDone: () => boolean, step: () => Promise<unknown> = () => delay(50)) {
  const deadline = Date.now() + patient(20_000);
  while (!isDone()) {
    if (Date.now() > deadline) throw new Error(`It never happened: ${what}`);
    await step();
  }
}

async function fire(name: string): Promise<void> {
  expect(await run.fireSchedule(name)).toEqual([expect.objectContaining({ ok: true })]);
}

let serial = 0;
const routes = {
  ScreenTransaction: '/v1/transactions/screen',
  ScreenEvent: '/v1/events',
} as const;
type Screening = keyof typeof routes;

function screen(by: Account, which: Screening, headers: Record<string, string> = {}, more: object = {}) {
  const number = ++serial;
  const body =
    which === 'ScreenTransaction'
      ? { user_id: `user-${number}`, amount: 10 + (number % 90), currency: 'EUR', ...more }
      : { user_id: `user-${number}`, event_type: 'login', ...more };
  return by.post(routes[which], body, headers);
}

/** An account where everything above zero ends in review, and one with the usual thresholds. */
let strict: Account;
let usual: Account;

it('accounts and endpoints', async () => {
  strict = await webhookAccount(receiver);
  usual = await webhookAccount(receiver);
  await changeSettings(admin(), strict.account_id, { review_threshold: 1 });
  const body = { url: receiver.url('/hooks/idempotent'), events: ['case.created'] };
  for (let time = 0; time < 2; time += 1) {
    expect((await usual.post('/v1/webhooks', body, { 'Idempotency-Key': 'endpoint' })).status).toBe(201);
  }
  const { webhooks } = (await usual.get('/v1/webhooks')).json;
  expect((await usual.unregister(webhooks[0].webhook_id)).status).toBe(204);
});

it.each(['ScreenTransaction', 'ScreenEvent'] as const)('%s: cases, repeats, a write that fails', async (which) => {
  expect((await screen(strict, which)).json.decision).toBe('review');
  const key = { 'Idempotency-Key': `again-${which}` };
  // With an IP address, whose networks are read, and a reference, for which the screening is kept.
  const same = { user_id: 'same', ip_address: '91.64.0.1', amount: 20, references: [`order of ${which}`] };
  await screen(usual, which, key, same);
  const repeated = await screen(usual, which, key, same);
  expect(repeated.headers.get('Idempotent-Replayed')).toBe('true');

  fails = ({ caller, operation, input }) =>
    caller === which && operation === 'PutItem' && JSON.stringify(input.Item).includes('"SUBJECT#');
  const lost = await screen(usual, which, { 'Idempotency-Key': `lost-${which}` });
  expect(lost.status).toBeGreaterThanOrEqual(500);
  expect(has(which, 'dynamodb:DeleteItem', 'IDEMPOTENCY')).toBe(true);
  fails = undefined;
});

it('a case whose tally has a rival opens beside it, is listed at once, and is counted by the reader of the stream', async () => {
  const before = (await strict.get('/v1/cases')).json.total;
  let isMet = false;
  meetsRival = () => {
    const isFirst = !isMet;
    isMet = true;
    return isFirst;
  };
  const { json } = await screen(strict, 'ScreenTransaction');
  meetsRival = undefined;
  expect([json.decision, isMet]).toEqual(['review', true]);
  const listed = (await strict.get('/v1/cases')).json;
  expect([listed.total, listed.cases[0].case_id]).toEqual([before + 1, json.case_id]);
  await until(
    'a step folded into its tally',
    () => has('Overview-TallyOverview', 'dynamodb:DeleteItem', 'TALLY'),
    () => pass(MINUTE),
  );
  expect((await strict.get('/v1/cases')).json.total).toBe(before + 1);
});

it("Amazon Fraud Detector's client: a case, a label, a write that fails", async () => {
  expect((await askAfd(strict, 'GetEventPrediction', 'held')).text).toContain('"review"');
  const label = { assignedLabel: 'fraud', labelTimestamp: '2026-11-16T12:00:00Z' };
  expect((await askAfd(strict, 'UpdateEventLabel', 'held', label)).text).toBe('{}');
  fails = ({ caller, operation, input }) =>
    caller === 'Afd' && operation === 'PutItem' && JSON.stringify(input.Item).includes('"SUBJECT#');
  expect((await askAfd(usual, 'GetEventPrediction', 'lost')).status).toBeGreaterThanOrEqual(500);
  expect(has('Afd', 'dynamodb:DeleteItem', 'AFD')).toBe(true);
  fails = undefined;
  const variable = { name: 'Reason', dataType: 'STRING', dataSource: 'EVENT', defaultValue: '' };
  expect((await askAfd(usual, 'CreateVariable', 'none', variable)).text).toBe('{}');
});

it('outcomes: of a subject, of a reference that comes later, of a processor that nobody understands', () =>
  reportOutcomes(strict, usual, () => fire('Sweeps/CasesDue')));

it('lists of decisions, and what users share', async () => {
  for (const decision of ['review', 'block']) {
    expect((await strict.get(`/v1/decisions?decision=${decision}`)).status).toBe(200);
  }
  expect((await strict.get('/v1/users/user-charged/links')).json.nodes.length).toBeGreaterThan(1);
});

it('rules: made and counted', async () => {
  const rule = { expression: 'amount > 1e9', action: 'review', state: 'active' };
  expect((await usual.put('/v1/rules/huge', rule)).status).toBe(201);
  expect((await usual.get('/v1/rules')).json.rules).toHaveLength(1);
});

it('one screening in 64 that is let through becomes a label', async () => {
  for (const which of ['ScreenTransaction', 'ScreenEvent'] as const) {
    let claim: Readonly<Record<string, AttributeValue>> = {};
    fails = ({ caller, operation, input }) => {
      if (caller !== which || operation !== 'PutItem') return false;
      const item = input.Item as Readonly<Record<string, AttributeValue>>;
      if (item.entity?.S === 'claim') claim = item;
      return JSON.stringify(item).includes('"SUBJECT#');
    };
    const chosen = () => screen(usual, which, { 'Idempotency-Key': `chosen-${which}` }, { user_id: which, amount: 20 });
    expect((await chosen()).status).toBeGreaterThanOrEqual(500);
    fails = undefined;
    const ulid = await leaveClaim(claim);
    await pass(MINUTE);
    expect((await chosen()).json).toMatchObject({ decision: 'allow', decision_id: `dec_${ulid}` });
    expect(has(which, 'dynamodb:PutItem', 'LABEL')).toBe(true);
  }
});

it('decisions, cases, profiles and the overview', async () => {
  // Of screenings that are kept for outcomes from outside.
  const kept = () => screen(strict, 'ScreenTransaction', {}, { references: [`order ${serial}`] });
  const { json } = await kept();
  const { json: other } = await kept();
  await usual.get(`/v1/users/user-1/risk-profile`);
  await strict.get(`/v1/transactions/${json.transaction_id}`);
  await strict.get(`/v1/decisions/${json.decision_id}`);
  expect((await strict.get(`/v1/decisions/${json.decision_id}/evidence`)).json.kept).toBe(true);
  expect((await strict.get('/v1/decisions?reference=no-such-order')).json.decisions).toEqual([]);
  const headers = { 'Idempotency-Key': 'review' };
  for (let time = 0; time < 2; time += 1) {
    const reviewed = await strict.post(`/v1/decisions/${json.decision_id}/review`, { decision: 'allow' }, headers);
    expect(reviewed.status).toBe(200);
  }
  const { cases } = (await strict.get('/v1/cases?status=open&limit=1')).json;
  await strict.get(`/v1/cases/${cases[0].case_id}`);
  expect((await strict.put(`/v1/cases/${other.case_id}`, { status: 'rejected' })).status).toBe(200);
  const { json: shared } = await kept();
  const once = { 'Idempotency-Key': 'desk' };
  for (let time = 0; time < 2; time += 1) {
    expect((await strict.post(`/v1/cases/${shared.case_id}/claim`, {}, once)).status).toBe(200);
  }
  const many = await strict.post('/v1/cases/resolve', { case_ids: [shared.case_id], status: 'approved' }, once);
  expect(many.json.results).toEqual([{ case_id: shared.case_id, status: 'ok' }]);
  expect((await strict.get(`/v1/cases/${shared.case_id}/timeline`)).json.entries).toHaveLength(4);
  // Where the seven days of a case end within an hour and a minute, tallies of minutes and single cases are counted.
  const { json: last } = await screen(strict, 'ScreenTransaction');
  await pass(7 * DAY + MINUTE / 2 - (Date.parse(last.screened_at) % MINUTE));
  const isCounted = (name: string) =>
    has(name, 'dynamodb:GetItem', 'TALLY') &&
    has(name, 'dynamodb:Query', 'CASES') &&
    has(name, 'dynamodb:Query', 'TALLY');
  await until(
    'the minute in which a case expires',
    () => isCounted('ListCases') && isCounted('GetOverview'),
    async () => {
      await strict.get('/v1/cases?status=open');
      await strict.get('/v1/overview');
      await pass(5_000);
    },
  );
});

it('rules: written, read, tested on stored traffic', async () => {
  const rule = { expression: 'amount > 1000000', action: 'review' };
  expect((await strict.put('/v1/rules/large', rule)).status).toBe(201);
  expect((await strict.get('/v1/rules/large/versions')).json.versions).toHaveLength(1);
  for (let time = 0; time < 2; time += 1) {
    const tested = await strict.post('/v1/rules/test', rule, { 'Idempotency-Key': 'test' });
    expect(tested.status).toBe(200);
    expect(tested.json.rows).toBeGreaterThan(0);
  }
});

it('deliveries: made, repeated, tested, retried, disabled', async () => {
  const { path, webhook_id } = await usual.register(['transaction.screened']);
  // A read that takes a second is too old to begin an attempt with: the endpoint is read again.
  meanwhile = async ({ caller, operation }) => {
    if (caller !== 'Delivery-DeliverWebhook' || operation !== 'BatchGetItem') return;
    meanwhile = undefined;
    await pass(1_000);
  };
  await screen(usual, 'ScreenTransaction');
  await receiver.until(path);
  const { deliveries } = await usual.deliveries(webhook_id);
  const again = `/v1/webhooks/${webhook_id}/deliveries/${deliveries[0].delivery_id}/redeliver`;
  const headers = { 'Idempotency-Key': 'once more' };
  for (let time = 0; time < 2; time += 1) {
    expect((await usual.post(again, undefined, headers)).status).toBeLessThan(300);
    expect((await usual.post(`/v1/webhooks/${webhook_id}/test`, undefined, headers)).status).toBeLessThan(300);
  }
  // A test message has a separate item, which lives on with its redelivery.
  const { delivery_id } = (await usual.post(`/v1/webhooks/${webhook_id}/test`, undefined, headers)).json;
  expect((await usual.post(`/v1/webhooks/${webhook_id}/deliveries/${delivery_id}/redeliver`)).status).toBe(202);

  const failing = await usual.register(['transaction.screened']);
  receiver.answer(failing.path, () => 500);
  await screen(usual, 'ScreenTransaction');
  await until('a retry', () => has('Delivery-DeliverWebhook', 'sqs:SendMessage'));
  const gone = await usual.register(['transaction.screened']);
  receiver.answer(gone.path, () => 410);
  await screen(usual, 'ScreenTransaction');
  await until('an endpoint disabled', () => has('Delivery-DeliverWebhook', 'dynamodb:UpdateItem', 'WEBHOOKS'));
  // As many in flight as an endpoint may have: the next one looks whether a slot has become free.
  const busy = await usual.register(['transaction.screened']);
  await takeEverySlot(usual.account_id, busy.webhook_id);
  await usual.post(`/v1/webhooks/${busy.webhook_id}/test`);
  await until('a look at the slots of an endpoint', () =>
    has('Delivery-DeliverWebhook', 'dynamodb:GetItem', 'ENDPOINTSTATE'),
  );
  await usual.unregister(busy.webhook_id);
  await pass(DAY);
  await fire('Delivery/DeliveriesDue');
});

it('events arrive on the bus, for an account without an endpoint too', async () => {
  const { json } = await screen(strict, 'ScreenTransaction');
  const arrived = (type: string) => bus.about(json.transaction_id).find(({ entry }) => entry.DetailType === type);
  await until('both events on the bus', () => Boolean(arrived('transaction.screened') && arrived('case.created')));
  const screened = arrived('transaction.screened');
  expect(screened).toMatchObject({
    caller: 'Delivery-RelayEvents',
    entry: { Source: 'fraud-screening.sandbox', EventBusName: TEST_BUS },
  });
  expect(JSON.parse(screened?.entry.Detail ?? '')).toMatchObject({
    account_id: strict.account_id,
    id: expect.stringMatching(/^msg_/),
    type: 'transaction.screened',
    data: { transaction_id: json.transaction_id, decision: 'review' },
  });
});

it('changes that could not be relayed are healed by the sweep', async () => {
  await usual.register(['decision.reviewed']);
  const { json } = await screen(usual, 'ScreenTransaction');
  fails = ({ caller, operation }) =>
    caller === 'Delivery-RelayEvents' && ['PutItem', 'TransactWriteItems', 'PutRecordBatch'].includes(operation);
  // Its case is a row of the warehouse, which refuses it as well.
  await screen(strict, 'ScreenTransaction');
  const review = { decision: 'allow', notes: longNotes() };
  expect((await usual.post(`/v1/decisions/${json.decision_id}/review`, review)).status).toBe(200);
  await until(
    'a record set aside',
    () => has('Delivery-RelayEvents', 'sqs:SendMessage', undefined),
    () => pass(MINUTE),
  );
  await until(
    'a record healed',
    () =>
      has('Delivery-SweepDeliveries', 'dynamodb:PutItem', 'MESSAGE') &&
      run.calls().some((call) => call.function === 'Delivery-SweepDeliveries' && call.resource.endsWith('-cases')),
    async () => {
      await pass(6 * MINUTE);
      await fire('Delivery/DeliveriesDue');
      await delay(200);
    },
  );
  fails = undefined;
});

it('labels teach a model, which is tried in shadow', async () => {
  for (const [sold_at, decision] of [
    ['kiosk', 'block'],
    ['web', 'allow'],
  ]) {
    const screened = await Promise.all(
      Array.from({ length: 10 }, () => screen(usual, 'ScreenTransaction', {}, { custom_attributes: { sold_at } })),
    );
    for (const { json } of screened) {
      expect((await usual.post(`/v1/decisions/${json.decision_id}/review`, { decision })).status).toBe(200);
    }
  }
  await multiplyLabels(usual.account_id, 11);
  await fire('ModelTraining/TrainingDue');
  expect(modelIn((await registryUnderTest().state()).state, 'shadow')).toBeDefined();
  for (const which of ['ScreenTransaction', 'ScreenEvent'] as const) {
    await until(
      `${which} counts a shadow`,
      () => has(which, 'dynamodb:UpdateItem', 'MODEL'),
      async () => {
        await pass(MINUTE);
        await screen(usual, which);
      },
    );
  }
  await until(
    'Afd counts a shadow',
    () => has('Afd', 'dynamodb:UpdateItem', 'MODEL'),
    async () => {
      await pass(MINUTE);
      await askAfd(usual, 'SendEvent', `shadow-${++serial}`);
    },
  );
  await fire('ModelTraining/TrainingDue');
  // The next run starts from the model in force, which it reads from the registry.
  await registryUnderTest().change((state) => promote(state, modelIn(state, 'shadow')?.version ?? '', cause()));
  await pass(DAY);
  await fire('ModelTraining/TrainingDue');

  // Once production has a model, sandbox follows that registry.
  const version = await registered(amountModel(70), { stage: 'production' });
  await registryUnderTest('production').change((state) => startShadow(state, version, cause()));
  const loads = (name: string): boolean =>
    run.calls().some(({ function: by, resource }) => by === name && resource.includes(`/models/${version}/`));
  for (const which of ['ScreenTransaction', 'ScreenEvent', 'Afd'] as const) {
    await until(
      `${which} loads production's model`,
      () => loads(which),
      async () => {
        await pass(MINUTE);
        await (which === 'Afd' ? askAfd(usual, 'SendEvent', `live-${++serial}`) : screen(usual, which));
      },
    );
  }
});

it('intelligence: a table that was put into the bucket, and the one before it', async () => {
  const tables = intelligenceAdmin(modelBucket(), registryPrefix('sandbox'));
  const file = (name: string, text: string) => ({ name, text, licence: 'CC0 1.0', date: '2026-11-18' });
  const files = [
    ...[file('country.csv', '91.0.0.0,91.0.255.255,DE\n'), file('asn.csv', '91.0.0.0,91.0.255.255,3320,"Telekom"\n')],
    ...[file('disposable.txt', 'burner.example\n'), file('free.txt', 'gmail.com\n')],
  ];
  const smaller = { nowMs: Date.now(), least: {}, without: new Set(SOURCE_KINDS) };
  const { version } = await tables.update(files, smaller);
  const loads = (name: string): boolean =>
    run.calls().some(({ function: by, resource }) => by === name && resource.includes(`/tables/${version}`));
  for (const which of ['ScreenTransaction', 'ScreenEvent', 'Afd'] as const) {
    await until(
      `${which} loads the table`,
      () => loads(which),
      async () => {
        await pass(2 * MINUTE);
        await (which === 'Afd' ? askAfd(usual, 'SendEvent', `table-${++serial}`) : screen(usual, which));
      },
    );
  }
  expect(await tables.rollback()).toBeNull();
});

it('lists: made, filled, read, emptied, and swept', async () => {
  const once = { 'Idempotency-Key': 'entries' };
  const at = async () =>
    Date.parse((await screen(usual, 'ScreenTransaction', {}, { user_id: 'seen' })).json.screened_at);
  const soon = new Date((await at()) + MINUTE).toISOString();
  const list = (name: string, type: string) => usual.put(`/v1/lists/${name}`, { type, effect: 'none' });
  for (let time = 0; time < 2; time += 1) await list('users', 'user_id');
  await list('nets', 'cidr');
  await list('left', 'user_id');
  const add = (name: string, entries: object[]) => usual.post(`/v1/lists/${name}/entries`, { entries }, once);
  const entries = ['seen', 'new'].map((value) => ({ value, expires_at: soon }));
  for (let time = 0; time < 2; time += 1)
    expect((await add('users', [...entries, { value: 'gone' }])).status).toBe(200);
  await usual.post('/v1/lists/users/entries', { entries: [{ value: 'gone', reason: 'of an entry that is there' }] });
  await add('nets', [{ value: '203.0.113.0/24' }]);
  await add('left', [{ value: 'seen' }]);
  expect((await usual.get('/v1/lists')).json.lists).toHaveLength(3);
  expect((await usual.get('/v1/lists/users/entries?value=gone')).json.entries).toHaveLength(1);
  expect((await usual.get('/v1/lists/users/entries')).json.entries).toHaveLength(3);
  expect((await usual.delete('/v1/lists/users/entries/gone')).status).toBe(204);
  for (const which of ['ScreenTransaction', 'ScreenEvent'] as const) {
    await pass(31_000);
    await screen(usual, which);
  }
  await askAfd(usual, 'SendEvent', `listed-${++serial}`);
  // The sweep removes the items that the request could not.
  fails = ({ caller, operation, input }) =>
    caller === 'Lists' && operation === 'Query' && JSON.stringify(input).includes('"LISTENTRY#');
  expect((await usual.delete('/v1/lists/left')).status).toBe(204);
  fails = undefined;
  await pass(MINUTE);
  await fire('Sweeps/ListsDue');
  expect((await usual.get('/v1/lists/users')).json.entries).toBe(0);
  expect((await usual.delete('/v1/lists/users')).status).toBe(204);
});

it('declarations, and an event of a type of one’s own', async () => {
  for (let time = 0; time < 2; time += 1) await usual.put('/v1/attributes/gift', { type: 'boolean', entity: true });
  expect((await usual.put('/v1/event-types/ticket_transfer', {})).status).toBe(201);
  expect((await usual.get('/v1/attributes')).status).toBe(200);
  const sent = await usual.post('/v1/events', { event_type: 'ticket_transfer', user_id: 'giver' });
  expect(sent.status).toBe(200);
  expect((await usual.get('/v1/users/giver/risk-profile')).json.events.by_type.ticket_transfer).toBe(1);
  expect((await usual.post('/v1/users/giver/export', {})).status).toBe(200);
});

it('personal data: exported, labels taken back, erased', () =>
  eraseSomebody(strict, receiver, () => fire('Erasures/ErasuresDue')));

it('the warehouse: a rule tested over two years, and somebody erased from files of every kind', async () => {
  const folder = join(run.dataDir, 'warehouse');
  const { json } = await usual.post('/v1/transactions/screen', {
    user_id: 'a customer of years',
    amount: 20,
    currency: 'EUR',
  });
  const rows = async () => {
    const paths = keysIn(folder).filter((key) => key.startsWith('decisions/'));
    return (await Promise.all(paths.map((key) => readParquet(readFileSync(join(folder, key)))))).flat();
  };
  let own: ReadRow | undefined;
  while (!own) {
    await delay(200);
    own = (await rows()).find(({ decision_id }) => decision_id === json.decision_id);
  }
  const asked = { expression: 'user_id == "a customer of years"', action: 'review', days: 730 };
  const test = await usual.post('/v1/rules/test', asked);
  expect([test.status, test.json.status]).toEqual([202, 'running']);
  let tested = await usual.get(`/v1/rule-tests/${test.json.test_id}`);
  while (tested.status === 202) {
    await delay(200);
    tested = await usual.get(`/v1/rule-tests/${test.json.test_id}`);
  }
  expect([tested.status, tested.json.status, tested.json.matched]).toEqual([200, 'complete', 1]);
  expect(tested.json.not_testable).toEqual([]);
  expect((await strict.get(`/v1/rule-tests/${test.json.test_id}`)).status).toBe(404);
  // Files of every kind, with somebody else and without.
  const { account_id, user_pseudonym } = own;
  const values = { account_id, user_pseudonym, occurred_at: new Date(0) };
  const somebodyElse = { ...values, user_pseudonym: 'somebody else' };
  const write = (key: string, content: Uint8Array | string) => {
    mkdirSync(dirname(join(folder, key)), { recursive: true });
    writeFileSync(join(folder, key), content);
  };
  for (const table of WAREHOUSE_TABLE_NAMES) {
    const columns = Object.entries(WAREHOUSE_TABLES[table]).map(([name, [type]]) => [name, type] as const);
    const dt = new Date().toISOString().slice(0, 10);
    for (const [name, kept] of [
      ['alone', []],
      ['both', [somebodyElse]],
    ] as const)
      write(`${table}/dt=${dt}/hour=00/${name}.parquet`, writeParquet(columns, [values, ...kept]));
  }
  const error = (row: object) =>
    `${JSON.stringify({ rawData: Buffer.from(JSON.stringify(row)).toString('base64') })}\n`;
  write('errors/alone.json', error({ ...values, occurred_at: '1970' }));
  write('errors/both.json', error({ ...values, occurred_at: '1970' }) + error(somebodyElse));
  write('query-results/old.csv', 'old');
  expect((await usual.delete('/v1/users/a%20customer%20of%20years')).status).toBe(202);
  await pass(12 * 60 * MINUTE);
  await fire('Erasures/ErasuresDue');
  expect(keysIn(folder).filter((key) => /alone|query-results/.test(key))).toEqual([]);
  const left = (await rows()).filter((row) => row.user_pseudonym === user_pseudonym);
  expect(left).toEqual([]);
  await pass(12 * 60 * MINUTE);
  await fire('Erasures/ErasuresDue');
});

it('the reference, for everybody', async () => {
  for (const path of ['/openapi.json', '/docs', '/docs/reference.js']) expect((await usual.get(path)).status).toBe(200);
});

it('cases expire', async () => {
  await pass(8 * DAY);
  await fire('Sweeps/CasesDue');
  await until('an overview counted', () => has('Overview-TallyOverview', 'dynamodb:UpdateItem', 'OVERVIEW'));
});

describe('then', () => {
  const said = ({ function: name, action, resource, partition }: Grant) =>
    `${name}: ${action} on ${partition ?? resource}`;

  it('no call was refused', () => {
    expect(run.denials()).toEqual([]);
  });

  it('every grant has been used', () => {
    const grants = grantsOf(resolveStacks(loadAssembly(assembly, STACK), run.awsEndpoint));
    expect(grants.length).toBeGreaterThan(200);
    const calls = run.calls();
    const unused = grants.filter((grant) => !calls.some((call) => isUsedBy(grant, call)));
    expect(unused.filter(({ action }) => !GIVEN_WITH_SOURCES.includes(action)).map(said)).toEqual(
      FOR_THE_VERSION_BEFORE,
    );
  });

  it('every call had a grant of its own kind', () => {
    const grants = grantsOf(resolveStacks(loadAssembly(assembly, STACK), run.awsEndpoint));
    const strangers = run.calls().filter((call) => !grants.some((grant) => isUsedBy(grant, call)));
    expect(strangers).toEqual([]);
  });
});
