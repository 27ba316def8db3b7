import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSchedule } from '../../local/events/schedule-expression';
import { METRIC_CATALOGUE } from '../../shared/metrics/catalogue';
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

/** Tests a cron expression against every minute of thirty days. */
function runsPerMonth(expression: string): number {
  const schedule = parseSchedule(expression);
  if (schedule.kind === 'rate') return MONTH_MS / schedule.periodMs;
  const start = Date.parse('2026-11-01T00:00:00Z');
  const minutes = Array.from({ length: 30 * 24 * 60 }, (_, minute) => new Date(start + minute * MINUTE_MS));
  return minutes.filter((minute) => schedule.matches(minute)).length;
}

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

/**
 * The metrics of the catalogue: those that scheduled functions send without any traffic, unless the template has them
 * keep silent, and all that a busy stage sends. A metric by model version is two while a model is in shadow.
 */
function metricsOf(functions: Resources): Pick<Inventory, 'idleMetrics' | 'busyMetrics'> {
  const isSilent = functions.some(({ Properties }) => Properties.Environment?.Variables?.SCHEDULED_METRICS === 'off');
  const all = Object.values(METRIC_CATALOGUE);
  const heard = all.filter(({ emitters }) => !isSilent || emitters.some((name) => !SCHEDULED.includes(name)));
  const idle = all.filter(({ emitters, sparse }) => !sparse && emitters.some((name) => SCHEDULED.includes(name)));
  return {
    idleMetrics: isSilent ? 0 : idle.length,
    busyMetrics: heard.reduce((sum, { by }) => sum + (by ? 2 : 1), 0),
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
  // Without a rule of its own, a stage is sampled by X-Ray's default: the first request of each second, and 5%.
  const [sampling] = ofType('AWS::XRay::SamplingRule').map(({ Properties }) => Properties.SamplingRule);
  const rules = ofType('AWS::Events::Rule').filter(({ Properties }) => Properties.ScheduleExpression);
  return {
    functions: functions.length,
    ...metricsOf(functions),
    polledQueues: queues.length,
    tracedShare: sampling?.FixedRate ?? 0.05,
    tracedPerSecond: sampling?.ReservoirSize ?? 1,
    platformLogs: functions.some(({ Properties }) => {
      const { LogFormat, SystemLogLevel } = Properties.LoggingConfig ?? {};
      return LogFormat === 'JSON' && SystemLogLevel !== 'WARN';
    }),
    memoryGb: usualMemory(functions) / 1024,
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
    scheduledRunsPerMonth: sum(rules.map(({ Properties }) => runsPerMonth(Properties.ScheduleExpression))),
    relayBatchSize: batchSizeOf(relay),
    tallyBatchSize: batchSizeOf(tally),
    tallyWindowSeconds: tally?.Properties.MaximumBatchingWindowInSeconds ?? 0,
  };
}

/** The resources of a stack in a synthesized assembly. */
export function resourcesIn(assembly: string, stack: string): Resources {
  const template = JSON.parse(readFileSync(join(assembly, `${stack}.template.json`), 'utf8'));
  return Object.values(template.Resources);
}
