import { defineMetrics } from './define-metrics';

const SCREENERS = ['screen-transaction', 'screen-event'] as const;

/** How well screening functions keep up with the registry. */
export const MODEL_FOLLOWING_METRICS = defineMetrics({
  ModelRefreshFailures: {
    unit: 'Count',
    emitters: SCREENERS,
    sparse: 'rare',
    tells: 'Looks at the registry that failed, or found a model that does not load; the last good one stays in force.',
  },
});
