import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Stage } from '../domain/stage';
import type { ScreeningObservation } from '../usecases/screen-subject';
import type { SweepReport } from '../usecases/sweep-cases';

export const METRIC_NAMESPACE = 'FraudScreening';

/** Prints what on-call wants to know of screenings, in CloudWatch's embedded format: no call, no extra latency. */
export function screeningMetrics(stage: Stage): (observation: ScreeningObservation) => void {
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE, serviceName: 'screening', defaultDimensions: { stage } });
  return ({ record, failed_signals }) => {
    metrics.addMetric('Screenings', MetricUnit.Count, 1);
    if (record.missing.length > 0) metrics.addMetric('DegradedScreenings', MetricUnit.Count, 1);
    if (failed_signals.length > 0) metrics.addMetric('FailedSignals', MetricUnit.Count, failed_signals.length);
    metrics.publishStoredMetrics();
  };
}

/** Prints what a sweep of cases did. */
export function sweepMetrics(stage: Stage): (report: SweepReport) => void {
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE, serviceName: 'cases', defaultDimensions: { stage } });
  return ({ swept, backlogAgeMs }) => {
    metrics.addMetric('CasesSwept', MetricUnit.Count, swept);
    metrics.addMetric('CaseBacklogAge', MetricUnit.Milliseconds, backlogAgeMs);
    metrics.publishStoredMetrics();
  };
}
