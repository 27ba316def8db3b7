import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PriceList, type PriceName, priceOf } from '../../lib/prices';
import { DEFAULT_LABEL_WINDOW_DAYS } from '../../shared/domain/accounts/account';
import { ENTITY_LIFE_MS } from '../../shared/domain/entities/kind-spec';
import { TRAINING_RULE } from '../../shared/domain/models/training-rule';
import { WALK_EVERY_MS } from '../../shared/domain/personal-data/erasure';
import { SAMPLE_STANDS_FOR } from '../../shared/domain/screening/subjects/record-members';
import { RETENTION_MS } from '../../shared/domain/screening/subjects/screening-record';
import { DELIVERY_RETENTION_MS } from '../../shared/domain/webhooks/delivery';
import { LINK_LIFE_MS } from '../../shared/store/links/link-store';
import { AIM, autoScaled, days } from './auto-scaling';

export interface Workload {
  readonly screenings: number;
  readonly caseRate: number;
  readonly resolvedRate: number;
  readonly idempotencyRate: number;
  /** How often a user is screened while they are a customer: one screening in as many is somebody's first. */
  readonly screeningsPerUser: number;
  /** Reads of a result, profile, decision or case, per screening. */
  readonly readsPerScreening: number;
  readonly webhooksPerScreening: number;
  /** Outcomes of the processor, per screening: authorized or declined. @default none */
  readonly outcomesPerScreening?: number;
  /** The account's own counters that a screening adds to. @default none */
  readonly countersPerScreening?: number;
  /** Users who are erased; on different days, each is a walk through the table. @default nobody */
  readonly erasures?: number;
  /** Accounts with constant traffic: each calls the authorizer once per cache period. */
  readonly accounts: number;
  /** How long a screening takes in Lambda; not measurable on a laptop, so set it yourself. */
  readonly screeningMs: number;
  readonly receiverMs: number;
}

export interface Measured {
  /** Histories and result of a known user, without case and claim. */
  readonly screeningWriteUnits: number;
  /** Write units that a user's first screening adds: networks and familiarity. */
  readonly firstScreeningWriteUnits: number;
  /** Entities that a user's first screening links to them: devices, addresses, cards. */
  readonly linksOfFirstScreening: number;
  readonly screeningReadUnits: number;
  /** Endpoints that the relay looks up, per screening. */
  readonly relayReadUnits: number;
  readonly claimWriteUnits: number;
  /** Beyond the plain result that the case's transaction replaces. */
  readonly caseOpenedWriteUnits: number;
  readonly caseResolvedWriteUnits: number;
  readonly caseResolvedReadUnits: number;
  readonly readUnits: number;
  readonly caseListReadUnits: number;
  /** Outcomes from a processor: authorized, or a decline, which is written to every entity of the payment. */
  readonly authorizedWriteUnits: number;
  readonly declinedWriteUnits: number;
  readonly deliveryWriteUnits: number;
  readonly deliveryReadUnits: number;
  readonly screeningItemBytes: number;
  readonly historyEntryBytes: number;
  readonly caseItemsBytes: number;
  readonly labelItemBytes: number;
  readonly entityItemBytes: number;
  readonly logBytesPerRequest: number;
  readonly logLinesPerRequest: number;
  readonly answerBytes: number;
  readonly webhookBytes: number;
}

