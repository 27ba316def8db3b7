import { type BinnedRows, QUAD } from './bin-rows';
import type { FeatureBins } from './find-bins';
import { emptySplit, findSplit, type Split, type SplitFeatures, type SplitFrame } from './find-split';
import { type GrowingLeaf, growingTree } from './growing-tree';
import { buildHistogram, newHistogram, subtractHistogram, usedSums } from './histogram';
import { rowPartition } from './row-partition';
import type { TrainSettings } from './train-settings';
import { singleLeaf, type TrainedTree } from './trained-tree';

/** LightGBM does not write infinity: this means "above every value". */
const ABOVE_ALL = 1e300;

export interface TreeGrower {
  /** The rows that the next tree is grown on; the first `count` are read. */
  readonly rows: Uint32Array;
  /** Best leaf first, until `num_leaves` is reached or no split gains. Afterwards `rows` is in leaf order, run after run. */
  grow(gradients: Float64Array, hessians: Float64Array, count: number, used: readonly number[]): GrownTree;
}

export interface GrownTree {
  readonly tree: TrainedTree;
  /** Where in `rows` each leaf's run begins. */
  readonly starts: Uint32Array;
}

export function splitFeatures(bins: readonly FeatureBins[], { monotone_constraints }: TrainSettings): SplitFeatures {
  return {
    valueBins: Uint16Array.from(bins, ({ bounds }) => bounds.length),
    canSplitMissing: Uint8Array.from(bins, ({ greatest }) => (greatest < Number.POSITIVE_INFINITY ? 1 : 0)),
    monotone: Int8Array.from(bins, ({ feature }) => monotone_constraints[feature] ?? 0),
  };
}

/** A grower for these rows; memory is one histogram per leaf, 0.37 MB each for 60 features. */
export function treeGrower(binned: BinnedRows, bins: readonly FeatureBins[], frame: SplitFrame): TreeGrower {
  const { features, settings } = frame;
  const partition = rowPartition(binned.rows);
  const { rows } = partition;
  const orderedGradients = new Float64Array(binned.rows);
  const orderedHessians = new Float64Array(binned.rows);
  const pool: Float64Array[] = [];
  const isLeftBin = new Uint8Array(256);
  const summed = { quads: binned.quads, sums: usedSums(features.valueBins) };
  const { num_leaves, max_depth, min_data_in_leaf } = settings;

  const quadOf = (feature: number) => binned.quads[Math.floor(feature / QUAD)] as Uint32Array;
  const canSplit = ({ count, depth }: GrowingLeaf) =>
    count >= 2 * Math.max(1, min_data_in_leaf) && (max_depth <= 0 || depth < max_depth);

  function histogramAt(leaf: number): Float64Array {
    pool[leaf] ??= newHistogram(bins.length);
    return pool[leaf];
  }

  function gather(gradients: Float64Array, hessians: Float64Array, start: number, count: number) {
    const run = rows.subarray(start, start + count);
    for (let i = 0; i < count; i++) {
      const row = run[i] as number;
      orderedGradients[i] = gradients[row] as number;
      orderedHessians[i] = hessians[row] as number;
    }
    return { rows: run, gradients: orderedGradients, hessians: orderedHessians, count };
  }

  function markLeftBins({ feature, bin, isDefaultLeft }: Split): void {
    const missing = features.valueBins[feature] as number;
    for (let b = 0; b < missing; b++) isLeftBin[b] = b <= bin ? 1 : 0;
    isLeftBin[missing] = isDefaultLeft ? 1 : 0;
  }

  return {
    rows,
    grow(gradients, hessians, count, used) {
      const isQuadUsed = new Uint8Array(binned.quads.length);
      for (const feature of used) isQuadUsed[Math.floor(feature / QUAD)] = 1;
      const root = rootLeaf(gradients, hessians, rows, count);
      const leaves = [root];
      const tree = growingTree(leaves, settings);
      const splits = [emptySplit()];
      if (!canSplit(root)) return { tree: singleLeaf(0, count), starts: Uint32Array.of(0) };
      buildHistogram(histogramAt(0), gather(gradients, hessians, 0, count), summed, isQuadUsed);
      const search = { ...frame, used };
      findSplit(splits[0] as Split, histogramAt(0), root, search);

      while (leaves.length < num_leaves) {
        const at = bestOf(splits);
        if (at < 0) break;
        const split = splits[at] as Split;
        const { start, count: size } = leaves[at] as GrowingLeaf;
        markLeftBins(split);
        partition.split(start, size, { quad: quadOf(split.feature), shift: 8 * (split.feature % QUAD), isLeftBin });
        const monotone = features.monotone[split.feature] as number;
        const other = leaves.length;
        const pair = tree.split(at, split, thresholdOf(bins, split), monotone);
        splits.push(emptySplit());
        split.feature = -1;
        // The last split needs no histograms for its children, nor does a pair that is too small.
        if (leaves.length >= num_leaves || !pair.some(canSplit)) continue;

        const isLeftSmaller = pair[0].count <= pair[1].count;
        const smaller = isLeftSmaller ? pair[0] : pair[1];
        const fresh = histogramAt(other);
        const gathered = gather(gradients, hessians, smaller.start, smaller.count);
        buildHistogram(fresh, gathered, summed, isQuadUsed);
        const rest = histogramAt(at);
        subtractHistogram(rest, fresh, summed.sums);
        // Histogram i belongs to leaf i: swap if the smaller child is the leaf that kept its index.
        if (isLeftSmaller) [pool[at], pool[other]] = [fresh, rest];
        [at, other].forEach((leaf, side) => {
          const sums = pair[side] as GrowingLeaf;
          if (canSplit(sums)) findSplit(splits[leaf] as Split, histogramAt(leaf), sums, search);
        });
      }
      return { tree: tree.finish(), starts: Uint32Array.from(leaves, ({ start }) => start) };
    },
  };
}

function rootLeaf(g: Float64Array, h: Float64Array, rows: Uint32Array, count: number): GrowingLeaf {
  let gradient = 0;
  let hessian = 0;
  for (let i = 0; i < count; i++) {
    gradient += g[rows[i] as number] as number;
    hessian += h[rows[i] as number] as number;
  }
  const bounds = { lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
  return { gradient, hessian, count, ...bounds, start: 0, depth: 0, parent: -1, isLeft: false };
}

/** The leaf whose split gains most; the first on a tie, −1 if none gains. */
function bestOf(splits: readonly Split[]): number {
  let best = -1;
  splits.forEach(({ feature, gain }, leaf) => {
    if (feature >= 0 && (best < 0 || gain > (splits[best] as Split).gain)) best = leaf;
  });
  return best;
}

function thresholdOf(bins: readonly FeatureBins[], { feature, bin }: Split): number {
  const bound = (bins[feature] as FeatureBins).bounds[bin] as number;
  return bound === Number.POSITIVE_INFINITY ? ABOVE_ALL : bound;
}
