import { joinStacks, readStackTemplates } from '../../lib/stack-templates';
import { parseSchedule } from '../../local/events/schedules';
import { METRIC_CATALOGUE } from '../../shared/metrics/catalogue';
import type { MetricDefinition } from '../../shared/metrics/define-metrics';
import { ROUTES } from '../../shared/routes';
import { functionOf } from '../../shared/routes/define-route';
import type { Inventory } from './monthly-bill';

interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is whatever CloudFormation says it is.
  readonly Properties?: any;
}
type Resources = readonly Resource[];

const MINUTE_MS = 60_000;
const MONTH_MS = 730 * 60 * MINUTE_MS;
const METRICS_PER_METHOD = 5;

const runsPerMonth = (expression: string): number => MONTH_MS / parseSchedule(expression);

function alarmMetrics(alarm: Resource): number {
  const metrics: Array<{ MetricStat?: unknown }> = alarm.Properties.Metrics ?? [{ MetricStat: alarm.Properties }];
  return metrics.filter(({ MetricStat }) => MetricStat !== undefined).length;
}

/** The memory that most functions have: training has more, but runs four times per day, not for every request. */
function usualMemory(functions: Resources): number {
  const sizes = functions.map(({ Properties }): number => Properties.MemorySize ?? 128).sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)] ?? 0;
}

const SCHEDULED: readonly string[] = ['sweep-cases', 'sweep-deliveries', 'train-model'];
const TRAINER = 'train-model';
const HOURS_PER_MONTH = MONTH_MS / (60 * MINUTE_MS);

/**
 * Custom metrics, in months: CloudWatch charges for the hours in which a metric receives values. Scheduled functions send
 * theirs without any traffic, unless the template has them keep silent; training runs in few hours; what is rare is sent in
 * none. A metric by model version is one: screenings name the champion, and two only in an hour in which it changes.
 */
function metricsOf(functions: Resources, trainingRuns: number): Pick<Inventory, 'idleMetrics' | 'busyMetrics'> {
  const isSilent = functions.some(({ Properties }) => Properties.Environment?.Variables?.SCHEDULED_METRICS === 'off');
  const usual = Object.values(METRIC_CATALOGUE).filter(({ sparse }) => sparse !== 'rare');
  const monthsOf = ({ emitters }: MetricDefinition): number =>
    emitters.every((name) => name === TRAINER) ? Math.min(1, trainingRuns / HOURS_PER_MONTH) : 1;
  const sum = (metrics: readonly MetricDefinition[]): number =>
    metrics.reduce((total, metric) => total + monthsOf(metric), 0);
  const heard = usual.filter(({ emitters }) => !isSilent || emitters.some((name) => !SCHEDULED.includes(name)));
  const idle = usual.filter(({ emitters, sparse }) => !sparse && emitters.some((name) => SCHEDULED.includes(name)));
  return { idleMetrics: isSilent ? 0 : sum(idle), busyMetrics: sum(heard) };
}

/** Operations that a shop and its analysts call all day; the others, such as managing rules, are a few calls per week. */
const DAILY: readonly string[] = [
  ...['screen-transaction', 'screen-event', 'get-transaction', 'get-decision', 'get-risk-profile'],
  ...['list-cases', 'get-case', 'resolve-case', 'review-decision'],
];

/** Functions that are called all day: those of daily operations, the authorizer, and all that run without a request. */
function isBusy({ Properties: { Description = '' } }: Resource): boolean {
  const bundle = String(Description).split(': ')[1];
  const routes = ROUTES.filter((route) => functionOf(route) === bundle);
  if (bundle === undefined || bundle === 'afd') return false;
  return routes.length === 0 || routes.some(({ operation }) => DAILY.includes(operation));
}

// Auto scaling makes them for each capacity that it scales: two on what is used, two on what is provisioned.
const ALARMS_PER_POLICY = 4;

