import { modelMetrics } from '../../../shared/domain/models/evaluation/model-metrics';
import type { CrossValidation } from '../../../shared/domain/models/model-artefact';
import { rowScorer } from '../../../shared/domain/models/row-scorer';
import type { TrainingRow } from '../../../shared/domain/models/training-row';
import { type TrainModelOptions, trainModel } from './train-model';

/** With fewer frauds than this, the newest fifth has too few to evaluate on: every row but the oldest is evaluated in turn. */
export const FEW_FRAUDS = 200;
/** Fewer frauds than this on either side of a cut teach or prove nothing. */
const LEAST_FRAUD_OF_FOLD = 5;
const MOST_FOLDS = 5;

/*
 * Folds have equally many frauds each and follow each other in time. Each but the first is scored by a model that learnt
 * from everything before it, as it would have been in production:
 *
 *   │ fold 1    │ fold 2    │ fold 3    │ fold 4    │ fold 5    │
 *   ├── learn ──┼── test ───┤
 *   ├──────── learn ────────┼── test ───┤
 *   ├────────────── learn ──────────────┼── test ───┤              …
 */

/**
 * How good a model trained this way is on rows it had not seen, where there is too little fraud to hold any out: the scores
 * of all folds together. Undefined with fewer than ten frauds, or if all earlier rows are of one kind.
 */
export function crossValidate(rows: readonly TrainingRow[], options: TrainModelOptions): CrossValidation | undefined {
  const ordered = [...rows].sort((a, b) => a.screened_at_ms - b.screened_at_ms);
  const cuts = foldEnds(ordered);
  const quietly = { ...options, measured: { worth_tracking: [] } };
  const tested: TrainingRow[] = [];
  const scores: number[] = [];
  const probabilities: number[] = [];
  let folds = 0;
  cuts.slice(0, -1).forEach((cut, fold) => {
    const earlier = ordered.slice(0, cut);
    if (earlier.every(({ label }) => label === 1)) return;
    const scoreOf = rowScorer(trainModel(earlier, quietly).artefact);
    for (const row of ordered.slice(cut, cuts[fold + 1])) {
      const { risk_score, probability } = scoreOf(row);
      tested.push(row);
      scores.push(risk_score);
      probabilities.push(probability);
    }
    folds++;
  });
  const labels = Uint8Array.from(tested, ({ label }) => label);
  if (!labels.includes(1) || !labels.includes(0)) return undefined;
  return { folds, ...modelMetrics({ scores, probabilities, labels }) };
}

/** Where each fold ends, each with the same number of frauds; the last ends with the rows. */
function foldEnds(rows: readonly TrainingRow[]): number[] {
  const frauds = rows.flatMap(({ label }, at) => (label === 1 ? [at] : []));
  const folds = Math.min(MOST_FOLDS, Math.floor(frauds.length / LEAST_FRAUD_OF_FOLD));
  return Array.from({ length: folds }, (_, fold) =>
    fold === folds - 1 ? rows.length : (frauds[Math.round(((fold + 1) * frauds.length) / folds) - 1] as number) + 1,
  );
}
