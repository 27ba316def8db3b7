import { CASE_METRICS } from './case-metrics';
import type { MetricDefinition } from './define-metrics';
import { ATTEMPT_METRICS, DELIVERY_SWEEP_METRICS, RELAY_METRICS } from './delivery-metrics';
import { MODEL_FOLLOWING_METRICS } from './model-metrics';
import { REQUEST_METRICS } from './request-metrics';
import { SCREENING_METRICS, SIGNAL_METRICS } from './screening-metrics';

/** Every group of metrics; functions import the group they print, so that no bundle carries the others. */
const GROUPS = [
  REQUEST_METRICS,
  SCREENING_METRICS,
  SIGNAL_METRICS,
  CASE_METRICS,
  RELAY_METRICS,
  ATTEMPT_METRICS,
  DELIVERY_SWEEP_METRICS,
  MODEL_FOLLOWING_METRICS,
] as const;

/** Every metric that our functions print, by name: the source of the dashboard, the alarms and docs/observability.md. */
export const METRIC_CATALOGUE: Readonly<Record<string, MetricDefinition>> = Object.assign({}, ...GROUPS);

/** The name of a metric with a row of its own; those of signals come from the signals. */
export type MetricName =
  | keyof typeof REQUEST_METRICS
  | keyof typeof SCREENING_METRICS
  | keyof typeof CASE_METRICS
  | `Signal.${string}`;
