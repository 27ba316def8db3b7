import { defineMetrics } from './define-metrics';

export const CASE_METRICS = defineMetrics(['sweep-cases'], {
  CaseBacklogAge: { unit: 'Seconds', tells: 'How late the most overdue case was when the sweep came to it.' },
  OpenCases: { tells: 'Cases of all accounts that wait for an analyst.' },
  OldestCaseAge: { unit: 'Seconds', tells: 'How long the oldest open case has waited.' },
});

export const OUTCOME_SWEEP_METRICS = defineMetrics(['sweep-cases'], {
  HeldOutcomesApplied: {
    sparse: 'rare',
    tells: 'Outcomes that waited for their reference and were applied by this sweep.',
  },
});

export const INBOUND_METRICS = defineMetrics(['outcomes'], {
  InboundOutcomes: { sparse: 'rare', tells: 'Outcomes that payment processors reported, repeats included.' },
  InboundSetAside: { sparse: 'rare', tells: 'Verified notifications that could not be read and were set aside.' },
});
