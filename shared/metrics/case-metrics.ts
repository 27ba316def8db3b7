import { defineMetrics } from './define-metrics';

export const CASE_METRICS = defineMetrics({
  CaseBacklogAge: {
    unit: 'Seconds',
    emitters: ['sweep-cases'],
    tells: 'How late the most overdue case was when the sweep came to it.',
  },
  OpenCases: { unit: 'Count', emitters: ['sweep-cases'], tells: 'Cases of all accounts that wait for an analyst.' },
  OldestCaseAge: { unit: 'Seconds', emitters: ['sweep-cases'], tells: 'How long the oldest open case has waited.' },
});