/** The table's capacity, if it is paid by the hour. */
function provisionedOf(ofType: (type: string) => Resources, erases: Resource | undefined): Inventory['provisioned'] {
  const table = ofType('AWS::DynamoDB::GlobalTable').find(({ Properties: p }) => p?.BillingMode === 'PROVISIONED');
  if (table === undefined) return undefined;
  const { GlobalSecondaryIndexes: indexes, Replicas: replicas } = table.Properties;
  type Part = Resource['Properties'];
  const least = ({ WriteProvisionedThroughputSettings: writes }: Part): number =>
    writes.WriteCapacityAutoScalingSettings.MinCapacity;
  const scaledReads = ({ ReadProvisionedThroughputSettings: reads }: Part): number =>
    reads.ReadCapacityAutoScalingSettings?.MinCapacity ?? 0;
  const fixedReads = ({ ReadProvisionedThroughputSettings: reads }: Part): number => reads.ReadCapacityUnits ?? 0;
  const written = [table.Properties, ...indexes];
  const read: readonly Part[] = replicas.flatMap((replica: Part) => [replica, ...replica.GlobalSecondaryIndexes]);
  const sum = (of: readonly Part[], value: (part: Part) => number): number =>
    of.reduce((all, part) => all + value(part), 0);
  const policies = written.length + read.filter((part) => scaledReads(part) > 0).length;
  return {
    leastWriteUnits: sum(written, least),
    leastReadUnits: sum(read, scaledReads),
    indexReadUnits: sum(read, fixedReads),
    alarmMetrics: ALARMS_PER_POLICY * policies,
    bulkReadsPerSecond: Number(erases?.Properties.Environment.Variables.READ_UNITS_PER_SECOND),
  };
}

/** Counts what a stack's template creates that is billed just for existing, or that affects the cost of use. */
export function inventoryOf(resources: Resources): Inventory {
  const ofType = (type: string): Resources => resources.filter(({ Type }) => Type === type);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const functions = ofType('AWS::Lambda::Function');
  const isMetered = ofType('AWS::ApiGateway::Stage').some(({ Properties }) =>
    Properties.MethodSettings?.some((settings: { MetricsEnabled?: boolean }) => settings.MetricsEnabled),
  );
  const streams = ofType('AWS::Lambda::EventSourceMapping').filter(({ Properties }) => Properties.StartingPosition);
  // The tally is the reader that has a tumbling window (ADR 0011).
  const [tally] = streams.filter(({ Properties }) => Properties.TumblingWindowInSeconds);
  const [relay] = streams.filter(({ Properties }) => !Properties.TumblingWindowInSeconds);
  const batchSizeOf = (reader: Resource | undefined): number => (reader ? (reader.Properties.BatchSize ?? 100) : 0);
  const queues = ofType('AWS::Lambda::EventSourceMapping').filter(({ Properties }) => !Properties.StartingPosition);
  const rules = ofType('AWS::Events::Rule').filter(({ Properties }) => Properties.ScheduleExpression);
  const training = rules.filter(({ Properties }) => JSON.stringify(Properties.Targets ?? '').includes('TrainModel'));
  const runs = (of: Resources): number => sum(of.map(({ Properties }) => runsPerMonth(Properties.ScheduleExpression)));
  const called = (name: string) =>
    functions.find(({ Properties }) => String(Properties.Description).endsWith(`: ${name}`));
  const memoryOf = (name: string): number => (called(name)?.Properties.MemorySize ?? 128) / 1024;
  const memoryGb = usualMemory(functions) / 1024;
  return {
    busyFunctions: functions.filter(isBusy).length,
    ...metricsOf(functions, runs(training)),
    polledQueues: queues.length,
    platformLogs: functions.some(({ Properties }) => {
      const { LogFormat, SystemLogLevel } = Properties.LoggingConfig ?? {};
      return LogFormat === 'JSON' && SystemLogLevel !== 'WARN';
    }),
    memoryGb,
    deliveryMemoryGb: called('deliver-webhook') ? memoryOf('deliver-webhook') : memoryGb,
    trainingMemoryGb: memoryOf(TRAINER),
    erasingMemoryGb: memoryOf('erase-users'),
    detailedApiMetrics: isMetered
      ? METRICS_PER_METHOD *
        ofType('AWS::ApiGateway::Method').filter(({ Properties }) => Properties.HttpMethod !== 'ANY').length
      : 0,
    dashboards: ofType('AWS::CloudWatch::Dashboard').length,
    alarmMetrics: sum(ofType('AWS::CloudWatch::Alarm').map(alarmMetrics)),
    compositeAlarms: ofType('AWS::CloudWatch::CompositeAlarm').length,
    secrets: ofType('AWS::SecretsManager::Secret').length,
    keys: ofType('AWS::KMS::Key').length,
    distributions: ofType('AWS::CloudFront::Distribution').length,
    scheduledRunsPerMonth: runs(rules),
    trainingRunsPerMonth: runs(training),
    provisioned: provisionedOf(ofType, called('erase-users')),
    relayBatchSize: batchSizeOf(relay),
    tallyBatchSize: batchSizeOf(tally),
    tallyWindowSeconds: tally?.Properties.MaximumBatchingWindowInSeconds ?? 0,
  };
}

export function resourcesIn(assembly: string, stack: string): Resources {
  const { Resources: resources = {} } = joinStacks(readStackTemplates(assembly, stack));
  return Object.values(resources) as Resources;
}
