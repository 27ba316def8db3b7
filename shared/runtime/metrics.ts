import type { Stage } from '../domain/stage';
import type { ScreeningObservation } from '../usecases/screen-subject';
import type { SweepReport } from '../usecases/sweep-cases';
import { systemClock } from './clock';
import { writeLine } from './logger';

export const METRIC_NAMESPACE = 'FraudScreening';

/** A figure and what it counts in. */
type Metric = readonly [name: string, unit: 'Count' | 'Milliseconds', value: number];

/** Prints figures in CloudWatch's embedded metric format: no call, no extra latency. */
function publish(stage: Stage, service: string, metrics: readonly Metric[]): void {
  writeLine({
    _aws: {
      Timestamp: systemClock.now(),
      CloudWatchMetrics: [
        {
          Namespace: METRIC_NAMESPACE,
          Dimensions: [['stage', 'service']],
          Metrics: metrics.map(([Name, Unit]) => ({ Name, Unit })),
        },
      ],
    },
    stage,
    service,
    ...Object.fromEntries(metrics.map(([name, , value]) => [name, value])),
  });
}

/** What on-call wants to know of screenings. */
export const screeningMetrics =
  (stage: Stage) =>
  ({ record, failed_signals }: ScreeningObservation): void =>
    publish(stage, 'screening', [
      ['Screenings', 'Count', 1],
      ['DegradedScreenings', 'Count', record.missing.length > 0 ? 1 : 0],
      ['FailedSignals', 'Count', failed_signals.length],
    ]);

/** What a sweep of cases did. */
export const sweepMetrics =
  (stage: Stage) =>
  ({ swept, backlogAgeMs }: SweepReport): void =>
    publish(stage, 'cases', [
      ['CasesSwept', 'Count', swept],
      ['CaseBacklogAge', 'Milliseconds', backlogAgeMs],
    ]);
