import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { makeAuthority, makeCertificate } from '../../local/listen/certificates';
import { type Random, seededRandom } from '../../shared/domain/models/seeded-random';
import { WAREHOUSE_TABLE_NAMES } from '../../shared/domain/warehouse/warehouse-tables';
import { EVENT_TYPES } from '../../shared/domain/webhooks/webhook-endpoint';
import { localClient } from '../../shared/runtime/admin-wiring';
import { toScreening } from '../../shared/store/screening/screening-reader';
import type { EntityItem } from '../../shared/store/sdk/attribute-value';
import { type Done, drive, driver } from '../load/drive';
import { type LoadedStack, startStack, warehouseQuery } from '../load/start-stack';
import { type Intent, processorSays, traffic } from '../load/traffic';
import { type Asked, audit, type Evidence, type Finding, type Kept, type Row, type Said, type Told } from './audit';
import { type FaultRates, faultInjector, NO_FAULTS } from './faults';

export interface ChaosReceiver {
  readonly told: Told[];
  readonly env: Readonly<Record<string, string>>;
  refused(): number;
  urlFor(accountId: string): string;
  close(): Promise<void>;
}

export async function startReceiver(
  authorityFile: string,
  random: Random,
  refusedShare: () => number,
): Promise<ChaosReceiver> {
  const authority = await makeAuthority();
  writeFileSync(authorityFile, authority.cert);
  const { key, cert } = await makeCertificate({ names: ['localhost'], addresses: ['127.0.0.1'], authority });
  const told: Told[] = [];
  let refused = 0;
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (random() < refusedShare()) {
        refused += 1;
        response.writeHead(500).end();
        return;
      }
      const body = Buffer.concat(chunks).toString();
      const { id, type } = JSON.parse(body) as { id: string; type: string };
      told.push({ account_id: (request.url ?? '').slice(1), message_id: id, type, body, atMs: Date.now() });
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    told,
    env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128', WEBHOOK_EXTRA_CA: authorityFile },
    refused: () => refused,
    urlFor: (accountId) => `https://localhost:${port}/${accountId}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface ChaosOptions {
  readonly screenings: number;
  readonly accounts: number;
  readonly seed: number;
  readonly concurrency: number;
  readonly rates: FaultRates;
  readonly refusedShare: number;
  readonly port: number;
  readonly directory: string;
  readonly say: (line: string) => void;
  readonly show: (text: () => string) => void;
}

export interface ChaosResult {
  readonly evidence: Evidence;
  readonly findings: readonly Finding[];
  readonly faults: ReadonlyMap<string, number>;
  readonly refusedWebhooks: number;
  readonly elapsedMs: number;
}

const MOST_TRIES = 6;
/** Share of payments that a processor reports on; a repeated report is another one. */
const REPORTED = 0.4;
const FIRST_PAUSE_MS = 100;
const USERS = 20_000;
const SWEEP = 'Delivery/DeliveriesDue';
const ROUND_MS = 600_000;
const QUIET_MS = 3_000;
// Ten delivery attempts span three days; faults are off by now, so a few rounds are enough. After these, it is lost.
const MOST_ROUNDS = 60;

const isTransient = ({ status, json }: Done): boolean =>
  status === 0 || status >= 500 || status === 429 || json?.error?.code === 'idempotency_in_progress';

interface Heard {
  readonly asked: Asked[];
  readonly said: Said[];
}

/** Requests screenings as an SDK does, reports what processors said of some, and records every response. */
function clientOf(stack: LoadedStack, { asked, said }: Heard, random: Random, onAnswer: (done: Done) => void) {
  const keys = stack.accounts.map(({ key }) => key);
  const client = driver({ url: stack.run.url, keys, onDone: onAnswer });
  /** As often as it takes: the same report from the same source has one effect. */
  async function report(account: number, subject_id: string): Promise<void> {
    const what = processorSays(subject_id, random);
    let isRecorded = false;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const done = await client.make({ kind: 'report-outcome', account, subject_id, said: what });
      isRecorded = done?.status === 200;
      if (done && !isTransient(done)) break;
      await delay(FIRST_PAUSE_MS * 2 ** tries);
    }
    const account_id = stack.accounts[account]?.account_id ?? '';
    said.push({ account_id, subject_id, type: what.type, isRecorded });
  }

  return {
    close: client.close,
    async ask(intent: Intent): Promise<void> {
      if (intent.kind !== 'screen-transaction' && intent.kind !== 'screen-event')
        return void (await client.make(intent));
      const answers: Array<Asked['answers'][number]> = [];
      asked.push({
        account_id: stack.accounts[intent.account]?.account_id ?? '',
        user_id: String(intent.body.user_id),
        subject_type: intent.kind === 'screen-event' ? 'event' : 'transaction',
        answers,
      });
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const done = await client.make(intent);
        if (!done) return;
        const { status, text, replayed } = done;
        answers.push({ status, text, replayed });
        if (status === 200 && intent.kind === 'screen-transaction' && random() < REPORTED)
          await report(intent.account, done.json.transaction_id);
        // Without a key, there is no way to know whether it was executed: a retry would be another payment.
        if (!isTransient(done) || !intent.idempotencyKey) return;
        await delay(FIRST_PAUSE_MS * 2 ** tries);
      }
    },
  };
}

async function registerWebhooks({ run, accounts }: LoadedStack, { urlFor }: ChaosReceiver): Promise<void> {
  for (const { account_id, key } of accounts) {
    const response = await fetch(`${run.url}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: urlFor(account_id), events: EVENT_TYPES }),
    });
    if (response.status !== 201) throw new Error(`No webhook: ${response.status} ${await response.text()}`);
  }
}

