import { BIN_SUMS, FEATURE_SUMS } from './histogram';
import { gainOfOutput, type LeafSums, leafOutput, within } from './leaf-output';
import type { TrainSettings } from './train-settings';

/** The facts about features that a split search needs. */
export interface SplitFeatures {
  /** Number of bins for values; the bin for missing ones comes right after. */
  readonly valueBins: Uint16Array;
  /** 0 where "any value against missing" cannot be written, because +∞ is above every threshold. */
  readonly canSplitMissing: Uint8Array;
  readonly monotone: Int8Array;
}

/** The best split found; `feature` is −1 for none. Written in place. */
export interface Split {
  feature: number;
  /** Bins up to this one go left. */
  bin: number;
  isDefaultLeft: boolean;
  gain: number;
  leftGradient: number;
  leftHessian: number;
  leftCount: number;
}

export const emptySplit = (): Split => ({
  ...{ feature: -1, bin: 0, isDefaultLeft: false, gain: 0, leftGradient: 0, leftHessian: 0, leftCount: 0 },
});

/** A gain must exceed the rounding noise of adding in a different order. */
const NOISE = 1e-12;

/** What all split searches share. */
export interface SplitFrame {
  readonly features: SplitFeatures;
  readonly settings: TrainSettings;
  /** The mean weight of a row: for how many it stands. */
  readonly rowWeight: number;
}

/** The features that the split searches of one tree share. */
export interface SplitSearch extends SplitFrame {
  readonly used: readonly number[];
}

/** Best split of a leaf by its histogram, among the features in use; on a tie, the first. */
export function findSplit(split: Split, histogram: Float64Array, leaf: LeafSums, search: SplitSearch): void {
  const { used, settings } = search;
  const output = leafOutput(leaf, settings);
  const own = gainOfOutput(leaf, settings, output);
  split.feature = -1;
  split.gain = own + settings.min_gain_to_split + NOISE * (1 + Math.abs(own));
  // One object per leaf, not one per feature.
  const searched: SearchedLeaf = { ...search, histogram, leaf, least: leastOf(leaf, search) };
  for (const feature of used) searchFeature(split, feature, searched);
  split.gain -= own;
}

interface SearchedLeaf extends SplitSearch {
  readonly histogram: Float64Array;
  readonly leaf: LeafSums;
  readonly least: Least;
}

/** What a child must have. */
type Least = Pick<LeafSums, 'count' | 'hessian'>;

/**
 * By hessian, a child needs the share of its parent's that as many rows would have on average: a handful of frauds are enough, a handful of
 * honest rows among them are not. A row that stands for others hides them, so that rows count by themselves as far as they are weighted.
 */
function leastOf({ hessian, count }: LeafSums, { settings, rowWeight }: SplitFrame): Least {
  const { min_data_in_leaf: rows, min_sum_hessian_in_leaf: least, rows_by_hessian } = settings;
  if (rows_by_hessian !== true) return { count: Math.max(1, rows), hessian: least };
  const times = Math.max(1, rowWeight);
  return { count: Math.max(1, rows * (1 - 1 / times)), hessian: Math.max(least, (rows * hessian) / (count * times)) };
}

/**
 * Tries every threshold with missing rows on the right and, if there are any, on the left. Under a constraint, missing
 * sorts below every value, so the order also holds when a value becomes known.
 */
function searchFeature(split: Split, feature: number, searched: SearchedLeaf): void {
  const { histogram, leaf, least, features, settings } = searched;
  const offset = FEATURE_SUMS * feature;
  const bins = features.valueBins[feature] as number;
  const sign = features.monotone[feature] as number;
  const isFree = sign === 0 && leaf.lower === Number.NEGATIVE_INFINITY && leaf.upper === Number.POSITIVE_INFINITY;
  const { lambda_l2 } = settings;
  const { count: leastCount, hessian: leastHessian } = least;
  const { gradient: allGradient, hessian: allHessian, count: allCount } = leaf;
  const missing = offset + BIN_SUMS * bins;
  const missingCount = histogram[missing + 2] as number;
  // Subtraction leaves rounding residue in sums over no rows; the counts are exact.
  const missingGradient = missingCount > 0 ? (histogram[missing] as number) : 0;
  const missingHessian = missingCount > 0 ? (histogram[missing + 1] as number) : 0;
  const end = missingCount > 0 && sign === 0 && features.canSplitMissing[feature] === 1 ? bins : bins - 1;
  let best = split.gain;
  let gradientSum = 0;
  let hessianSum = 0;
  let countSum = 0;
  for (let bin = 0, at = offset; bin < end; bin++, at += BIN_SUMS) {
    const rows = histogram[at + 2] as number;
    if (rows === 0) continue;
    gradientSum += histogram[at] as number;
    hessianSum += histogram[at + 1] as number;
    countSum += rows;
    const sides = missingCount > 0 && bin < bins - 1 ? 2 : 1;
    for (let missingLeft = sign === 0 ? 0 : sides - 1; missingLeft < sides; missingLeft++) {
      const count = countSum + missingLeft * missingCount;
      if (count < leastCount || allCount - count < leastCount) continue;
      const hessian = hessianSum + missingLeft * missingHessian;
      if (hessian < leastHessian || allHessian - hessian < leastHessian) continue;
      const gradient = gradientSum + missingLeft * missingGradient;
      const other = allGradient - gradient;
      const weight = hessian + lambda_l2;
      const otherWeight = allHessian - hessian + lambda_l2;
      // Most thresholds gain less than the best so far, and bounds only take away: that is seen without a division.
      const pulls = gradient * gradient * otherWeight + other * other * weight;
      if (pulls < best * weight * otherWeight) continue;
      const gain = isFree
        ? (gradient * gradient) / weight + (other * other) / otherWeight
        : boundGain(searched, sign, gradient, hessian);
      if (!(gain > best)) continue;
      best = gain;
      split.feature = feature;
      split.bin = bin;
      split.gain = gain;
      split.leftGradient = gradient;
      split.leftHessian = hessian;
      split.leftCount = count;
      // If no row lacked the value, rows that lack it later follow the majority.
      split.isDefaultLeft = missingCount > 0 ? missingLeft === 1 : sign !== 0 || 2 * count >= allCount;
    }
  }
}

/** Gain if values are bounded; a split that would violate a monotone order gains nothing. */
function boundGain({ leaf, settings }: SearchedLeaf, sign: number, gradient: number, hessian: number): number {
  const { gradient: allGradient, hessian: allHessian, lower, upper } = leaf;
  const { lambda_l2 } = settings;
  const leftWeight = hessian + lambda_l2;
  const left = within(-gradient / leftWeight, lower, upper);
  const rightPull = allGradient - gradient;
  const rightWeight = allHessian - hessian + lambda_l2;
  const right = within(-rightPull / rightWeight, lower, upper);
  if (sign * (right - left) < 0) return Number.NEGATIVE_INFINITY;
  return -(2 * gradient + leftWeight * left) * left - (2 * rightPull + rightWeight * right) * right;
}