/** Resources of the template, per stage; read from it, see stack-inventory.ts. */
export interface Inventory {
  readonly busyFunctions: number;
  readonly memoryGb: number;
  /** Of the function that waits for webhook receivers. */
  readonly deliveryMemoryGb: number;
  /** Queues that invoke a function: Lambda polls them, also when they are empty. */
  readonly polledQueues: number;
  /** Months of custom metrics that receive values without any traffic, and of all in ordinary traffic. */
  readonly idleMetrics: number;
  readonly busyMetrics: number;
  readonly platformLogs: boolean;
  readonly detailedApiMetrics: number;
  readonly dashboards: number;
  readonly alarmMetrics: number;
  readonly compositeAlarms: number;
  readonly secrets: number;
  readonly keys: number;
  readonly distributions: number;
  readonly scheduledRunsPerMonth: number;
  readonly trainingRunsPerMonth: number;
  readonly trainingMemoryGb: number;
  readonly erasingMemoryGb: number;
  /** The table's capacity where it is paid by the hour; undefined where it is paid per request. */
  readonly provisioned?:
    | {
        readonly leastWriteUnits: number;
        /** Of the table, which scales, and of its indexes, which do not. */
        readonly leastReadUnits: number;
        readonly indexReadUnits: number;
        readonly alarmMetrics: number;
        /** The pace of training, and of walks. */
        readonly bulkReadsPerSecond: number;
      }
    | undefined;
  readonly relayBatchSize: number;
  /** Most records per call of the overview's tally, and how long they are collected. */
  readonly tallyBatchSize: number;
  readonly tallyWindowSeconds: number;
}

export interface BillLine {
  readonly service: string;
  readonly what: string;
  readonly quantity: number;
  readonly price: PriceName;
  readonly usd: number;
  readonly basis: string;
}

export const SECONDS_PER_MONTH = 730 * 3600;
const DAY_MS = 86_400_000;
const MONTH_MS = 1000 * SECONDS_PER_MONTH;
const GB = 1e9;
const QUEUE_BATCH = 10;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Quantities that are the same for everyone. */
const A = {
  // A revoked key remains valid for at most this long: lib/constructs/service-api.ts.
  authorizerCacheSeconds: 50,
  authorizerMs: 15,
  readMs: 10,
  // Lambda's own start and report lines in JSON format, and what CloudWatch adds to each line: docs of both.
  platformLogBytes: 620,
  // CPU of a run on 200,000 labels: docs/measurements.md.
  trainingSeconds: 95,
  // Logs and reads of a sweep or a training run without work.
  scheduledLogBytes: 450,
  scheduledReadUnits: 1,
  // Of a consistent read: docs of DynamoDB.
  readUnitBytes: 4_096,
  // Any copy is read for half a unit, unless somebody asked within the last minute: one run in 15, which are 15 minutes apart.
  walkUnitsPerRead: 0.5 + 0.5 / 15,
  platformLogLines: 2,
  bytesPerLogLine: 26,
  // A line of ACCESS_LOG in lib/constructs/service-api.ts.
  accessLogBytes: 215,
  logCompression: 0.15,
  // Lambda polls each shard four times per second: docs of event source mappings.
  streamPollSeconds: 0.25,
  // A transaction writes each item at twice its size: the shard's mark, and for each account its hour (0.8 kB with every
  // signal seen) and its day (up to 2 kB, with labels).
  tallyMarkWriteUnits: 2,
  tallyAccountWriteUnits: 6,
  // SQS: send, receive and delete; receive and delete go in batches of up to ten.
  queueRequestsPerMessage: 1.4,
  // Five connections for each queue, 20 s each: docs of event source mappings.
  queuePollsPerMonth: SECONDS_PER_MONTH / 4,
  // DynamoDB stores 100 bytes with every item for its own index; reads do not count them.
  itemOverheadBytes: 100,
  // Of two weeks of days and nights, see auto-scaling.ts.
  provisionedUtilization: autoScaled(days(14, 1)).utilization,
  retentionMonths: RETENTION_MS / MONTH_MS,
  labelMonths: (DEFAULT_LABEL_WINDOW_DAYS * DAY_MS) / MONTH_MS,
  deliveryMonths: DELIVERY_RETENTION_MS / MONTH_MS,
  // A message and its delivery, for the payloads of docs/webhook-verification.md.
  deliveryItemsBytes: 2_200,
  // A user is a customer for a year, and they and what they use are remembered for half a year more.
  customerMonths: 12,
  forgottenAfterMonths: ENTITY_LIFE_MS / MONTH_MS,
  // shared/store/counters: one item of below 1 KB per attempt that is counted; kept for a month, as if each had its own.
  counterWriteUnits: 1,
  counterBytes: 300,
  counterMonths: 1,
  // Of seven payments one is declined: bench/load/traffic.ts.
  declinedShare: 1 / 7,
  outcomeReadUnits: 3,
  linkBytes: 150,
  linkMonths: LINK_LIFE_MS / MONTH_MS,
  coldStartShare: 0.002,
  coldStartMs: 350,
  modelGb: 0.01,
} as const;
export const ASSUMPTIONS = A;

