import type { StackResource, Stacks } from '../template/resolve-stack';
import { evaluateMath } from './metric-math';
import type { MetricStore, Points, Range } from './metric-store';

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** Whether a composite alarm goes off, given the states of the others by name or ARN. */
export type AlarmRule = (stateOf: (alarm: string) => AlarmState) => boolean;

const TOKEN = /\s*(\(|\)|AND\b|OR\b|NOT\b|TRUE\b|FALSE\b|(?:ALARM|OK|INSUFFICIENT_DATA)\("[^"]+"\))/y;

/** Reads the rule of a composite alarm: `ALARM("a") AND (NOT OK("b") OR ALARM("c"))`. */
export function parseAlarmRule(source: string): AlarmRule {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.trimEnd().length) {
    const match = TOKEN.exec(source);
    if (!match?.[1]) throw new Error(`the alarm rule ${source} cannot be read`);
    tokens.push(match[1]);
  }
  let at = 0;
  const take = (): string => {
    const token = tokens[at];
    if (token === undefined) throw new Error(`the alarm rule ${source} ends too early`);
    at += 1;
    return token;
  };

  const primary = (): AlarmRule => {
    const token = take();
    if (token === 'NOT') {
      const inner = primary();
      return (stateOf) => !inner(stateOf);
    }
    if (token === 'TRUE' || token === 'FALSE') return () => token === 'TRUE';
    if (token === '(') {
      const inner = either();
      if (take() !== ')') throw new Error(`the alarm rule ${source} lacks a parenthesis`);
      return inner;
    }
    const [, state, alarm = ''] = /^(\w+)\("([^"]+)"\)$/.exec(token) ?? [];
    if (!state) throw new Error(`the alarm rule ${source} cannot be read at ${token}`);
    return (stateOf) => stateOf(alarm) === state;
  };
  const chain = (word: string, next: () => AlarmRule, combine: (a: boolean, b: boolean) => boolean): AlarmRule => {
    let left = next();
    while (tokens[at] === word) {
      at += 1;
      const [before, after] = [left, next()];
      left = (stateOf) => combine(before(stateOf), after(stateOf));
    }
    return left;
  };
  const both = (): AlarmRule => chain('AND', primary, (a, b) => a && b);
  const either = (): AlarmRule => chain('OR', both, (a, b) => a || b);

  const rule = either();
  if (at < tokens.length) throw new Error(`the alarm rule ${source} continues after its end`);
  return rule;
}

export interface AlarmStatus {
  readonly name: string;
  readonly arn: string;
  readonly state: AlarmState;
  readonly description: string;
}

interface Dimension {
  readonly Name: string;
  readonly Value: string;
}

interface MetricStat {
  readonly Metric: {
    readonly Namespace: string;
    readonly MetricName: string;
    readonly Dimensions?: readonly Dimension[];
  };
  readonly Period: number;
  readonly Stat: string;
}

interface AlarmProperties {
  readonly AlarmName: string;
  readonly AlarmDescription?: string;
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Dimensions?: readonly Dimension[];
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Period?: number;
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: MetricStat;
    readonly ReturnData?: boolean;
  }[];
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm?: number;
  readonly TreatMissingData?: string;
}

const COMPARE: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanThreshold: (value, threshold) => value > threshold,
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
  LessThanOrEqualToThreshold: (value, threshold) => value <= threshold,
};

const pointsOf = (store: MetricStore, { Metric: metric, Stat: stat }: MetricStat, range: Range): Points => {
  const dimensions = Object.fromEntries((metric.Dimensions ?? []).map(({ Name, Value }) => [Name, Value]));
  return store.points({ namespace: metric.Namespace, name: metric.MetricName, dimensions }, stat, range);
};

/** An alarm on metric math has its period on its metrics. */
const periodMsOf = ({ Period: period, Metrics: metrics = [] }: AlarmProperties): number =>
  1_000 * (period ?? metrics.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period ?? 60);

