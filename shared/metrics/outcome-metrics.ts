import { defineMetrics } from './define-metrics';

export const OUTCOME_SWEEP_METRICS = defineMetrics({
  HeldOutcomesApplied: {
    unit: 'Count',
    emitters: ['sweep-cases'],
    sparse: 'rare',
    tells: 'Outcomes that waited for their reference and were applied by this sweep.',
  },
});

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
