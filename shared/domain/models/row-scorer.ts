import { DEFAULT_SETTINGS } from '../accounts/account';
import { compileStoredSignals } from '../screening/compile-signals';
import { score } from '../screening/score';
import { SIGNALS } from '../screening/signals';
import type { ModelArtefact } from './model-artefact';
import { openModel } from './scoring-model';
import { observedOf, type TrainingRow, vectorOf } from './training-row';

/** The signals that hold for a stored vector. */
export const storedSignals = compileStoredSignals(SIGNALS);

/** A model's score of a stored row: the same score that screening would have given. */
export interface RowScore {
  readonly risk_score: number;
  readonly probability: number;
}

/**
 * Scores stored rows by a model, or by signals alone; accounts that the model does not serve by `base`. The thresholds
 * only matter for forced reviews.
 */
export function rowScorer(artefact: ModelArtefact | undefined, base?: ModelArtefact): (row: TrainingRow) => RowScore {
  const model = artefact && openModel(artefact, base && openModel(base));
  return (row) => {
    const vector = vectorOf(row);
    const fired = storedSignals(vector);
    const facts = { observed: observedOf(row), account_id: row.account_id };
    return score(fired, DEFAULT_SETTINGS, model?.opinion(vector, facts, fired));
  };
}
