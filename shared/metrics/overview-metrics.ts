import type { RuleShare } from '../domain/overview/rule-share';
import type { TallyReport } from '../usecases/overview/tally-changes';
import { defineMetrics, type MetricValue, metricValues } from './define-metrics';

const TALLY = ['tally-overview'] as const;

export const OVERVIEW_METRICS = defineMetrics(TALLY, {
  ChangesSkipped: {
    sparse: 'rare',
    tells: 'Changes that could not be counted at all: the overview is that much too low.',
  },
  RuleShare: {
    unit: 'None',
    sparse: true,
    tells:
      'The largest share of an account’s screenings, in percent, that one rule decided in the current quarter of an hour; sent where a rule decided any of at least 100.',
  },
});

export const tallyMetrics = ({ skipped }: TallyReport, share: RuleShare | undefined): MetricValue[] =>
  metricValues(OVERVIEW_METRICS, {
    ChangesSkipped: skipped,
    ...(share ? { RuleShare: share.percent } : {}),
  });
