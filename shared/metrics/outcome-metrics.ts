import { defineMetrics } from './define-metrics';

/** Metrics of the sweep that applies outcomes whose reference has become known, every minute. */
export const OUTCOME_SWEEP_METRICS = defineMetrics({
  HeldOutcomesApplied: {
    unit: 'Count',
    emitters: ['sweep-outcomes'],
    tells: 'Outcomes that waited for their reference and were applied by this sweep.',
  },
});
