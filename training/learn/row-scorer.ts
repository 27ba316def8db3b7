import { DEFAULT_SETTINGS } from '../../shared/domain/account';
import type { ModelArtefact } from '../../shared/domain/model/model-artefact';
import { openModel } from '../../shared/domain/model/scoring-model';
import { compileStoredSignals } from '../../shared/domain/screening/compile-signals';
import { score } from '../../shared/domain/screening/score';
import { SIGNALS } from '../../shared/domain/screening/signals';
import { observedOf, type TrainingRow, vectorOf } from './training-row';

/** The signals that hold for a stored vector. */
export const storedSignals = compileStoredSignals(SIGNALS);

/** What a model makes of a stored row: the very score that screening would have given. */
export interface RowScore {
  readonly risk_score: number;
  readonly probability: number;
}

/** Scores stored rows by a model, or by signals alone; the thresholds only matter to forced reviews. */
export function rowScorer(artefact: ModelArtefact | undefined): (row: TrainingRow) => RowScore {
  const model = artefact && openModel(artefact);
  return (row) => {
    const vector = vectorOf(row);
    const fired = storedSignals(vector);
    return score(fired, DEFAULT_SETTINGS, model?.opinion(vector, { observed: observedOf(row) }, fired));
  };
}