/** The values that an alarm evaluates, period by period, latest last. */
function datapoints(store: MetricStore, alarm: AlarmProperties, nowMs: number): Points {
  const metrics = alarm.Metrics ?? [];
  const single: MetricStat | undefined = alarm.MetricName
    ? {
        Metric: { Namespace: alarm.Namespace ?? '', MetricName: alarm.MetricName, Dimensions: alarm.Dimensions ?? [] },
        Stat: alarm.Statistic ?? alarm.ExtendedStatistic ?? 'Average',
        Period: alarm.Period ?? 60,
      }
    : undefined;
  const periodMs = periodMsOf(alarm);
  const length = alarm.EvaluationPeriods;
  const range = { fromMs: nowMs - length * periodMs, toMs: nowMs, periodMs };
  if (single) return pointsOf(store, single, range);
  const series = (id: string): Points => {
    const query = metrics.find(({ Id }) => Id === id);
    if (query?.MetricStat) return pointsOf(store, query.MetricStat, range);
    if (!query?.Expression) throw new Error(`${alarm.AlarmName} refers to ${id}, which is not defined`);
    const value = evaluateMath(query.Expression, {
      series,
      metrics: (containing) =>
        metrics.flatMap(({ Id, MetricStat }) =>
          MetricStat && Id.includes(containing) ? [pointsOf(store, MetricStat, range)] : [],
        ),
      periodMs,
      length,
    });
    if (typeof value === 'number') return Array.from({ length }, () => value);
    if ('list' in value) throw new Error(`${alarm.AlarmName} watches more than one series`);
    return value;
  };
  return series(metrics.find(({ ReturnData }) => ReturnData !== false)?.Id ?? '');
}

/** Alarms on DynamoDB metrics keep their state while data is missing, regardless of their settings. */
const missingDataOf = (alarm: AlarmProperties): string => {
  const namespaces = [alarm.Namespace, ...(alarm.Metrics ?? []).map(({ MetricStat }) => MetricStat?.Metric.Namespace)];
  return namespaces.includes('AWS/DynamoDB') ? 'ignore' : (alarm.TreatMissingData ?? 'missing');
};

function metricState(store: MetricStore, alarm: AlarmProperties, nowMs: number, before: AlarmState): AlarmState {
  const compare = COMPARE[alarm.ComparisonOperator];
  if (!compare)
    throw new Error(`${alarm.AlarmName} uses ${alarm.ComparisonOperator}, which the local run does not support`);
  const points = datapoints(store, alarm, nowMs);
  const missing = missingDataOf(alarm);
  if (points.every((point) => point === undefined)) {
    if (missing === 'missing') return 'INSUFFICIENT_DATA';
    if (missing === 'ignore') return before;
  }
  const bad = points.filter((point) =>
    point === undefined ? missing === 'breaching' : compare(point, alarm.Threshold),
  );
  return bad.length >= (alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods) ? 'ALARM' : 'OK';
}

/**
 * The current states of all alarms in the template, including composite ones. Each starts as INSUFFICIENT_DATA until its
 * first evaluation: an alarm that treats missing data as breaching is red from its creation on.
 */
export function alarmStates(stacks: Stacks, store: MetricStore) {
  const alarms = stacks.ofType('AWS::CloudWatch::Alarm');
  const composites = stacks.ofType('AWS::CloudWatch::CompositeAlarm').map((resource) => ({
    resource,
    rule: parseAlarmRule(String(resource.properties.AlarmRule)),
  }));
  const states = new Map<string, AlarmState>();
  const stateOf = (name: string): AlarmState => states.get(name) ?? 'INSUFFICIENT_DATA';

  return (nowMs: number): readonly AlarmStatus[] => {
    const statusOf = (resource: StackResource, state: AlarmState): AlarmStatus => {
      const { AlarmName: name, AlarmDescription: description } = resource.properties;
      states.set(resource.attribute('Arn'), state);
      states.set(String(name), state);
      return { name: String(name), arn: resource.attribute('Arn'), description: String(description ?? ''), state };
    };
    const simple = alarms.map((resource) => {
      const alarm = resource.properties as unknown as AlarmProperties;
      return statusOf(resource, metricState(store, alarm, nowMs, stateOf(alarm.AlarmName)));
    });
    const combined = composites.map(({ resource, rule }) => statusOf(resource, rule(stateOf) ? 'ALARM' : 'OK'));
    return [...simple, ...combined];
  };
}
