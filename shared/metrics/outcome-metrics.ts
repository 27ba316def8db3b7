import { defineMetrics } from './define-metrics';

/** Metrics of the sweep that applies outcomes whose reference has become known, every five minutes. */
export const OUTCOME_SWEEP_METRICS = defineMetrics({
  HeldOutcomesApplied: {
    unit: 'Count',
    emitters: ['sweep-cases'],
    sparse: 'rare',
    tells: 'Outcomes that waited for their reference and were applied by this sweep.',
  },
});

/** Metrics of what payment processors send. */
export const INBOUND_METRICS = defineMetrics({
  InboundOutcomes: {
    unit: 'Count',
    emitters: ['outcomes'],
    sparse: 'rare',
    tells: 'Outcomes that payment processors reported, repeats included.',
  },
  InboundSetAside: {
    unit: 'Count',
    emitters: ['outcomes'],
    sparse: 'rare',
    tells: 'Verified notifications that could not be read and were set aside.',
  },
});
