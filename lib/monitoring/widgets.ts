import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  AlarmState,
  AlarmStatusWidget,
  AlarmStatusWidgetSortBy,
  ComparisonOperator,
  CompositeAlarm,
  GraphWidget,
  GraphWidgetView,
  type HorizontalAnnotation,
  type IMetric,
  type IWidget,
  MathExpression,
  Metric,
  type MetricProps,
  SingleValueWidget,
  TextWidget,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Decision } from '../../shared/domain/screening/decide';
import type { Stage } from '../../shared/domain/stage';
import type { MetricName } from '../../shared/metrics/catalogue';
import { type AttemptResult, attemptNumber } from '../../shared/metrics/delivery-metrics';
import { decisionNumber } from '../../shared/metrics/screening-metrics';
import { METRIC_NAMESPACE, STAGE_DIMENSION } from '../../shared/runtime/embedded-metrics';

/** `page` wakes someone up; `ticket` waits until morning; `part` notifies nobody and only feeds another alarm. */
export type Severity = 'page' | 'ticket' | 'part';

export interface AlarmBookProps {
  readonly stage: Stage;
  readonly topics: { readonly pages: ITopic; readonly tickets: ITopic };
  /** Address of docs/runbook.md, as people reach it. */
  readonly runbook: string;
}

export interface WatchProps {
  /** @default ticket */
  readonly severity?: Severity;
  /** The problem, in one sentence, for the notification email. */
  readonly says: string;
  readonly metric: IMetric;
  /** One of the two: the limit. */
  readonly above?: number;
  readonly below?: number;
  /** How many of how many periods must breach. @default [3, 5]: one bad minute is not an incident */
  readonly datapoints?: readonly [bad: number, of: number];
  /**
   * Whether silence is as bad as a breach. @default false
   *
   * Such an alarm notifies when it goes from OK to INSUFFICIENT_DATA. If missing data breached instead, the alarm would be
   * red from its creation until its metric first arrives.
   */
  readonly silenceIsBad?: boolean;
  /** For a part of another alarm, which may be red all day: silence counts as a breach. @default false */
  readonly breachesWhenSilent?: boolean;
  /** The section of the runbook. @default the alarm's own id */
  readonly section?: string;
}

/** Every alarm of a stage: its name, whom it notifies, and its section of the runbook. */
export class AlarmBook extends Construct {
  readonly telling: AlarmBase[] = [];

  constructor(
    scope: Construct,
    id: string,
    private readonly props: AlarmBookProps,
  ) {
    super(scope, id);
  }

  /** An alarm on a metric; `scope`, if it belongs into another stack than the book. */
  watch(id: string, { metric, above, below, ...how }: WatchProps, scope: Construct = this): Alarm {
    const [bad, of] = how.datapoints ?? [3, 5];
    const alarm = new Alarm(scope, id, {
      ...this.texts(id, how),
      metric,
      threshold: above ?? below ?? 0,
      comparisonOperator:
        below === undefined ? ComparisonOperator.GREATER_THAN_THRESHOLD : ComparisonOperator.LESS_THAN_THRESHOLD,
      datapointsToAlarm: bad,
      evaluationPeriods: of,
      treatMissingData: missingData(how),
    });
    if (how.silenceIsBad) alarm.addInsufficientDataAction(this.action(how.severity));
    return this.enter(alarm, how.severity);
  }

  /** An alarm on other alarms: all of them at once, or any. */
  combine(id: string, how: Pick<WatchProps, 'severity' | 'says'>, mode: 'allOf' | 'anyOf', parts: readonly Alarm[]) {
    const rules = parts.map((part) => AlarmRule.fromAlarm(part, AlarmState.ALARM));
    const { alarmName, alarmDescription } = this.texts(id, how);
    const alarm = new CompositeAlarm(this, id, {
      compositeAlarmName: alarmName,
      alarmDescription,
      alarmRule: AlarmRule[mode](...rules),
    });
    return this.enter(alarm, how.severity);
  }

  private texts(id: string, { says, severity, section = id }: Pick<WatchProps, 'says' | 'severity' | 'section'>) {
    const { stage, runbook } = this.props;
    const what = severity === 'part' ? 'Part of another alarm' : severity === 'page' ? 'Act now' : 'Act today';
    return {
      alarmName: `fraud-screening-${stage}-${id}`,
      alarmDescription: `${what}: ${says} Runbook: ${runbook}#${section}`,
    };
  }

  private action(severity?: Severity): SnsAction {
    const { pages, tickets } = this.props.topics;
    return new SnsAction(severity === 'page' ? pages : tickets);
  }

  private enter<T extends AlarmBase>(alarm: T, severity?: Severity): T {
    if (severity === 'part') return alarm;
    this.telling.push(alarm);
    const action = this.action(severity);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  }
}

function missingData({ silenceIsBad, breachesWhenSilent }: Partial<WatchProps>): TreatMissingData {
  if (silenceIsBad) return TreatMissingData.MISSING;
  return breachesWhenSilent ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING;
}

export const periodName = (period: Duration): string =>
  period.toMinutes() < 60 ? `${period.toMinutes()}m` : `${period.toHours()}h`;

export const COLOUR = {
  good: '#2e9e6b',
  doubtful: '#e2a336',
  bad: '#d64545',
  first: '#3f6fd1',
  second: '#7b5bd6',
  third: '#c95fb4',
  fourth: '#2a9db0',
  quiet: '#8b95a5',
} as const;

