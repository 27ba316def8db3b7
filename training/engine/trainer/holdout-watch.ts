import { logLoss } from '../../../shared/domain/models/evaluation/calibration';
import { auc } from '../../../shared/domain/models/evaluation/ranking-curve';
import type { TrainSettings } from './train-settings';

export interface HoldoutWatch {
  /** Looks at the scores after `trees` trees; true when it is time to stop. */
  look(scores: Float64Array, trees: number): boolean;
  readonly best: { readonly trees: number; readonly value: number };
  readonly history: readonly number[];
}

/** With fewer accounts no majority can outvote one, and fewer rows of an account say nothing. */
const LEAST_OWNERS = 3;
const LEAST_ROWS = 20;

/**
 * Uses the metric from the settings; with a single class AUC is undefined, so log loss is used. Where several accounts own
 * the rows, log loss is that of the median account: one that labels most, or falsely, would otherwise end training for all.
 */
export function holdoutWatch(
  labels: Uint8Array,
  settings: TrainSettings,
  owners: readonly string[] = [],
): HoldoutWatch {
  const groups = rowsByOwner(owners);
  const ones = labels.reduce((sum, label) => sum + label, 0);
  const isAuc = settings.metric === 'auc' && ones > 0 && ones < labels.length;
  const best = { trees: 0, value: isAuc ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY };
  const history: number[] = [];
  return {
    best,
    history,
    look(scores, trees) {
      const value = isAuc ? auc(scores, labels) : medianLoss(scores.map(chanceOf), labels, groups);
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

/** The rows of each account that has enough of them, by position; none if those are too few accounts. */
function rowsByOwner(owners: readonly string[]): number[][] {
  const groups = new Map<string, number[]>();
  owners.forEach((owner, row) => {
    const own = groups.get(owner);
    if (own) own.push(row);
    else groups.set(owner, [row]);
  });
  const large = [...groups.values()].filter(({ length }) => length >= LEAST_ROWS);
  return large.length < LEAST_OWNERS ? [] : large;
}

/** Log loss on the rows of the median account; on all rows if there are no groups. */
function medianLoss(chances: Float64Array, labels: Uint8Array, groups: readonly number[][]): number {
  if (groups.length === 0) return logLoss(chances, labels);
  const losses = groups
    .map((rows) =>
      logLoss(
        Float64Array.from(rows, (row) => chances[row] as number),
        Uint8Array.from(rows, (row) => labels[row] as number),
      ),
    )
    .sort((a, b) => a - b);
  const [low, high] = [losses[(losses.length - 1) >> 1] as number, losses[losses.length >> 1] as number];
  return (low + high) / 2;
}

const chanceOf = (score: number): number => 1 / (1 + Math.exp(-score));