type Allowances = Readonly<Partial<Record<PriceName, number>>>;

/**
 * Allowances of AWS every month, for good (aws.amazon.com/free, always free); check it before you rely on it. Trials of a new
 * account are left out. An organization gets it once, for everything in it, so the bill names the total without it as well.
 */
export const ALLOWANCES: Allowances = {
  lambdaRequest: 1e6,
  lambdaGbSecond: 400_000,
  tableStorage: 25,
  queueRequest: 1e6,
  functionLogs: 5,
  metric: 10,
  dashboard: 3,
  alarmMetric: 10,
  keyRequest: 20_000,
  cdnRequest: 10e6,
  cdnTransfer: 1_000,
  transferOut: 100,
};

/** How many of equally busy accounts have records in a batch, on average. */
const distinctIn = (batch: number, accounts: number): number =>
  accounts === 0 ? 0 : Math.min(batch, accounts * (1 - (1 - 1 / accounts) ** batch));

function activity(load: Workload, stack: Inventory) {
  const { screenings } = load;
  const cases = screenings * load.caseRate;
  const resolved = cases * load.resolvedRate;
  const reads = screenings * load.readsPerScreening;
  // A person looks at the queue once per case.
  const lists = cases;
  const outcomes = screenings * (load.outcomesPerScreening ?? 0);
  const counted = screenings * (load.countersPerScreening ?? 0);
  const requests = screenings + reads + lists + resolved + outcomes;
  const webhooks = screenings * load.webhooksPerScreening;
  const cacheTimes = (load.accounts * SECONDS_PER_MONTH) / A.authorizerCacheSeconds;
  const authorizations = Math.min(requests, cacheTimes);
  // A reader that is not in the template does not read the stream.
  const batchOf = (gatheredSeconds: number, most: number): number =>
    most === 0 ? Number.POSITIVE_INFINITY : clamp((screenings / SECONDS_PER_MONTH) * gatheredSeconds, 1, most);
  const relays = screenings / batchOf(A.streamPollSeconds, stack.relayBatchSize);
  const tallyBatch = batchOf(stack.tallyWindowSeconds, stack.tallyBatchSize);
  const tallies = screenings / tallyBatch;
  const talliedAccounts = tallies === 0 ? 0 : tallies * distinctIn(tallyBatch, load.accounts);
  const dispatches = webhooks / clamp(webhooks / SECONDS_PER_MONTH, 1, QUEUE_BATCH);
  const firsts = screenings / Math.max(1, load.screeningsPerUser);
  const runs = requests + authorizations + relays + tallies + dispatches + stack.scheduledRunsPerMonth;
  return {
    ...{ screenings, cases, resolved, reads, lists, requests, webhooks, authorizations },
    ...{ relays, tallies, talliedAccounts, dispatches, runs, firsts, outcomes, counted },
  };
}

type Activity = ReturnType<typeof activity>;

function gbSeconds(load: Workload, did: Activity, stack: Inventory): number {
  const short =
    did.reads + did.lists + did.resolved + did.outcomes + did.relays + did.tallies + stack.scheduledRunsPerMonth;
  const milliseconds =
    did.screenings * load.screeningMs +
    short * A.readMs +
    did.authorizations * A.authorizerMs +
    did.runs * A.coldStartShare * A.coldStartMs;
  const waiting = did.dispatches * (load.receiverMs + A.readMs);
  return (milliseconds * stack.memoryGb + waiting * stack.deliveryMemoryGb) / 1000;
}