export interface GraphProps {
  readonly left: readonly IMetric[];
  readonly right?: readonly IMetric[];
  readonly limits?: readonly HorizontalAnnotation[];
  readonly stacked?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly max?: number;
  readonly min?: number;
}

const DASHBOARD_WIDTH = 24;

/** A graph over time; its title is a question, and its limits are drawn. */
export const graph = (title: string, props: GraphProps): IWidget =>
  new GraphWidget({
    title,
    left: [...props.left],
    right: [...(props.right ?? [])],
    leftAnnotations: [...(props.limits ?? [])],
    leftYAxis: { min: props.min ?? 0, showUnits: false, ...(props.max === undefined ? {} : { max: props.max }) },
    rightYAxis: { min: 0, showUnits: false },
    stacked: props.stacked ?? false,
    width: props.width ?? DASHBOARD_WIDTH / 3,
    height: props.height ?? 6,
    period: Duration.minutes(1),
    liveData: true,
  });

export const bars = (title: string, metrics: readonly IMetric[], width: number, height: number): IWidget =>
  new GraphWidget({
    title,
    left: [...metrics],
    view: GraphWidgetView.BAR,
    setPeriodToTimeRange: true,
    width,
    height,
    period: Duration.minutes(1),
  });

export const singleValue = (title: string, metric: IMetric, width: number): IWidget =>
  new SingleValueWidget({ title, metrics: [metric], sparkline: true, width, height: 3, period: Duration.minutes(1) });

export const alarmRow = (title: string, alarms: readonly AlarmBase[], height: number): IWidget[][] => {
  const sortBy = AlarmStatusWidgetSortBy.STATE_UPDATED_TIMESTAMP;
  const widget = () => new AlarmStatusWidget({ title, alarms: [...alarms], sortBy, width: DASHBOARD_WIDTH, height });
  return alarms.length > 0 ? [[widget()]] : [];
};

export const heading = (markdown: string): IWidget => new TextWidget({ markdown, width: DASHBOARD_WIDTH, height: 1 });

export const limit = (value: number, label: string): HorizontalAnnotation => ({ value, label, color: COLOUR.bad });

const between = (low: number, high: number): string => `${low - 0.5}:${high + 0.5}`;

type Options = Partial<Omit<MetricProps, 'namespace' | 'metricName' | 'dimensionsMap' | 'statistic'>>;

export class StageMetrics {
  constructor(
    readonly stage: Stage,
    private readonly apiName: string,
  ) {}

  ours(metricName: MetricName, statistic: string, options: Options = {}): Metric {
    const dimensionsMap = { [STAGE_DIMENSION]: this.stage };
    return new Metric({ namespace: METRIC_NAMESPACE, metricName, dimensionsMap, statistic, ...options });
  }

  screenings(options: Options = {}): Metric {
    return this.ours('Decisions', 'SampleCount', options);
  }

  /** Screenings with this decision, by the score or by a rule. */
  decided(decision: Decision): Metric {
    return this.ours('Decisions', `TC(${between(decisionNumber(decision), decisionNumber(decision, true))})`);
  }

  decidedByRule(decision: Decision): Metric {
    const number = decisionNumber(decision, true);
    return this.ours('Decisions', `TC(${between(number, number)})`);
  }

  /** Percent of screenings with this decision or a worse one. Alarms take percentile ranks, but not trimmed counts. */
  percentFrom(decision: Decision): Metric {
    return this.ours('Decisions', `PR(${decisionNumber(decision) - 0.5}:)`);
  }

  /** Delivery attempts with this result; `retry`: retries only. */
  attempted(result: AttemptResult, which: 'all' | 'retry' = 'all'): Metric {
    const [first, retry] = [attemptNumber(result), attemptNumber(result, true)];
    return this.ours('DeliveryAttempts', `TC(${between(which === 'retry' ? retry : first, retry)})`);
  }

  /** The gateway's metrics over all routes; free, unlike its metrics per method. */
  gateway(metricName: 'Count' | '4XXError' | '5XXError' | 'Latency', statistic: string, options: Options = {}): Metric {
    const dimensionsMap = { ApiName: this.apiName, Stage: this.stage };
    return new Metric({ namespace: 'AWS/ApiGateway', metricName, dimensionsMap, statistic, ...options });
  }
}

export const math = (
  expression: string,
  usingMetrics: Record<string, Metric | MathExpression>,
  period: Duration = Duration.minutes(1),
  label?: string,
): MathExpression => new MathExpression({ expression, usingMetrics, period, ...(label ? { label } : {}) });

export interface Look {
  readonly label: string;
  readonly color: string;
}

/** A unique id for a metric within its graph; it must start with a lower-case letter. */
const idOf = ({ metricName }: Metric): string => `m${metricName.replace(/\W/g, '')}`;

export function perSecond(metric: Metric, look: Look): MathExpression {
  const id = idOf(metric);
  return math(`${id} / PERIOD(${id})`, { [id]: metric }).with(look);
}

/** A metric in another unit; the average of a 0-or-1 metric times 100 is a percentage. */
export function scaled(factor: string, metric: Metric, look: Look): MathExpression {
  const id = idOf(metric);
  return math(`${factor} * ${id}`, { [id]: metric }).with(look);
}
