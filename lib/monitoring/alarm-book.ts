import type { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';

/** `page` wakes someone up; `ticket` waits until morning; `part` notifies nobody and only feeds another alarm. */
export type Severity = 'page' | 'ticket' | 'part';

export interface AlarmBookProps {
  readonly stage: Stage;
  readonly topics: { readonly pages: ITopic; readonly tickets: ITopic };
  /** Address of docs/runbook.md, as people reach it. */
  readonly runbook: string;
}

export interface WatchProps {
  readonly severity: Severity;
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

  private action(severity: Severity): SnsAction {
    const { pages, tickets } = this.props.topics;
    return new SnsAction(severity === 'page' ? pages : tickets);
  }

  private enter<T extends AlarmBase>(alarm: T, severity: Severity): T {
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