function tableUse(load: Workload, did: Activity, m: Measured, stack: Inventory) {
  const writes =
    did.screenings * (m.screeningWriteUnits + load.idempotencyRate * m.claimWriteUnits) +
    did.firsts * (m.firstScreeningWriteUnits + m.linksOfFirstScreening) +
    did.cases * m.caseOpenedWriteUnits +
    did.resolved * m.caseResolvedWriteUnits +
    did.webhooks * m.deliveryWriteUnits +
    did.counted * A.counterWriteUnits +
    did.outcomes * (A.declinedShare * m.declinedWriteUnits + (1 - A.declinedShare) * m.authorizedWriteUnits) +
    did.tallies * A.tallyMarkWriteUnits +
    did.talliedAccounts * A.tallyAccountWriteUnits;
  // Presumed to be honest, until somebody says otherwise.
  const samples = did.screenings / SAMPLE_STANDS_FOR;
  const labels = samples + did.resolved + did.outcomes;
  const entities = did.firsts * (1 + m.linksOfFirstScreening);
  const months = A.customerMonths + A.forgottenAfterMonths;
  const kept: ReadonlyArray<readonly [items: number, bytes: number]> = [
    [did.screenings * A.retentionMonths, m.screeningItemBytes],
    [did.cases * A.retentionMonths, m.caseItemsBytes],
    [labels * A.labelMonths, m.labelItemBytes],
    [did.webhooks * A.deliveryMonths, A.deliveryItemsBytes],
    [did.counted * A.counterMonths, A.counterBytes],
    [entities * months, m.entityItemBytes],
    [did.firsts * m.linksOfFirstScreening * A.linkMonths, A.linkBytes],
  ];
  const bytesWith = (overhead: number): number =>
    kept.reduce((sum, [items, bytes]) => sum + items * (bytes + overhead), 0);
  // By whole months, newest first, until there are enough.
  const rows = Math.min(labels * A.labelMonths, TRAINING_RULE.most_rows + labels);
  const training = stack.trainingRunsPerMonth * unitsOf(rows * m.labelItemBytes);
  const walks = Math.min(load.erasures ?? 0, MONTH_MS / WALK_EVERY_MS);
  const reads =
    did.screenings * (m.screeningReadUnits + m.relayReadUnits) +
    did.reads * m.readUnits +
    did.lists * m.caseListReadUnits +
    did.resolved * m.caseResolvedReadUnits +
    did.authorizations * 2 +
    did.webhooks * m.deliveryReadUnits +
    did.outcomes * A.outcomeReadUnits +
    did.tallies +
    stack.scheduledRunsPerMonth * A.scheduledReadUnits;
  return {
    ...{ writes, reads, training, trainedShare: Math.min(1, rows / TRAINING_RULE.most_rows) },
    walkUnits: walks * (A.walkUnitsPerRead / 0.5) * unitsOf(bytesWith(0)),
    tableGb: bytesWith(A.itemOverheadBytes) / GB,
    indexGb: (did.screenings * A.retentionMonths * (m.historyEntryBytes + A.itemOverheadBytes)) / GB,
  };
}

/** Read units of so many bytes, from any copy. */
const unitsOf = (bytes: number): number => (0.5 * bytes) / A.readUnitBytes;

