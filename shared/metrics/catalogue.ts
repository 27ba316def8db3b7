import { CASE_METRICS, INBOUND_METRICS, OUTCOME_SWEEP_METRICS } from './case-metrics';
import type { MetricDefinition, MetricGroup } from './define-metrics';
import { DELIVERY_ATTEMPT_METRICS, DELIVERY_SWEEP_METRICS, RELAY_METRICS } from './delivery-metrics';
import { OVERVIEW_METRICS } from './overview-metrics';
import { REQUEST_METRICS } from './request-metrics';
import { SCREENING_METRICS } from './screening-metrics';
import { INTELLIGENCE_METRICS, MODEL_FOLLOWING_METRICS, TRAINING_METRICS } from './training-metrics';

/** Every group of metrics. Functions import only the groups they emit, so that no bundle carries the others. */
const GROUPS = [
  REQUEST_METRICS,
  SCREENING_METRICS,
  CASE_METRICS,
  OUTCOME_SWEEP_METRICS,
  INBOUND_METRICS,
  RELAY_METRICS,
  DELIVERY_ATTEMPT_METRICS,
  DELIVERY_SWEEP_METRICS,
  MODEL_FOLLOWING_METRICS,
  INTELLIGENCE_METRICS,
  TRAINING_METRICS,
  OVERVIEW_METRICS,
] as const;

/** Every metric that our functions emit, by name: the source of the dashboard, the alarms and docs/observability.md. */
export const METRIC_CATALOGUE: Readonly<Record<string, MetricDefinition>> = Object.assign({}, ...GROUPS);

type NamesOf<Group> = Group extends MetricGroup<infer Name> ? Name : never;

export type MetricName = NamesOf<(typeof GROUPS)[number]>;
