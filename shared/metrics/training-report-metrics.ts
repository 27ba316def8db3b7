import type { TrainingOutcome, TrainingReport } from '../usecases/models/training-report';
import { type MetricValue, metricValues } from './define-metrics';
import { TRAINING_METRICS } from './training-metrics';

const REFUSED: ReadonlySet<TrainingOutcome> = new Set(['candidate_refused', 'shadow_refused', 'shadow_overdue']);

/** The metric values of one run; unknown ones are not sent. */
export function trainingReportMetrics(report: TrainingReport): MetricValue[] {
  const { outcome, labels, champion_auc, champion_age_ms, score_drift, held, is_better } = report;
  return metricValues(TRAINING_METRICS, {
    TrainingRuns: 1,
    LabelsHeld: held.reduce((sum, { status, labels: count }) => sum + (status === 'held' ? count : 0), 0),
    ShadowsStarted: Number(outcome === 'shadow_started'),
    Promotions: Number(outcome === 'promoted'),
    ModelsRefused: Number(REFUSED.has(outcome)),
    BetterModelsRefused: Number(is_better && REFUSED.has(outcome)),
    ...(labels === null ? {} : { LabelsSinceTraining: labels.since_training }),
    ...(champion_auc === null ? {} : { ChampionAuc: champion_auc }),
    ...(champion_age_ms === null ? {} : { ChampionAge: Math.round(champion_age_ms / 1_000) }),
    ...(score_drift === null ? {} : { ScoreDrift: score_drift }),
  });
}