/** Charges for reads and writes: per request, or by the hour for provisioned units, used or not. */
function throughput(
  { writes, reads, walkUnits, training, trainedShare }: ReturnType<typeof tableUse>,
  stack: Inventory,
) {
  const { provisioned, trainingMemoryGb, erasingMemoryGb } = stack;
  const trained = stack.trainingRunsPerMonth * A.trainingSeconds * trainedShare * trainingMemoryGb;
  if (provisioned === undefined) {
    return {
      writes,
      reads: reads + training,
      walkUnits,
      writeHours: 0,
      readHours: 0,
      bulkGbSeconds: trained,
      alarms: 0,
    };
  }
  const { leastWriteUnits, leastReadUnits, indexReadUnits, bulkReadsPerSecond, alarmMetrics: alarms } = provisioned;
  const hours = SECONDS_PER_MONTH / 3600;
  // Training ends before there is more for it, a walk does not.
  const walkSeconds = walkUnits / bulkReadsPerSecond;
  const quiet = Math.max(leastReadUnits, reads / SECONDS_PER_MONTH / AIM);
  const walking = Math.max(quiet, (reads / SECONDS_PER_MONTH + bulkReadsPerSecond) / AIM);
  return {
    ...{ writes: 0, reads: 0, walkUnits: 0, alarms },
    writeHours: Math.max(leastWriteUnits * hours, writes / 3600 / A.provisionedUtilization),
    readHours: (indexReadUnits + quiet) * hours + ((walking - quiet) * walkSeconds) / 3600,
    bulkGbSeconds: trained + (training / bulkReadsPerSecond) * trainingMemoryGb + walkSeconds * erasingMemoryGb,
  };
}

function observation(did: Activity, m: Measured, stack: Inventory) {
  const own = m.logBytesPerRequest + m.logLinesPerRequest * A.bytesPerLogLine;
  const platform = stack.platformLogs ? A.platformLogBytes + A.platformLogLines * A.bytesPerLogLine : 0;
  const scheduled = stack.scheduledRunsPerMonth * (A.scheduledLogBytes + A.bytesPerLogLine);
  const functionLogsGb = (did.requests * own + did.runs * platform + scheduled) / GB;
  const accessLogsGb = (did.requests * (A.accessLogBytes + A.bytesPerLogLine)) / GB;
  return { functionLogsGb, accessLogsGb, keptLogsGb: (functionLogsGb + accessLogsGb) * A.logCompression };
}

