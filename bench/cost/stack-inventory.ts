import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSchedule } from '../../local/events/schedule-expression';
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
  const rules = ofType('AWS::Events::Rule').filter(({ Properties }) => Properties.ScheduleExpression);
  return {
    functions: functions.length,
    memoryGb: Math.max(...functions.map(({ Properties }) => Properties.MemorySize ?? 128)) / 1024,
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
