import type { Split } from './find-split';
import { type LeafSums, leafOutput } from './leaf-output';
import type { TrainSettings } from './train-settings';
import type { TrainedTree } from './trained-tree';

export interface GrowingLeaf extends LeafSums {
  readonly start: number;
  readonly depth: number;
  /** The node above it and the side it hangs on; −1 for the root. */
  readonly parent: number;
  readonly isLeft: boolean;
}

export interface GrowingTree {
  /** Turns leaf `at` into a node and keeps it as the left child; returns the two leaves. */
  split(at: number, split: Split, threshold: number, monotone: number): readonly [GrowingLeaf, GrowingLeaf];
  finish(): TrainedTree;
}

export function growingTree(leaves: GrowingLeaf[], settings: TrainSettings): GrowingTree {
  const { learning_rate } = settings;
  const outputOf = (leaf: LeafSums) => leafOutput(leaf, settings);
  const nodes: { leaf: GrowingLeaf; split: Split; threshold: number }[] = [];
  const left: number[] = [];
  const right: number[] = [];
  return {
    split(at, split, threshold, monotone) {
      const leaf = leaves[at] as GrowingLeaf;
      const node = nodes.length;
      nodes.push({ leaf, split: { ...split }, threshold });
      if (leaf.parent >= 0) (leaf.isLeft ? left : right)[leaf.parent] = node;
      left.push(~at);
      right.push(~leaves.length);
      const pair = childrenOf(leaf, { split, node, monotone }, settings);
      leaves[at] = pair[0];
      leaves.push(pair[1]);
      return pair;
    },
    finish: () => ({
      features: Int32Array.from(nodes, ({ split }) => split.feature),
      bins: Uint8Array.from(nodes, ({ split }) => split.bin),
      thresholds: Float64Array.from(nodes, ({ threshold }) => threshold),
      isDefaultLeft: Uint8Array.from(nodes, ({ split }) => (split.isDefaultLeft ? 1 : 0)),
      left: Int32Array.from(left),
      right: Int32Array.from(right),
      gains: Float64Array.from(nodes, ({ split }) => split.gain),
      nodeValues: Float64Array.from(nodes, ({ leaf }) => learning_rate * outputOf(leaf)),
      nodeWeights: Float64Array.from(nodes, ({ leaf }) => leaf.hessian),
      nodeCounts: Float64Array.from(nodes, ({ leaf }) => leaf.count),
      leafValues: Float64Array.from(leaves, (leaf) => learning_rate * outputOf(leaf)),
      leafWeights: Float64Array.from(leaves, ({ hessian }) => hessian),
      leafCounts: Float64Array.from(leaves, ({ count }) => count),
    }),
  };
}

interface NewNode {
  readonly split: Split;
  readonly node: number;
  /** The constraint of the feature it splits by: 1, −1, or 0 for none. */
  readonly monotone: number;
}

/**
 * The two halves of a leaf. After a monotone split everything below the lower side stays at or under the middle of
 * the two values, and everything below the upper side at or above it (LightGBM's "basic" method): no later
 * split, by any feature, can reverse the order between the sides.
 */
function childrenOf(
  leaf: GrowingLeaf,
  { split, node, monotone }: NewNode,
  settings: TrainSettings,
): readonly [GrowingLeaf, GrowingLeaf] {
  const shared = { parent: node, depth: leaf.depth + 1, lower: leaf.lower, upper: leaf.upper };
  const left: GrowingLeaf = {
    ...shared,
    isLeft: true,
    start: leaf.start,
    gradient: split.leftGradient,
    hessian: split.leftHessian,
    count: split.leftCount,
  };
  const right: GrowingLeaf = {
    ...shared,
    isLeft: false,
    start: leaf.start + split.leftCount,
    gradient: leaf.gradient - split.leftGradient,
    hessian: leaf.hessian - split.leftHessian,
    count: leaf.count - split.leftCount,
  };
  if (monotone === 0) return [left, right];
  const middle = (leafOutput(left, settings) + leafOutput(right, settings)) / 2;
  return monotone > 0
    ? [
        { ...left, upper: middle },
        { ...right, lower: middle },
      ]
    : [
        { ...left, lower: middle },
        { ...right, upper: middle },
      ];
}