/** The month, line by line: from the workload, the measured quantities and the template's resources. */
export function monthlyBill(
  load: Workload,
  m: Measured,
  stack: Inventory,
  { allowances = ALLOWANCES, ...prices }: PriceList & { readonly allowances?: Allowances },
): readonly BillLine[] {
  const did = activity(load, stack);
  const use = tableUse(load, did, m, stack);
  const { tableGb, indexGb } = use;
  const { writes, reads, walkUnits, writeHours, readHours, bulkGbSeconds, alarms } = throughput(use, stack);
  const seen = observation(did, m, stack);
  const whenUsed = (quantity: number): number => (did.screenings > 0 ? quantity : 0);
  const whenDelivering = (quantity: number): number => (did.webhooks > 0 ? quantity : 0);
  // Everything else that the console loads is cached by browsers, and the same for every case.
  const consoleRequests = stack.distributions === 0 ? 0 : did.reads + did.lists + did.resolved;
  const messages = did.webhooks * A.queueRequestsPerMessage;
  const fiveMinutes = SECONDS_PER_MONTH / 300;
  const lines: ReadonlyArray<readonly [string, string, PriceName, number, string]> = [
    ['API Gateway', 'requests', 'apiRequest', did.requests, 'screenings, reads, case lists, resolutions, outcomes'],
    [
      'Lambda',
      'requests',
      'lambdaRequest',
      did.runs,
      'requests, authorizer once per cache period, relay, tally, dispatch, sweeps',
    ],
    ['Lambda', 'duration', 'lambdaGbSecond', gbSeconds(load, did, stack) + bulkGbSeconds, 'duration × memory'],
    [
      'DynamoDB',
      'writes',
      'tableWrite',
      writes,
      'histories, counters, results, claims, cases, outcomes, deliveries, overview',
    ],
    [
      'DynamoDB',
      'reads',
      'tableRead',
      reads,
      'networks, endpoints, reads, lists, resolutions, authorizations, training',
    ],
    [
      'DynamoDB',
      'erasure walks',
      'tableRead',
      walkUnits,
      'one per erasure, but at most one every six hours: the whole table',
    ],
    [
      'DynamoDB',
      'provisioned writes',
      'writeCapacity',
      writeHours,
      'the same writes, and what auto scaling leaves free',
    ],
    [
      'DynamoDB',
      'provisioned reads',
      'readCapacity',
      readHours,
      'as the template provisions, used or not, and more while a walk is on',
    ],
    [
      'DynamoDB',
      'storage',
      'tableStorage',
      tableGb + indexGb,
      'results, cases and their index for 90 days, labels and histories for 180, deliveries for 30',
    ],
    ['DynamoDB', 'point-in-time recovery', 'tableRecovery', tableGb, 'the same bytes, without the index'],
    ['DynamoDB', 'stream', 'streamRead', did.relays + did.tallies, 'read by Lambda'],
    [
      'SQS',
      'requests',
      'queueRequest',
      messages + stack.polledQueues * A.queuePollsPerMonth,
      'messages, and long polls of empty queues',
    ],
    ['SQS', 'fair queues', 'fairQueueRequest', messages, 'messages that name their endpoint'],
    ['CloudWatch', 'function logs', 'functionLogs', seen.functionLogsGb, 'our log lines and Lambda’s'],
    ['CloudWatch', 'access logs', 'accessLogs', seen.accessLogsGb, 'one line per request'],
    ['CloudWatch', 'kept logs', 'keptLogs', seen.keptLogsGb, '30 days, compressed'],
    [
      'CloudWatch',
      'custom metrics',
      'metric',
      did.screenings > 0 ? stack.busyMetrics : stack.idleMetrics,
      'by the hours in which they receive values',
    ],
    ['CloudWatch', 'API metrics', 'metric', whenUsed(stack.detailedApiMetrics), '5 per method while it is called'],
    ['CloudWatch', 'dashboards', 'dashboard', stack.dashboards, 'in the template'],
    ['CloudWatch', 'alarms', 'alarmMetric', stack.alarmMetrics + alarms, 'metrics that alarms watch'],
    ['CloudWatch', 'composite alarms', 'compositeAlarm', stack.compositeAlarms, 'in the template'],
    ['KMS', 'customer keys', 'key', stack.keys, 'in the template'],
    ['KMS', 'requests', 'keyRequest', whenUsed(stack.busyFunctions * fiveMinutes), 'once per busy role in 5 minutes'],
    ['Secrets Manager', 'secrets', 'secret', stack.secrets, 'in the template'],
    ['Secrets Manager', 'reads', 'secretRead', whenDelivering(fiveMinutes), 'kept in memory for 5 minutes'],
    ['S3', 'storage', 'bucketStorage', A.modelGb, 'models'],
    ['S3', 'reads', 'bucketRead', did.runs * A.coldStartShare, 'at most one per cold start'],
    ['CloudFront', 'requests', 'cdnRequest', consoleRequests, 'reads, lists and resolutions, as if all in the console'],
    ['CloudFront', 'transfer', 'cdnTransfer', (consoleRequests * m.answerBytes) / GB, 'their answers'],
    ['EventBridge', 'schedules', 'schedule', stack.scheduledRunsPerMonth, 'sweeps'],
    [
      'Data transfer',
      'out',
      'transferOut',
      (did.requests * m.answerBytes + did.webhooks * m.webhookBytes) / GB,
      'answers and webhooks',
    ],
  ];
  return lines.map(([service, what, price, quantity, basis]) => ({
    service,
    what,
    price,
    quantity,
    basis,
    usd: priceOf(prices[price], Math.max(0, quantity - (allowances[price] ?? 0))),
  }));
}

export const totalOf = (lines: readonly BillLine[]): number => lines.reduce((sum, { usd }) => sum + usd, 0);

/** Written by `npm run load -- --save`. */
export const MEASURED_FILE = join(__dirname, 'measured.json');

const file = JSON.parse(readFileSync(MEASURED_FILE, 'utf8')) as {
  readonly measured: string;
  readonly quantities: Measured;
};

export const measured: Measured = file.quantities;
export const measuredWhen: string = file.measured;
