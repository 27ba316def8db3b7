import { logLoss } from '../../../shared/domain/models/evaluation/calibration';
import { auc } from '../../../shared/domain/models/evaluation/ranking-curve';
import type { TrainSettings } from './train-settings';

/** Remembers the best point of training, as measured on held-out rows. */
export interface HoldoutWatch {
  /** Looks at the scores after `trees` trees; true when it is time to stop. */
  look(scores: Float64Array, trees: number): boolean;
  readonly best: { readonly trees: number; readonly value: number };
  /** The metric after each tree. */
  readonly history: readonly number[];
}

/** Uses the metric from the settings; with a single class AUC is undefined, so log loss is used. */
export function holdoutWatch(labels: Uint8Array, settings: TrainSettings): HoldoutWatch {
  const ones = labels.reduce((sum, label) => sum + label, 0);
  const isAuc = settings.metric === 'auc' && ones > 0 && ones < labels.length;
  const best = { trees: 0, value: isAuc ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY };
  const history: number[] = [];
  return {
    best,
    history,
    look(scores, trees) {
      const value = isAuc ? auc(scores, labels) : logLoss(scores.map(chanceOf), labels);
      history.push(value);
      if (isAuc ? value > best.value : value < best.value) {
        best.trees = trees;
        best.value = value;
      }
      const patience = settings.early_stopping_round;
      return patience > 0 && trees - best.trees >= patience;
    },
  };
}

const chanceOf = (score: number): number => 1 / (1 + Math.exp(-score));
