import { type Forest, READING, READINGS } from './forest';

/** LightGBM's defaults make 100 trees of 31 leaves; a thousand times as much still loads and scores in milliseconds. */
export const MAX_TREES = 20_000;
export const MAX_NODES = 400_000;
/** The longest walk through all trees together, which determines the cost of a score: 0.2 ms. */
export const MAX_STEPS = 100_000;

/**
 * Checks that a forest can be scored: every walk ends at a leaf, soon, and with a number. Anyone who can write to the
 * registry could otherwise stop every screening with one cycle.
 * @throws Error that names the first problem
 */
export function checkForest(forest: Forest): void {
  const { featureNames, sigmoid, firstNodes, slots, thresholds, children, leafValues, expectations } = forest;
  const trees = firstNodes.length - 1;
  const nodes = slots.length;
  if (trees < 1 || trees > MAX_TREES) throw problem(`${trees} trees; 1 to ${MAX_TREES} are supported`);
  if (nodes > MAX_NODES) throw problem(`${nodes} nodes; at most ${MAX_NODES} are supported`);
  if (!(sigmoid > 0 && sigmoid < Number.POSITIVE_INFINITY)) throw problem(`a sigmoid of ${sigmoid}`);
  if (new Set(featureNames).size !== featureNames.length) throw problem('two features of the same name');
  if (firstNodes[0] !== 0 || firstNodes[trees] !== nodes) throw problem('nodes that belong to no tree');
  // Before anything is counted: a bound of four billion would be walked to its end.
  if (firstNodes.some((first, tree) => tree > 0 && first < (firstNodes[tree - 1] as number))) {
    throw problem('a tree that ends before it begins');
  }
  const arrays = [thresholds.length, expectations.length, children.length / 2, leafValues.length - trees];
  if (arrays.some((length) => length !== nodes)) throw problem('arrays of different lengths');
  if (!leafValues.every(Number.isFinite)) throw problem('a leaf without a finite value');
  if (!expectations.every(Number.isFinite)) throw problem('a node without a finite expectation');
  checkCategorySets(forest);
  checkSplits(forest);
  const depths = new Uint32Array(nodes);
  let steps = 0;
  for (let tree = 0; tree < trees; tree++) steps += depthOf(forest, tree, depths);
  if (steps > MAX_STEPS) throw problem(`trees that are ${steps} levels deep together; ${MAX_STEPS} are supported`);
}

const problem = (what: string): Error => new Error(`the model cannot be scored: it has ${what}`);

function checkCategorySets({ categoryBounds, categoryWords }: Forest): void {
  let last = 0;
  for (const bound of categoryBounds) {
    if (bound < last) throw problem('category sets that overlap');
    last = bound;
  }
  if (categoryBounds[0] !== 0 || last !== categoryWords.length) throw problem('categories that belong to no set');
}

/** Each node must test a feature that exists, against a number or a set that exists. */
function checkSplits({ featureNames, slots, thresholds, categoryBounds }: Forest): void {
  const width = featureNames.length;
  const sets = categoryBounds.length - 1;
  for (let node = 0; node < slots.length; node++) {
    const slot = slots[node] as number;
    const threshold = thresholds[node] as number;
    if (slot >= width * READINGS) throw problem(`node ${node} that tests a feature which does not exist`);
    if (Number.isNaN(threshold)) throw problem(`node ${node} without a threshold`);
    const isCategory = slot >= width * READING.category;
    if (isCategory && !(Number.isInteger(threshold) && threshold >= 0 && threshold < sets)) {
      throw problem(`node ${node} with a category set that does not exist`);
    }
  }
}

/**
 * How deep a tree is. Children come after their parent and nothing hangs twice, so a walk from the root ends at a leaf
 * and a backward pass meets children first.
 */
function depthOf({ firstNodes, children }: Forest, tree: number, depths: Uint32Array): number {
  const start = firstNodes[tree] as number;
  const count = (firstNodes[tree + 1] as number) - start;
  const hasParent = new Uint8Array(count);
  const isLeafUsed = new Uint8Array(count + 1);
  for (let node = count - 1; node >= 0; node--) {
    let depth = 0;
    for (let side = 0; side < 2; side++) {
      const child = children[2 * (start + node) + side] as number;
      const isNode = child >= 0;
      const seen = isNode ? hasParent : isLeafUsed;
      const at = isNode ? child : ~child;
      if (at >= seen.length || (isNode && child <= node)) {
        throw problem(`node ${node} of tree ${tree} pointing to ${child}, which is not a later node or a leaf`);
      }
      if (seen[at] === 1) throw problem(`child ${child} of tree ${tree} in two places`);
      seen[at] = 1;
      if (isNode) depth = Math.max(depth, depths[start + child] as number);
    }
    depths[start + node] = depth + 1;
  }
  return count === 0 ? 0 : (depths[start] as number);
}
