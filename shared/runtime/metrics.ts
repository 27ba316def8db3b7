import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Stage } from '../domain/stage';
import type { ScreeningObservation } from '../usecases/screen-subject';

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
