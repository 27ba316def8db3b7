import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { bundleFunctions } from '../lib/bundling/bundle-functions';
import { INTELLIGENCE_FILE } from '../shared/runtime/intelligence-file';
import { itemSize } from '../shared/store/sdk/attribute-value';
import type { Measurement } from './support/measurement';
import { caller, subject } from './support/ordinary-screening';
import type { OwnCpu } from './support/own-cpu';
import { wireBytes, writeUnits } from './support/wire-size';

const TURNS = 20;
const WARM_UP_TURNS = 4;
const ROUNDS_A_TURN = 75;

async function ownCpu(): Promise<OwnCpu> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'bench-')), 'own-cpu.js');
  buildSync({
    entryPoints: [join(__dirname, 'support/own-cpu.ts')],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
  });
  const directory = bundleFunctions().get('screen-transaction')?.directory ?? '';
  const child = fork(outfile, [join(directory, INTELLIGENCE_FILE)]);
  const [measured] = (await once(child, 'message')) as [OwnCpu];
  child.disconnect();
  return measured;
}

interface Recorded {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Runs both in turns, so that a noisy minute affects both alike; returns CPU time per round of each. */
async function inTurns(one: () => Promise<void>, other: () => Promise<void>): Promise<readonly [number, number]> {
  const spent: [number, number] = [0, 0];
  for (let turn = 0; turn < TURNS + WARM_UP_TURNS; turn++) {
    for (const [index, round] of [one, other].entries()) {
      const start = process.cpuUsage();
      for (let i = 0; i < ROUNDS_A_TURN; i++) await round();
      const { user, system } = process.cpuUsage(start);
      if (turn >= WARM_UP_TURNS) spent[index] = (spent[index] ?? 0) + user + system;
    }
  }
  return [spent[0] / (TURNS * ROUNDS_A_TURN), spent[1] / (TURNS * ROUNDS_A_TURN)];
}

/** The deployed bundle against a server that answers like DynamoDB. */
function deployedHandler(url: string): () => Promise<void> {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    TABLE_NAME: 'table',
    MODEL_BUCKET: 'models',
    DATA_KEY_SECRET_ID: 'secret',
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
  return async () => {
    const answer = await handler(event(), { functionName: 'bench' });
    if (answer.statusCode !== 200) throw new Error(`The handler answered ${answer.statusCode}: ${answer.body}`);
  };
}

/** The posts of one screening, as the server sees them. Slow responses make concurrent calls overlap. */
async function recordOnce(runOnce: () => Promise<void>, server: ChildProcess): Promise<Recorded[]> {
  await runOnce();
  server.send('record');
  await once(server, 'message');
  await runOnce();
  server.send('tell');
  const [recorded] = (await once(server, 'message')) as [Recorded[]];
  return recorded;
}

/** The same bare posts, with the same headers and bytes: the minimum cost for any client. */
function barePosts(url: string, recorded: readonly Recorded[]): () => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const post = ({ headers, body }: Recorded) =>
    new Promise<void>((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          JSON.parse(text);
          resolve();
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const isFirst = ({ target }: Recorded) => target.endsWith('UpdateItem') || target.endsWith('BatchGetItem');
  const first = recorded.filter(isFirst);
  const rest = recorded.filter((call) => !isFirst(call));
  return async () => {
    await Promise.all(first.map(post));
    for (const call of rest) await post(call);
  };
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

/** Discards the handler's log lines, so that the terminal is not measured. */
async function withoutOutput<Result>(work: () => Promise<Result>): Promise<Result> {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return await work();
  } finally {
    process.stdout.write = write;
  }
}

export async function run(): Promise<Measurement[]> {
  const { micros: own, wireMicros, items: known, counters } = await ownCpu();
  const items = new Map(Object.entries(known));
  const server = fork(join(__dirname, 'support/canned-dynamodb.cjs'));
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  server.send({ items: Object.fromEntries(items) });
  try {
    const handler = deployedHandler(url);
    const [recorded, [micros, bare]] = await withoutOutput(async () => {
      const calls = await recordOnce(handler, server);
      return [calls, await inTurns(handler, barePosts(url, calls))] as const;
    });
    const put = recorded.find(({ target }) => target.endsWith('PutItem'));
    const resultBytes = wireBytes(JSON.parse(put?.body ?? '{"Item":{}}').Item);
    const updates = recorded.filter(({ target }) => target.endsWith('UpdateItem')).length;
    const largest = Math.max(...[...items.values()].map(itemSize));
    const units = updates * writeUnits(largest) + writeUnits(resultBytes);
    const measurements: Measurement[] = [
      { what: 'own CPU per screening, store in memory', found: `${own.toFixed(1)} µs`, aim: '≤ 40 µs' },
      { what: 'the same with updates made and items read', found: `${wireMicros.toFixed(1)} µs`, aim: '≤ 110 µs' },
      {
        what: 'account without counters × no source of counters, in turns',
        found: counters.unused.toFixed(3),
        aim: '≤ 1.02',
      },
      { what: 'three counters that match × none, in turns', found: counters.used.toFixed(2) },
      { what: 'writes of none and of three counters per screening', found: counters.writes.join(' and ') },
      { what: 'deployed handler × bare posts', found: (micros / bare).toFixed(2), aim: '≤ 4.5' },
      { what: 'sequential DynamoDB trips', found: `${sequentialTrips(recorded)}`, aim: '≤ 2' },
      { what: 'write units per screening', found: `${units}`, aim: '≤ 6' },
      { what: 'largest entity item', found: `${largest} bytes`, aim: '≤ 1,024 bytes' },
    ];
    for (const { what, found, aim } of measurements) console.log(`${what.padEnd(60)}${found}${aim ? ` (${aim})` : ''}`);
    console.log(
      `${updates} updates, 1 read of networks, 1 put of ${resultBytes} bytes; ${micros.toFixed(0)} µs against ${bare.toFixed(0)} µs`,
    );
    const isOver = own > 60 || micros / bare > 4.5 || sequentialTrips(recorded) > 2;
    if (isOver) process.exitCode = 1;
    return measurements;
  } finally {
    server.kill();
  }
}
