import { type Forest, READING } from './forest';
import type { ParsedTree, SplitNode } from './parse-tree';

/** Lays trees out flat, in order. */
export function buildForest(featureNames: readonly string[], sigmoid: number, trees: readonly ParsedTree[]): Forest {
  const total = (size: (tree: ParsedTree) => number) => trees.reduce((sum, tree) => sum + size(tree), 0);
  const nodes = total((tree) => tree.nodes.length);
  const forest: Forest = {
    featureNames,
    sigmoid,
    firstNodes: new Uint32Array(trees.length + 1),
    slots: new Uint16Array(nodes),
    thresholds: new Float32Array(nodes),
    expectations: new Float32Array(nodes),
    children: childArray(Math.max(...trees.map((tree) => tree.leafValues.length)), nodes),
    leafValues: new Float64Array(total((tree) => tree.leafValues.length)),
    categoryBounds: new Uint32Array(1 + total((tree) => tree.categorySets.length)),
    categoryWords: Uint32Array.from(trees.flatMap((tree) => tree.categorySets.flatMap((set) => [...set]))),
  };
  let node = 0;
  let leaf = 0;
  let set = 0;
  trees.forEach((tree, i) => {
    const firstSet = set;
    forest.expectations.set(expectationsOf(tree), node);
    for (const split of tree.nodes) {
      forest.slots[node] = slotOf(split, featureNames.length);
      forest.thresholds[node] = split.isCategorical ? firstSet + split.threshold : floorToFloat32(split.threshold);
      forest.children[2 * node] = split.left;
      forest.children[2 * node + 1] = split.right;
      node++;
    }
    forest.firstNodes[i + 1] = node;
    forest.leafValues.set(tree.leafValues, leaf);
    leaf += tree.leafValues.length;
    for (const { length } of tree.categorySets) {
      forest.categoryBounds[set + 1] = (forest.categoryBounds[set] as number) + length;
      set++;
    }
  });
  return forest;
}

/** Children are numbered within their tree: with up to 128 leaves, a byte is enough. */
const childArray = (mostLeaves: number, nodes: number) =>
  mostLeaves <= 128 ? new Int8Array(2 * nodes) : new Int16Array(2 * nodes);

function slotOf({ feature, isCategorical, isDefaultLeft, missing }: SplitNode, width: number): number {
  if (isCategorical) return READING.category * width + feature;
  if (missing === 'none') return READING.none * width + feature;
  if (missing === 'nan') return (isDefaultLeft ? READING.nanLeft : READING.nanRight) * width + feature;
  return (isDefaultLeft ? READING.zeroLeft : READING.zeroRight) * width + feature;
}

/** Mean of a node's leaves, weighted by training rows. Children follow their parents, so one backward pass is enough. */
function expectationsOf({ nodes, leafValues, leafCounts }: ParsedTree): Float64Array {
  const means = new Float64Array(nodes.length);
  const counts = new Float64Array(nodes.length);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { left, right } = nodes[i] as SplitNode;
    const countOf = (child: number) => (child >= 0 ? counts[child] : leafCounts[~child]) as number;
    const meanOf = (child: number) => (child >= 0 ? means[child] : leafValues[~child]) as number;
    const count = countOf(left) + countOf(right);
    counts[i] = count;
    // A node that no row reached (possible after a refit) is halfway.
    const share = count > 0 ? countOf(left) / count : 0.5;
    means[i] = share * meanOf(left) + (1 - share) * meanOf(right);
  }
  return means;
}

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** The largest 32-bit float that is not above the value: neighbours of the same sign differ by one in their bits. */
export function floorToFloat32(value: number): number {
  float[0] = value;
  const rounded = float[0] as number;
  if (rounded <= value) return rounded;
  if (rounded === 0) return -1.401298464324817e-45;
  bits[0] = (bits[0] as number) + (rounded > 0 ? -1 : 1);
  return float[0] as number;
}
