import { priceOf, US_EAST_1 } from '../../lib/prices';
import { type Inventory, measured, monthlyBill, SECONDS_PER_MONTH, totalOf, type Workload } from '../cost/monthly-bill';
import { PARTITION_LIMIT } from '../load/capacity-meter';
import { CASE_RATE, countersOf, type KeyLoad, type Scene, simulate } from './simulate';

/** A default AWS quota in us-east-1; most can be raised on request. */
export interface Quota {
  readonly name: string;
  readonly limit: number;
  readonly unit: string;
  readonly beyond: string;
  readonly source: string;
}

export const QUOTAS = {
  apiRequests: {
    name: 'API Gateway requests',
    limit: 10_000,
    unit: '/s',
    beyond: '429 rate_limited, for every account in the region',
    source: 'API Gateway quotas: 10,000 requests per second per region, burst 5,000',
  },
  lambdaConcurrency: {
    name: 'Lambda concurrent executions',
    limit: 1_000,
    unit: '',
    beyond: '503 unavailable',
    source: 'Lambda quotas: 1,000 concurrent executions per region',
  },
  tableWrites: {
    name: 'DynamoDB write units per table',
    limit: 40_000,
    unit: '/s',
    beyond: 'histories are left out, then 503',
    source: 'DynamoDB quotas: 40,000 write request units per table (on demand)',
  },
  newTableWrites: {
    name: 'write units of a new table',
    limit: 4_000,
    unit: '/s',
    beyond: 'the same, until DynamoDB has split its partitions',
    source: 'DynamoDB on-demand: 4,000 write units initially, then twice the last peak',
  },
  queueInFlight: {
    name: 'SQS messages in flight',
    limit: 120_000,
    unit: '',
    beyond: 'webhooks wait; nothing is lost',
    source: 'SQS quotas: 120,000 in flight per standard queue',
  },
} as const satisfies Record<string, Quota>;

export const SCENES: readonly Scene[] = [
  { name: '10/s, a shop', perSecond: 10, accounts: 1, usersPerAccount: 200_000 },
  { name: '1,000/s, 50 shops', perSecond: 1_000, accounts: 50, usersPerAccount: 500_000 },
  { name: '1,000/s, one account', perSecond: 1_000, accounts: 1, usersPerAccount: 10_000_000 },
  { name: '100,000/s, 1,000 shops', perSecond: 100_000, accounts: 1_000, usersPerAccount: 2_000_000 },
  { name: '100,000/s, one account', perSecond: 100_000, accounts: 1, usersPerAccount: 500_000_000 },
];

const SCREENING_SECONDS = 0.025;
const AUTHORIZER_SECONDS = 0.015;
const AUTHORIZER_CACHE_SECONDS = 50;
const WEBHOOKS_PER_SCREENING = 0.1;
const RECEIVER_SECONDS = 0.2;
const SLOWEST_RECEIVER_SECONDS = 10;
const REQUESTS_PER_SCREENING = 1.14;

/** Only usage: fixed costs are the same at any scale. */
const NOTHING_FIXED: Inventory = {
  busyFunctions: 0,
  memoryGb: 1,
  deliveryMemoryGb: 0.5,
  detailedApiMetrics: 0,
  dashboards: 0,
  alarmMetrics: 0,
  compositeAlarms: 0,
  secrets: 0,
  keys: 0,
  distributions: 0,
  polledQueues: 0,
  idleMetrics: 0,
  busyMetrics: 0,
  platformLogs: false,
  scheduledRunsPerMonth: 0,
  trainingRunsPerMonth: 0,
  trainingMemoryGb: 0,
  erasingMemoryGb: 0,
  relayBatchSize: 100,
  tallyBatchSize: 1000,
  tallyWindowSeconds: 60,
};

