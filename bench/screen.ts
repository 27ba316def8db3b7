import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { bundleFunctions } from '../lib/bundling/bundle-functions';
import { compileIpTable } from '../lib/bundling/compile-ip-table';
import { DEFAULT_SETTINGS } from '../shared/domain/account';
import { applyUpdate } from '../shared/domain/entities/apply-update';
import type { EntityItem } from '../shared/domain/entities/attribute-value';
import type { Attempt } from '../shared/domain/entities/entity-history';
import type { EntityRef } from '../shared/domain/entities/entity-ref';
import { itemSize } from '../shared/domain/entities/item-size';
import { readHistory } from '../shared/domain/entities/read-history';
import { touchUpdate } from '../shared/domain/entities/touch-update';
import { trimUpdate } from '../shared/domain/entities/trim-update';
import { openIpTable } from '../shared/domain/ip/ip-table';
import type { Subject } from '../shared/domain/subjects/attempt-of';
import { newUlid } from '../shared/runtime/ids';
import { type ScreenSubjectDeps, screenSubject } from '../shared/usecases/screen-subject';

const OWN_ROUNDS = 20_000;
const SDK_ROUNDS = 1_500;

const subject: Subject = {
  subject_type: 'transaction',
  action: 'transaction',
  outcome: 'succeeded',
  user_id: 'user-42',
  amount: 129.9,
  currency: 'EUR',
  ip_address: '91.0.0.1',
  device_fingerprint: 'fp_3f9c2a',
  payment_method: 'card',
  billing_address: { country: 'DE' },
  custom_attributes: { card_fingerprint: 'card_8812', order_id: '1001' },
};
const caller = { account_id: 'acc_01K9ZC3V5T8QJ4M2N6P7R8S9TB', key_id: 'key_x', settings: DEFAULT_SETTINGS };
const never = new AbortController().signal;

/** A store that knows each entity's item beforehand: what is measured is our own work, not the store's. */
function cannedDeps(items: Map<string, EntityItem>): ScreenSubjectDeps {
  return {
    clock: { now: () => Date.now() },
    newUlid,
    timeLimit: () => never,
    pause: async () => undefined,
    ips: openIpTable(compileIpTable()),
    entities: {
      touch: async (_account: string, ref: EntityRef, attempt: Attempt) => {
        touchUpdate(ref.kind, attempt);
        const item = items.get(ref.key);
        return { ref, item, history: readHistory(ref.kind, item, attempt, false) };
      },
      untouch: async () => undefined,
      trim: async () => false,
    },
    claims: { claim: async () => undefined, takeOver: async () => true, release: async () => undefined },
    screenings: {
      find: async () => undefined,
      insert: async () => undefined,
      insertWithCase: async () => undefined,
      countDecision: async () => undefined,
    },
    observe: () => undefined,
  };
}

/** A month of ordinary history for each entity, and how large the items are. */
async function warmItems(): Promise<Map<string, EntityItem>> {
  const items = new Map<string, EntityItem>();
  const deps = cannedDeps(items);
  let now = Date.now() - 30 * 86_400_000;
  const learn: ScreenSubjectDeps = {
    ...deps,
    clock: { now: () => now },
    entities: {
      ...deps.entities,
      touch: async (_account, ref, attempt) => {
        const before = items.get(ref.key);
        const { item: after } = applyUpdate(before, touchUpdate(ref.kind, attempt));
        const trim = after && trimUpdate(ref.kind, after, attempt.at_ms);
        const trimmed = trim ? applyUpdate(after, trim).item : after;
        if (trimmed) items.set(ref.key, trimmed);
        return { ref, item: before, history: readHistory(ref.kind, before, attempt, false) };
      },
    },
  };
  for (let i = 0; i < 60; i++) {
    now += 12 * 3_600_000 - (i % 7) * 600_000;
    await screenSubject(learn, caller, subject);
  }
  return items;
}

async function ownCpuMicros(items: Map<string, EntityItem>): Promise<number> {
  const deps = cannedDeps(items);
  for (let i = 0; i < 2_000; i++) await screenSubject(deps, caller, subject);
  const start = process.cpuUsage();
  for (let i = 0; i < OWN_ROUNDS; i++) await screenSubject(deps, caller, subject);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / OWN_ROUNDS;
}

