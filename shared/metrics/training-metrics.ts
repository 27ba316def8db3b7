import type { TrainingOutcome, TrainingReport } from '../usecases/models/training-report';
import { defineMetrics, type MetricValue, metricValues } from './define-metrics';

const TRAINER = ['train-model'] as const;

export const TRAINING_METRICS = defineMetrics(TRAINER, {
  TrainingRuns: { tells: 'Training runs that came to an end, whatever they did.' },
  LabelsSinceTraining: { tells: 'Labels by people that came since a model was last trained.' },
  LabelsHeld: {
    tells:
      'Labels that contradict the rest and do not teach until somebody has looked: `npm run model -- labels list`.',
  },
  ShadowsStarted: { tells: '1 when a new model began to run in shadow, else 0.' },
  Promotions: { tells: '1 when a model became champion by the rule, else 0.' },
  ModelsRefused: {
    tells: '1 when a model lost to the champion, on the newest labels or in shadow, or met no traffic in time; else 0.',
  },
  BetterModelsRefused: { sparse: 'rare', tells: '1 when a refused model finds clearly more fraud than the champion.' },
  ChampionAuc: {
    unit: 'None',
    sparse: true,
    tells: 'How well the champion ranks the newest labels, 0.5 to 1; not sent while there are too few.',
  },
  ChampionAge: {
    unit: 'Seconds',
    sparse: true,
    tells: 'How long the champion has been in force; not sent for the base model.',
  },
  ScoreDrift: {
    unit: 'None',
    sparse: true,
    tells:
      'How far the scores of the newest rows are from those the champion was evaluated with: above 0.25 they differ.',
  },
});

const SCREENERS = ['screen-transaction', 'screen-event'] as const;

export const MODEL_FOLLOWING_METRICS = defineMetrics(SCREENERS, {
  ModelRefreshFailures: {
    sparse: 'rare',
    tells: 'Looks at the registry that failed, or found a model that does not load; the last good one stays in force.',
  },
});

/** How current it is what screening functions know offline of addresses and domains. */
export const INTELLIGENCE_METRICS = defineMetrics(SCREENERS, {
  IntelligenceAge: {
    unit: 'None',
    sparse: true,
    tells:
      'Days since the oldest of the essential sources of the current table was made, or, if it ships, last checked for a newer edition; at every look at the bucket.',
  },
  IntelligenceRefreshFailures: {
    sparse: 'rare',
    tells: 'Looks at the bucket that failed, or found a table that is not sound; the last good one stays in use.',
  },
});

const REFUSED: ReadonlySet<TrainingOutcome> = new Set(['candidate_refused', 'shadow_refused', 'shadow_overdue']);

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