function costOf({ perSecond, accounts }: Scene, { folding }: KeyLoad) {
  const load: Workload = {
    screenings: perSecond * SECONDS_PER_MONTH,
    caseRate: CASE_RATE,
    resolvedRate: 0.9,
    idempotencyRate: 1,
    screeningsPerUser: 30,
    readsPerScreening: 0.1,
    webhooksPerScreening: WEBHOOKS_PER_SCREENING,
    accounts,
    screeningMs: SCREENING_SECONDS * 1000,
    receiverMs: RECEIVER_SECONDS * 1000,
  };
  const folds =
    priceOf(US_EAST_1.tableWrite, folding.writeUnits * SECONDS_PER_MONTH) +
    priceOf(US_EAST_1.tableRead, folding.readUnits * SECONDS_PER_MONTH);
  const total = totalOf(monthlyBill(load, measured, NOTHING_FIXED, { ...US_EAST_1, allowances: {} })) + folds;
  return { perMonth: total, perMillion: (total / load.screenings) * 1e6 };
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const short = (value: number): string => (value >= 100 ? whole(value) : String(Number(value.toPrecision(2))));
const share = (value: number): string => {
  if (value === 0) return '0';
  return value < 0.00005 ? '< 0.01%' : `${(100 * value).toFixed(value < 0.01 ? 2 : 1)}%`;
};

export function needs({ perSecond, accounts }: Scene, { writeUnitsPerSecond }: KeyLoad) {
  const requests = perSecond * REQUESTS_PER_SCREENING;
  const webhooks = perSecond * WEBHOOKS_PER_SCREENING;
  return {
    apiRequests: requests,
    lambdaConcurrency:
      requests * SCREENING_SECONDS +
      (accounts / AUTHORIZER_CACHE_SECONDS) * AUTHORIZER_SECONDS +
      (webhooks * RECEIVER_SECONDS) / 10,
    tableWrites: writeUnitsPerSecond,
    newTableWrites: writeUnitsPerSecond,
    queueInFlight: webhooks * RECEIVER_SECONDS,
  } satisfies Record<keyof typeof QUOTAS, number>;
}

/** By user, by card and by the category of what is bought. */
const COUNTED_BY = ['user', 'attribute.card_fingerprint', 'attribute.category'];

function counterRow(scene: Scene): string[] {
  const { writeUnits, hottest, spread, readUnits, uncounted } = countersOf(scene, COUNTED_BY);
  const each = (units: number, price: Parameters<typeof priceOf>[0]): number =>
    (priceOf(price, units * SECONDS_PER_MONTH) / (scene.perSecond * SECONDS_PER_MONTH)) * 1e6;
  const more = each(writeUnits, US_EAST_1.tableWrite) + each(readUnits, US_EAST_1.tableRead);
  return [scene.name, whole(writeUnits), short(hottest), whole(spread), share(uncounted), `$${more.toFixed(2)}`];
}

type Rows = ReadonlyArray<readonly string[]>;

/** All tables of docs/scale.md, by name: each has one row per scene, or one row per quota. */
export function scaleTables(scenes = SCENES): Readonly<Record<'keys' | 'quotas' | 'costs' | 'counters', Rows>> {
  const seen = scenes.map((scene) => ({ scene, load: simulate(scene) }));
  const hottest = ({ hottestByKind }: KeyLoad): string =>
    [...hottestByKind]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 3)
      .map(([kind, units]) => `${kind} ${short(units)}`)
      .join(', ');
  const keys = seen.map(({ scene, load }) => [
    scene.name,
    whole(load.writeUnitsPerSecond),
    whole(Math.max(1, Math.ceil(load.writeUnitsPerSecond / PARTITION_LIMIT.writeUnits))),
    hottest(load),
    String(load.hot.length),
    load.spread.entities === 0 ? '0' : `${whole(load.spread.entities)} over ${whole(load.spread.shards)} shards`,
    share(load.degraded),
    share(load.refusedCases),
  ]);
  const quotas = Object.entries(QUOTAS).map(([name, { name: title, limit, unit }]) => [
    `${title}: ${whole(limit)}${unit}`,
    ...seen.map(({ scene, load }) => {
      const need = needs(scene, load)[name as keyof typeof QUOTAS];
      return need > limit ? `**${short(need)}**` : short(need);
    }),
  ]);
  const slow = seen.map(({ scene }) => short(scene.perSecond * WEBHOOKS_PER_SCREENING * SLOWEST_RECEIVER_SECONDS));
  const costs = seen.map(({ scene, load }) => {
    const { perMonth, perMillion } = costOf(scene, load);
    return [scene.name, `$${whole(perMonth)}`, `$${perMillion.toFixed(2)}`];
  });
  return {
    keys: [
      [
        'scene',
        'write units/s',
        'minimum partitions',
        'hottest keys, units/s',
        'keys over 1,000/s',
        'histories spread',
        'screenings scored without a history',
        'case screenings refused (503)',
      ],
      ...keys,
    ],
    quotas: [
      ['default quota', ...scenes.map(({ name }) => name)],
      ...quotas,
      ['messages in flight if every receiver takes 10 s', ...slow],
    ],
    costs: [['scene', 'per month, usage only', 'per million'], ...costs],
    counters: [
      [
        'scene',
        'write units/s more',
        'attempts/s of the hottest',
        'spread',
        'attempts not counted',
        'per million, more',
      ],
      ...scenes.map((scene) => counterRow(scene)),
    ],
  };
}
