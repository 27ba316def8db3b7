import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { PARTITION } from '../../../shared/store/keys';
import type { EntityItem } from '../../../shared/store/sdk/attribute-value';
import { population } from '../../../training/simulation/population';
import { startReceiver } from '../../chaos/run-chaos';
import { PARTITION_LIMIT } from '../../load/capacity-meter';
import { type Done, drive, driver } from '../../load/drive';
import { type LoadedStack, startStack } from '../../load/start-stack';
import { type Intent, paymentOf } from '../../load/traffic';
import { summary } from '../../support/measurement';
import { CASE_RATE, type Scene, simulate } from '../simulate';
import { scalesWithTraffic, throttle, tokenBuckets, typicalError, windowErrors } from './throttle';

export interface ExperimentOptions {
  readonly scenes: readonly Scene[];
  /** Screenings per second that this machine carries: what a scene has more is how far its limits are scaled down. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** What a partition holds at least. @default 12 units */
  readonly burstUnits?: number;
  /** Keeps every history in one item, as a control: what the buckets refuse is then what spreading avoids. */
  readonly isUnspread?: boolean;
  readonly say: (line: string) => void;
}

/**
 * What belongs to a single screening writes a few units at once, which is nothing at the real limits: scaled-down partitions
 * hold that much. The warm-up uses it up where a key is hot.
 */
const BURST_UNITS = 12;
const TABLE_HEADROOM = 1.5;
const IN_FLIGHT = 48;
const DRAIN_MS = 5_000;
/** More are of no use on one machine: the first of a thousand shops have most of the traffic. */
const MOST_ACCOUNTS = 100;

/** Payments of the scene's population, one after the other. */
function* payments(scene: Scene, accounts: number, seed: number): Generator<Intent, never> {
  const random = seededRandom(seed);
  const people = population(seed, { accounts: scene.accounts, usersPerAccount: scene.usersPerAccount });
  for (;;) {
    const account = people.someAccount(random);
    const body = paymentOf(people, account, people.somebody(account, random), random);
    yield { kind: 'screen-transaction', account: account % accounts, body };
  }
}

const HISTORY_LEFT_OUT = /history could not be read/;

/** Counts what callers got. */
function tallyOf() {
  let [screened, degraded, leftOut, refused, histories, failed] = [0, 0, 0, 0, 0, 0];
  return {
    onDone({ status, json, intent }: Done): void {
      if (status === 503) refused += 1;
      else if (status !== 200) failed += 1;
      if (status !== 200) return;
      screened += 1;
      const missing = ((json.warnings ?? []) as string[]).filter((text) => HISTORY_LEFT_OUT.test(text)).length;
      if (missing > 0) degraded += 1;
      leftOut += missing;
      // User, device and address, and the attributes that the account tracks.
      const sent = 'body' in intent ? (intent.body.custom_attributes as object) : {};
      histories += 2 + Object.keys(sent).length;
    },
    found: () => ({ screened, degraded, leftOut, refused, histories, failed }),
  };
}

const unlimited = { partition: Number.POSITIVE_INFINITY, table: Number.POSITIVE_INFINITY };

/** Capacity whose limits may change, and the DynamoDB that has it. */
function throttledTable(burstUnits: number) {
  let limits = unlimited;
  const buckets = (unitsPerSecond: () => number) =>
    tokenBuckets(
      () => performance.now(),
      () => ({ perSecond: unitsPerSecond(), burst: Math.max(burstUnits, unitsPerSecond()) }),
    );
  const capacity = {
    table: buckets(() => limits.table),
    writes: buckets(() => limits.partition),
    reads: buckets(() => (limits.partition * PARTITION_LIMIT.readUnits) / PARTITION_LIMIT.writeUnits),
  };
  return {
    ...throttle(() => capacity, scalesWithTraffic),
    limit(to: typeof limits): void {
      limits = to;
      for (const each of Object.values(capacity)) each.reset();
    },
  };
}