export async function rowsOf({ run }: LoadedStack): Promise<Row[]> {
  const client = new DynamoDBClient(localClient(run));
  const rows: Row[] = [];
  for await (const { Items = [] } of paginateScan(
    { client },
    { TableName: run.outputs.TableName, ConsistentRead: true },
  )) {
    for (const item of Items) {
      const value = unmarshall(item);
      const { pk, sk, entity = '' } = value;
      // A result leaves out what its key says; the audit looks at all of it.
      const whole = entity === 'screening' ? { ...value, ...toScreening(value) } : value;
      rows.push({ pk, sk, entity, value: whole, wire: item as unknown as EntityItem });
    }
  }
  client.destroy();
  return rows;
}

/** The views of the warehouse, and how often a row is in its files more than once. */
async function warehouseOf(stack: LoadedStack): Promise<Kept> {
  const query = warehouseQuery(stack);
  const rowsIn = async (prefix: string) => {
    const selects = WAREHOUSE_TABLE_NAMES.map((table) => `SELECT event_id FROM ${prefix}${table}`);
    return (await query(selects.join(' UNION ALL '))).rows.map(([id = null]) => id);
  };
  const [rows, copies] = [await rowsIn(''), await rowsIn('raw_')];
  return { rows, duplicates: copies.length - rows.length };
}

/** Waits until webhooks have stopped arriving: an audit reads the whole table, and little else gets through meanwhile. */
async function untilQuiet(told: ChaosReceiver['told'], options: ChaosOptions): Promise<void> {
  for (let known = -1; known !== told.length; ) {
    known = told.length;
    options.show(() => `settling  ${told.length} webhooks received`);
    await delay(QUIET_MS);
  }
}

/** Lets time pass until nothing promised is missing, or it is clear that it will never arrive. */
async function auditUntilComplete(
  stack: LoadedStack,
  heard: Heard,
  told: ChaosReceiver['told'],
  options: ChaosOptions,
) {
  for (let round = 1; ; round++) {
    await untilQuiet(told, options);
    const pseudonyms = await stack.admin.identity.pseudonyms();
    const nowMs = Date.now() + round * ROUND_MS;
    const kept = await warehouseOf(stack);
    const evidence: Evidence = { ...heard, told, rows: await rowsOf(stack), nowMs, pseudonyms, kept };
    const findings = audit(evidence);
    const lost = findings.filter(({ kind }) => kind === 'lost').length;
    options.show(() => `settling  round ${round}  ${told.length} webhooks received, ${lost} to come`);
    if (lost === 0 || round >= MOST_ROUNDS) return { evidence, findings };
    await fetch(`${stack.run.url}/_local/clock/${ROUND_MS}`, { method: 'POST' });
    await stack.run.fireSchedule(SWEEP);
  }
}

export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { seed, screenings, accounts, directory, say, show } = options;
  const random = seededRandom(seed);
  let [rates, refusedShare] = [NO_FAULTS, 0];
  const faults = faultInjector(random, () => rates);
  const receiver = await startReceiver(join(directory, 'authority.pem'), random, () => refusedShare);
  Object.assign(process.env, receiver.env);
  let print = say;
  const stack = await startStack('chaos', accounts, {
    dataDir: join(directory, 'data'),
    port: options.port,
    virtualClock: true,
    context: { warehouse: 'on' },
    intercept: faults.intercept,
    crash: faults.crash,
    // Errors are expected here; their lines would bury the progress.
    print: (line) => print(line),
  });
  try {
    await registerWebhooks(stack, receiver);
    say(`Driving ${stack.run.url} with faults`);
    print = () => undefined;
    const begun = performance.now();
    const heard: Heard = { asked: [], said: [] };
    const { asked } = heard;
    let [answered, failed] = [0, 0];
    const client = clientOf(stack, heard, seededRandom(seed + 1), ({ status }) => {
      if (status === 200) answered += 1;
      else if (status === 0 || status >= 500) failed += 1;
    });
    [rates, refusedShare] = [options.rates, options.refusedShare];
    await drive(client.ask, traffic(seed, { accounts, usersPerAccount: USERS }), {
      perSecond: 10_000,
      maxInFlight: options.concurrency,
      isOver: () => asked.length >= screenings,
      onTick: ({ elapsedMs }) =>
        show(() => {
          const speed = (asked.length / Math.max(1, elapsedMs / 1000)).toFixed(0);
          return `driving  ${asked.length} of ${screenings} screenings  ${speed} per second  ${answered} answered  ${failed} failed  ${receiver.told.length} webhooks`;
        }),
    });
    client.close();
    [rates, refusedShare] = [NO_FAULTS, 0];
    const { evidence, findings } = await auditUntilComplete(stack, heard, receiver.told, options);
    const elapsedMs = performance.now() - begun;
    return { evidence, findings, faults: faults.count, refusedWebhooks: receiver.refused(), elapsedMs };
  } finally {
    await stack.run.stop();
    await receiver.close();
  }
}
