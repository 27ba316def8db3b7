import type { TallyReport } from '../usecases/overview/tally-changes';
import { defineMetrics, type MetricValue, metricValues } from './define-metrics';

const TALLY = ['tally-overview'] as const;

/** Metrics of counting for the overview, for every batch of the stream. */
export const OVERVIEW_METRICS = defineMetrics({
  ChangesCounted: { unit: 'Count', emitters: TALLY, tells: 'Screenings and labels that went into the overview.' },
  ChangesSkipped: {
    unit: 'Count',
    emitters: TALLY,
    tells: 'Changes that could not be counted at all: the overview is that much too low.',
  },
});

export const tallyMetrics = ({ counted, skipped }: TallyReport): MetricValue[] =>
  metricValues(OVERVIEW_METRICS, { ChangesCounted: counted, ChangesSkipped: skipped });