/** All items of entities, by their partition. */
async function entityItems({ admin }: LoadedStack): Promise<Map<string, EntityItem>> {
  const table = admin.tableNamed(undefined);
  const items = new Map<string, EntityItem>();
  let from: Parameters<typeof table.scan>[0];
  do {
    const page = await table.scan(from);
    for (const item of page.items) {
      const pk = String(item.pk?.S);
      if (pk.startsWith(`${PARTITION.entity}#`)) items.set(pk, item as EntityItem);
    }
    from = page.next;
  } while (from);
  return items;
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

async function runScene(scene: Scene, number: number, receiver: Receiver, options: ExperimentOptions): Promise<Found> {
  const { perSecond, seconds, warmUpSeconds, burstUnits = BURST_UNITS, isUnspread = false, say } = options;
  const model = simulate(scene);
  const rate = Math.min(scene.perSecond, perSecond);
  const scale = scene.perSecond / rate;
  // Functions choose shards by rates, which are as much smaller as the limits; at 0 nothing is ever hot.
  process.env.SPREADING_SCALE = String(isUnspread ? 0 : scale);
  const table = throttledTable(burstUnits);
  const accounts = Math.min(scene.accounts, MOST_ACCOUNTS);
  say(`${scene.name}: starting the stack with ${accounts} accounts`);
  const stack = await startStack('scale-experiment', accounts, { intercept: table.intercept });
  try {
    const [first] = stack.accounts;
    if (!first) throw new Error('No account');
    const response = await fetch(`${stack.run.url}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${first.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.urlFor(first.account_id), events: ['case.created'] }),
    });
    if (response.status !== 201) throw new Error(`No endpoint: ${response.status}`);
    const limits = {
      partition: PARTITION_LIMIT.writeUnits / scale,
      table: (TABLE_HEADROOM * model.writeUnitsPerSecond) / scale,
    };
    table.limit(limits);
    let tally = tallyOf();
    const keys = stack.accounts.map(({ key }) => key);
    const client = driver({ url: stack.run.url, keys, onDone: (done) => tally.onDone(done) });
    const intents = payments(scene, accounts, number);
    let lastMs = 0;
    const paced = (forSeconds: number, what: string) =>
      drive((intent) => client.make(intent), intents, {
        perSecond: rate,
        maxInFlight: IN_FLIGHT,
        isOver: (_started, elapsedMs) => elapsedMs >= forSeconds * 1000,
        onTick: ({ started, elapsedMs }) => {
          if (elapsedMs - lastMs < 10_000) return;
          lastMs = elapsedMs;
          const { degraded, refused } = tally.found();
          say(`${scene.name}, ${what}: ${started} sent, ${degraded} without a history, ${refused} refused`);
        },
      });
    say(`${scene.name}: 1:${Math.round(scale)}, ${limits.partition.toPrecision(3)} write units/s per partition`);
    await paced(warmUpSeconds, 'warming up');
    tally = tallyOf();
    lastMs = 0;
    const toldBefore = receiver.told.length;
    const { elapsedMs } = await paced(seconds, 'measuring');
    client.close();
    const errors = windowErrors(await entityItems(stack), Date.now());
    await delay(DRAIN_MS);
    const lags = receiver.told.slice(toldBefore).map(({ atMs = Number.NaN, body }) => {
      const { created_at } = JSON.parse(body) as { created_at: string };
      return atMs - Date.parse(created_at);
    });
    const { screened, degraded, leftOut, refused, histories, failed } = tally.found();
    say(
      `${scene.name}: throttled ${[...table.refused].map(([kind, times]) => `${kind} ${times}`).join(', ') || 'nothing'}`,
    );
    return {
      scene: scene.name,
      scale,
      perSecond: (screened + refused) / (elapsedMs / 1000),
      screenings: screened + refused,
      degraded: degraded / Math.max(1, screened),
      predictedDegraded: model.degraded,
      refused: refused / Math.max(1, screened + refused),
      predictedRefused: model.refusedCases * CASE_RATE,
      exact: 1 - leftOut / Math.max(1, histories),
      spread: errors.length,
      ...typicalError(errors),
      lagP95Ms: summary(lags).p95,
      otherFailures: failed,
    };
  } finally {
    await stack.run.stop();
  }
}

/** Runs the real stack into real throttling, scene by scene, each from an empty table. */
export async function runExperiment(options: ExperimentOptions): Promise<Found[]> {
  const root = join(__dirname, '../../../.local');
  mkdirSync(root, { recursive: true });
  const receiver = await startReceiver(join(root, 'scale-experiment.pem'), seededRandom(1), () => 0);
  // A busy machine must not be mistaken for a busy partition.
  process.env.TIME_BUDGET_FACTOR ??= '10';
  Object.assign(process.env, receiver.env);
  try {
    const results: Found[] = [];
    for (const [index, scene] of options.scenes.entries())
      results.push(await runScene(scene, index + 1, receiver, options));
    return results;
  } finally {
    await receiver.close();
  }
}

/** What an experiment found of a scene, beside what the model predicts. */
export interface Found {
  readonly scene: string;
  /** How many times smaller than the scene the traffic and the limits were. */
  readonly scale: number;
  readonly perSecond: number;
  readonly screenings: number;
  readonly degraded: number;
  readonly predictedDegraded: number;
  readonly refused: number;
  readonly predictedRefused: number;
  /** Share of updates of histories that were made. */
  readonly exact: number;
  /** Histories that were spread over shards at the end. */
  readonly spread: number;
  /** How far a screening is off that reads an hour of one of them, on average. */
  readonly windowError: number;
  /** How far it would be off by chance alone, because so few attempts are drawn for each shard. */
  readonly chanceError: number;
  readonly lagP95Ms: number;
  /** Neither 200 nor 503: should be none. */
  readonly otherFailures: number;
}

const percent = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.01 ? 2 : 1)}%`;

/** The table of an experiment. */
export const experimentRows = (scenes: readonly Found[]): string[][] => [
  [
    'scene',
    'scale',
    'screenings',
    'scored without a history',
    'model',
    'refused (503)',
    'model',
    'updates of histories made',
    'histories spread',
    'their hour is off by (by chance alone)',
    'webhook lag, p95',
  ],
  ...scenes.map((found) => [
    found.scene,
    `1:${Math.round(found.scale).toLocaleString('en-US')}`,
    `${found.screenings} at ${found.perSecond.toFixed(0)}/s`,
    percent(found.degraded),
    percent(found.predictedDegraded),
    percent(found.refused),
    percent(found.predictedRefused),
    percent(found.exact),
    String(found.spread),
    found.spread === 0 ? '–' : `${percent(found.windowError)} (${percent(found.chanceError)})`,
    Number.isFinite(found.lagP95Ms) ? `${Math.round(found.lagP95Ms).toLocaleString('en-US')} ms` : 'none sent',
  ]),
];
