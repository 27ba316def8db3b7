import type { BinnedRows } from './bin-rows';

/** A grown tree, in LightGBM's numbering: children are nodes if not negative, else `~leaf`. */
export interface TrainedTree {
  readonly features: Int32Array;
  /** Bins up to this one go left, and what that means in the feature's own unit. */
  readonly bins: Uint8Array;
  readonly thresholds: Float64Array;
  readonly isDefaultLeft: Uint8Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly gains: Float64Array;
  readonly nodeValues: Float64Array;
  readonly nodeWeights: Float64Array;
  readonly nodeCounts: Float64Array;
  readonly leafValues: Float64Array;
  readonly leafWeights: Float64Array;
  readonly leafCounts: Float64Array;
}

export function leafOfRow(tree: TrainedTree, rows: BinnedRows, valueBins: Uint16Array, row: number): number {
  if (tree.features.length === 0) return 0;
  let node = 0;
  do {
    const feature = tree.features[node] as number;
    const bin = (((rows.quads[feature >>> 2] as Uint32Array)[row] as number) >>> (8 * (feature & 3))) & 255;
    const isMissing = bin === valueBins[feature];
    const isLeft = isMissing ? tree.isDefaultLeft[node] === 1 : bin <= (tree.bins[node] as number);
    node = (isLeft ? tree.left[node] : tree.right[node]) as number;
  } while (node >= 0);
  return ~node;
}

/** The same tree with a constant added: this keeps the starting score, for which the format has no field. */
export function withBias(tree: TrainedTree, bias: number): TrainedTree {
  return {
    ...tree,
    nodeValues: tree.nodeValues.map((value) => bias + value),
    leafValues: tree.leafValues.map((value) => bias + value),
  };
}

export function singleLeaf(value: number, rows: number): TrainedTree {
  const none = new Float64Array(0);
  return {
    features: new Int32Array(0),
    bins: new Uint8Array(0),
    thresholds: none,
    isDefaultLeft: new Uint8Array(0),
    left: new Int32Array(0),
    right: new Int32Array(0),
    ...{ gains: none, nodeValues: none, nodeWeights: none, nodeCounts: none },
    leafValues: Float64Array.of(value),
    leafWeights: Float64Array.of(0),
    leafCounts: Float64Array.of(rows),
  };
}