interface Recorded {
  readonly target: string;
  readonly body: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The deployed bundle against a server that answers what DynamoDB would. */
async function bundleAgainst(url: string, server: ChildProcess) {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    TABLE_NAME: 'table',
    STAGE: 'sandbox',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
  const bundle = bundleFunctions().get('screen-transaction');
  const { handler } = require(join(bundle?.directory ?? '', 'index.js'));
  const { subject_type, action, outcome, ...body } = subject;
  const event = () => ({
    httpMethod: 'POST',
    path: '/v1/transactions/screen',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    requestContext: {
      requestId: 'r',
      authorizer: { account_id: caller.account_id, key_id: 'k', settings: JSON.stringify(caller.settings) },
    },
  });
  const runOnce = async () => {
    const answer = await handler(event(), { functionName: 'bench' });
    if (answer.statusCode !== 200) throw new Error(`The handler answered ${answer.statusCode}: ${answer.body}`);
  };
  await runOnce();
  // Slow answers make calls that are under way together overlap, so that trips can be counted.
  server.send('record');
  await runOnce();
  server.send('tell');
  const [recorded] = (await once(server, 'message')) as [Recorded[]];
  for (let i = 0; i < 300; i++) await runOnce();
  const start = process.cpuUsage();
  for (let i = 0; i < SDK_ROUNDS; i++) await runOnce();
  const { user, system } = process.cpuUsage(start);
  return { micros: (user + system) / SDK_ROUNDS, recorded };
}

/** The same posts, bare: what any client must at least pay. */
async function barePostsMicros(url: string, recorded: readonly Recorded[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const post = ({ target, body }: Recorded) =>
    new Promise<void>((resolve, reject) => {
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': target,
        'content-length': Buffer.byteLength(body),
      };
      const call = request(url, { method: 'POST', agent, headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          JSON.parse(text);
          resolve();
        });
      });
      call.on('error', reject);
      call.end(body);
    });
  const round = async () => {
    const updates = recorded.filter(({ target }) => target.endsWith('UpdateItem'));
    const rest = recorded.filter(({ target }) => !target.endsWith('UpdateItem'));
    await Promise.all(updates.map(post));
    for (const call of rest) await post(call);
  };
  for (let i = 0; i < 300; i++) await round();
  const start = process.cpuUsage();
  for (let i = 0; i < SDK_ROUNDS; i++) await round();
  const { user, system } = process.cpuUsage(start);
  agent.destroy();
  return (user + system) / SDK_ROUNDS;
}

/** How many calls follow one another: a call that starts after another ended is a further trip. */
export function sequentialTrips(calls: ReadonlyArray<Pick<Recorded, 'startedAt' | 'endedAt'>>): number {
  let trips = 0;
  let endOfTrip = Number.NEGATIVE_INFINITY;
  for (const { startedAt, endedAt } of [...calls].sort((a, b) => a.startedAt - b.startedAt)) {
    if (startedAt >= endOfTrip) {
      trips++;
      endOfTrip = endedAt;
    } else endOfTrip = Math.min(endOfTrip, endedAt);
  }
  return trips;
}

type Wire = Record<string, Record<string, unknown>>;

/** The size of an item on the wire by DynamoDB's rules: names, values, 3 bytes a list or map and 1 an entry. */
const mapBytes = (map: Wire): number =>
  Object.entries(map).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

function valueBytes(value: Record<string, unknown>): number {
  const [[type, content] = ['NULL', true]] = Object.entries(value);
  if (type === 'S') return Buffer.byteLength(content as string);
  if (type === 'B') return Buffer.from(content as string, 'base64').length;
  if (type === 'N') return Math.ceil((content as string).replace(/[-.]/g, '').length / 2) + 1;
  if (type === 'M') return 3 + Object.keys(content as Wire).length + mapBytes(content as Wire);
  if (type === 'L') return 3 + (content as Wire[string][]).reduce((sum, entry) => sum + 1 + valueBytes(entry), 0);
  return 1;
}

/** A write unit is a kilobyte begun. */
const writeUnits = (bytes: number): number => Math.ceil(bytes / 1024);

export async function run(): Promise<void> {
  const items = await warmItems();
  const own = await ownCpuMicros(items);
  const server = fork(join(__dirname, 'support/canned-dynamodb.cjs'));
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  server.send({ items: Object.fromEntries(items) });
  try {
    const { micros, recorded } = await bundleAgainst(url, server);
    const bare = await barePostsMicros(url, recorded);
    const put = recorded.find(({ target }) => target.endsWith('PutItem'));
    const resultBytes = mapBytes(JSON.parse(put?.body ?? '{"Item":{}}').Item);
    const updates = recorded.length - 1;
    const largest = Math.max(...[...items.values()].map(itemSize));
    console.log(`own CPU per screening             ${own.toFixed(1)} µs (limit 60)`);
    console.log(
      `handler with SDK × bare posts     ${(micros / bare).toFixed(2)} (limit 4.5; ${micros.toFixed(0)} µs against ${bare.toFixed(0)} µs)`,
    );
    console.log(`sequential DynamoDB trips         ${sequentialTrips(recorded)} (limit 2)`);
    console.log(`calls                             ${updates} updates, 1 put`);
    console.log(`largest entity item               ${largest} bytes (limit 1024)`);
    console.log(`result item                       ${resultBytes} bytes`);
    console.log(
      `write units per screening         ${updates * writeUnits(largest) + writeUnits(resultBytes)} (limit 6)`,
    );
    const isOver = own > 60 || micros / bare > 4.5 || sequentialTrips(recorded) > 2;
    if (isOver) process.exitCode = 1;
  } finally {
    server.kill();
  }
}
