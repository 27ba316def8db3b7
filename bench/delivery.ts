import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Intercept } from '../local/aws/front';
import { localClient } from '../shared/runtime/admin-wiring';
import { screeningWriter } from '../shared/store/screening/screening-store';
import { startReceiver } from './chaos/run-chaos';
import { kindOfItem } from './load/capacity-meter';
import { startStack } from './load/start-stack';
import { type Measurement, summary } from './support/measurement';
import { ordinaryScreening } from './support/ordinary-screening';
import type { WireItem } from './support/wire-size';

const WARM_UP = 60;
const ALONE = 40;
const STEADY_SECONDS = 15;
const BURST = 600;
/** Events per second at which the cost of an event is always measured. */
const RATES = [10, 15, 20, 25] as const;
/** Further ones, until one is too high for the promise. */
const HIGHER_RATES = [30, 35, 40, 50, 60, 80, 100] as const;
const PROMISED = { p95Ms: 1_000, p99Ms: 2_000 };
const IDLE_MS = 6_000;
const PATIENCE_MS = 120_000;
const QUIET_MS = 1_500;

const ON_THE_WAY = new Set(['Delivery-RelayEvents', 'Delivery-DeliverWebhook']);

type Input = Readonly<Record<string, unknown>>;

/** `PutItem DELIVERIES`: the call and the kind of item. */
function nameOf(operation: string, input: Input): string {
  const item = (input.Item ?? input.Key) as WireItem | undefined;
  if (item) return `${operation} ${kindOfItem(item).split('/')[0]}`;
  const values = input.ExpressionAttributeValues as Record<string, { S?: string }> | undefined;
  return `${operation} ${values?.[':pk']?.S?.split('#')[0] ?? ''}`.trim();
}

function callCounter() {
  const table = new Map<string, number>();
  const queue = new Map<string, number>();
  let elsewhere = 0;
  const add = (to: Map<string, number>, name: string): void => void to.set(name, (to.get(name) ?? 0) + 1);
  const intercept: Intercept = async ({ caller, service, operation, input }) => {
    if (!ON_THE_WAY.has(caller)) {
      elsewhere += 1;
      return undefined;
    }
    if (service === 'dynamodb') add(table, nameOf(operation, input));
    if (service === 'sqs') add(queue, operation);
    return undefined;
  };
  const reset = (): void => {
    table.clear();
    queue.clear();
    elsewhere = 0;
  };
  return { intercept, table, queue, reset, elsewhere: () => elsewhere };
}

const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

