import { DEFAULT_SETTINGS } from '../accounts/account';
import { compileStoredSignals } from '../screening/compile-signals';
import { type ModelOpinion, PROBABILITY_SHIFT, score } from '../screening/score';
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
  /** The same by a model that was trained on labels alone, before signals add what no label has confirmed or refuted. @default no such model */
  readonly model_probability?: number | undefined;
}

/**
 * Scores stored rows by a model, or by signals alone; accounts that the model does not serve by `base`. The thresholds
 * only matter for forced reviews.
 */
export function rowScorer(artefact: ModelArtefact | undefined, base?: ModelArtefact): (row: TrainingRow) => RowScore {
  const model = artefact && openModel(artefact, base && openModel(base, undefined, false), false);
  return (row) => {
    const vector = vectorOf(row);
    const fired = storedSignals(vector);
    const facts = { observed: observedOf(row), account_id: row.account_id };
    const opinion = model?.opinion(vector, facts, fired);
    const { risk_score, probability } = score(fired, DEFAULT_SETTINGS, opinion);
    return { risk_score, probability, model_probability: opinion && probabilityOf(opinion) };
  };
}

const probabilityOf = ({ base_log_odds, log_odds }: ModelOpinion): number | undefined =>
  base_log_odds === undefined ? undefined : 1 / (1 + Math.exp(PROBABILITY_SHIFT - base_log_odds - log_odds));