const perEvent = (counts: ReadonlyMap<string, number>, events: number): string =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${(count / events).toFixed(2)} ${name}`)
    .join(', ');

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_MS = 10;

/** CPU milliseconds that this process and its children, DynamoDB Local among them, have used so far; Linux only. */
function cpuMs(): number {
  const all = new Map<number, { readonly parent: number; readonly ms: number }>();
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    // It may have ended since the directory was listed.
    const text = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
    // A name in brackets may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    all.set(pid, { parent: Number(fields[1]), ms: TICK_MS * (Number(fields[11]) + Number(fields[12])) });
  }
  const isOurs = (pid: number): boolean => {
    for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  return [...all].reduce((sum, [pid, { ms }]) => sum + (isOurs(pid) ? ms : 0), 0);
}

function spread(valuesMs: readonly number[]): string {
  const { p50, p95 } = summary(valuesMs);
  return `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`;
}

const keepsPromise = ({ latenciesMs }: Phase): boolean => {
  const { p95, p99 } = summary(latenciesMs);
  return p95 < PROMISED.p95Ms && p99 < PROMISED.p99Ms;
};

interface Phase {
  readonly name: string;
  readonly calls: number;
  readonly queueCalls: number;
  readonly cpuMs: number;
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
}

/** The cost of an event from its commit to its delivery: calls by kind, and CPU of everything on this machine. */
export async function run(): Promise<Measurement[]> {
  const root = join(__dirname, '../.local');
  mkdirSync(root, { recursive: true });
  // Outside the directory of the stack, which is emptied when it starts.
  const receiver = await startReceiver(join(root, 'bench-delivery.pem'), Math.random, () => 0);
  Object.assign(process.env, receiver.env);
  const counter = callCounter();
  const stack = await startStack('bench-delivery', 1, { intercept: counter.intercept });
  try {
    const [account] = stack.accounts;
    if (!account) throw new Error('No account');
    const response = await fetch(`${stack.run.url}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.urlFor(account.account_id), events: ['transaction.screened'] }),
    });
    if (response.status !== 201) throw new Error(`No endpoint: ${response.status}`);
    const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(stack.run)));
    const writer = screeningWriter({ client, name: stack.run.outputs.TableName ?? '' });
    const commit = () => writer.insert(account.account_id, ordinaryScreening(Date.now()), 30_000);
    const untilTold = async (count: number): Promise<void> => {
      const giveUp = Date.now() + PATIENCE_MS;
      while (receiver.told.length < count) {
        if (Date.now() > giveUp) throw new Error(`${receiver.told.length} of ${count} delivered`);
        await delay(5);
      }
    };

    async function phase(name: string, events: number, drive: () => Promise<void>, idlePerMs: number): Promise<Phase> {
      await delay(QUIET_MS);
      counter.reset();
      const [cpuBefore, begun, first] = [cpuMs(), performance.now(), receiver.told.length];
      await drive();
      await untilTold(first + events);
      const elapsedMs = performance.now() - begun;
      // The last ones are still to be recorded.
      await delay(QUIET_MS);
      const spent = (cpuMs() - cpuBefore - idlePerMs * (elapsedMs + QUIET_MS)) / events;
      const latenciesMs = receiver.told.slice(first).map(({ atMs, body }) => {
        const { created_at } = JSON.parse(body) as { created_at: string };
        return (atMs ?? Number.NaN) - Date.parse(created_at);
      });
      console.log(`${name}: ${(sumOf(counter.table) / events).toFixed(2)} table calls per event`);
      console.log(`  ${perEvent(counter.table, events)}; ${perEvent(counter.queue, events)}`);
      console.log(`  ${(counter.elsewhere() / events).toFixed(2)} calls of others`);
      console.log(`  ${spent.toFixed(0)} ms of CPU per event; ${spread(latenciesMs)}`);
      return {
        name,
        calls: sumOf(counter.table) / events,
        queueCalls: sumOf(counter.queue) / events,
        cpuMs: spent,
        perSecond: (1000 * events) / elapsedMs,
        latenciesMs,
      };
    }

    const alone = (events: number) => async (): Promise<void> => {
      for (let sent = 0; sent < events; sent++) {
        const next = receiver.told.length + 1;
        await commit();
        await untilTold(next);
        await delay(100);
      }
    };
    const steady = (perSecond: number) => async (): Promise<void> => {
      const begun = performance.now();
      const running: Promise<unknown>[] = [];
      for (let sent = 0; sent < perSecond * STEADY_SECONDS; sent++) {
        const dueMs = begun + (1000 * sent) / perSecond;
        await delay(Math.max(0, dueMs - performance.now()));
        running.push(commit());
      }
      await Promise.all(running);
    };
    const burst = async (): Promise<void> => {
      for (let sent = 0; sent < BURST; sent += 25) await Promise.all(Array.from({ length: 25 }, commit));
    };

    await alone(WARM_UP)();
    await delay(QUIET_MS);
    const idleBefore = cpuMs();
    await delay(IDLE_MS);
    const idlePerMs = (cpuMs() - idleBefore) / IDLE_MS;
    const atRate = (perSecond: number) =>
      phase(`${perSecond} events per second`, perSecond * STEADY_SECONDS, steady(perSecond), idlePerMs);
    const phases = [await phase('one event at a time', ALONE, alone(ALONE), idlePerMs)];
    for (const perSecond of RATES) phases.push(await atRate(perSecond));
    // The highest rate at which the first attempt comes as soon as promised (docs/promises.md, row 6).
    let carried = phases.slice(1).findLast(keepsPromise);
    if (carried === phases.at(-1)) {
      for (const perSecond of HIGHER_RATES) {
        const higher = await atRate(perSecond);
        if (!keepsPromise(higher)) break;
        carried = higher;
      }
    }
    const highest = {
      what: 'highest rate with p95 < 1 s, p99 < 2 s',
      found: carried ? `${carried.name}, ${spread(carried.latenciesMs)}` : 'none',
    };
    phases.push(await phase(`${BURST} events at once`, BURST, burst, idlePerMs));
    return phases
      .flatMap(({ name, calls, queueCalls, cpuMs: spent, perSecond, latenciesMs }) => [
        { what: `table calls per event, ${name}`, found: calls.toFixed(2), aim: '≤ 5' },
        { what: `queue calls per event, ${name}`, found: queueCalls.toFixed(1) },
        { what: `CPU per event, ${name}`, found: `${spent.toFixed(0)} ms`, aim: '≤ 30 ms' },
        {
          what: `commit to receiver, ${name}`,
          found: `${spread(latenciesMs)}, ${perSecond.toFixed(0)} per second`,
        },
      ])
      .concat(highest);
  } finally {
    await stack.run.stop();
    await receiver.close();
  }
}
