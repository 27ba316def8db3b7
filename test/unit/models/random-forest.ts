import fc from 'fast-check';
import { buildForest } from '../../../shared/domain/models/build-forest';
import type { Forest } from '../../../shared/domain/models/forest';
import type { ParsedTree, SplitNode } from '../../../shared/domain/models/parse-tree';
import { type Random, seededRandom } from '../../../shared/domain/models/seeded-random';

export const WIDTH = 4;

/** A forest, and a plain way to score it that shares no code with the scorer. */
export interface RandomForest {
  readonly forest: Forest;
  score(vector: Float32Array): number;
}

/** Trees of random shape, rules and values; some of a single leaf. */
export function randomForest(seed: number, trees: number, mostLeaves: number, hasCategories: boolean): RandomForest {
  const random = seededRandom(seed);
  const parsed = Array.from({ length: trees }, () => randomTree(random, mostLeaves, hasCategories));
  const names = Array.from({ length: WIDTH }, (_, i) => `f${i}`);
  return {
    forest: buildForest(names, 1, parsed),
    score: (vector) => parsed.reduce((sum, tree) => sum + plainScore(tree, vector), 0),
  };
}

function randomTree(random: Random, mostLeaves: number, hasCategories: boolean): ParsedTree {
  const pick = (count: number) => Math.floor(random() * count);
  const leaves = 1 + pick(mostLeaves);
  const nodes: SplitNode[] = [];
  // As LightGBM numbers them: splitting leaf i makes a node, i stays on its left and a new leaf hangs on its right.
  const above: { node: number; side: 'left' | 'right' }[] = [];
  for (let node = 0; node < leaves - 1; node++) {
    const leaf = pick(node + 1);
    const parent = above[leaf];
    if (parent !== undefined) {
      nodes[parent.node] = { ...(nodes[parent.node] as SplitNode), [parent.side]: node };
    }
    const isCategorical = hasCategories && random() < 0.3;
    nodes.push({
      feature: pick(WIDTH),
      threshold: isCategorical ? pick(2) : Math.round(8 * (random() - 0.5)) / 2 + (random() < 0.3 ? 1e-12 : 0),
      isCategorical,
      isDefaultLeft: random() < 0.5,
      missing: (['none', 'zero', 'nan'] as const)[pick(3)] as SplitNode['missing'],
      left: ~leaf,
      right: ~(node + 1),
    });
    above[leaf] = { node, side: 'left' };
    above[node + 1] = { node, side: 'right' };
  }
  return {
    nodes,
    leafValues: Float64Array.from({ length: leaves }, () => random() - 0.5),
    leafCounts: Float64Array.from({ length: leaves }, () => pick(50)),
    categorySets: hasCategories ? [Uint32Array.of(5), Uint32Array.of(0, 2)] : [],
  };
}

/** LightGBM's rules word for word. */
function plainScore({ nodes, leafValues, categorySets }: ParsedTree, vector: Float32Array): number {
  let at = nodes.length === 0 ? -1 : 0;
  while (at >= 0) {
    const { feature, threshold, isCategorical, isDefaultLeft, missing, left, right } = nodes[at] as SplitNode;
    let value = vector[feature] as number;
    let isLeft: boolean;
    if (isCategorical) {
      const category = Math.trunc(value);
      const word = category >= 0 ? categorySets[threshold]?.[Math.floor(category / 32)] : undefined;
      isLeft = word !== undefined && Math.floor(word / 2 ** (category % 32)) % 2 === 1;
    } else {
      if (Number.isNaN(value) && missing !== 'nan') value = 0;
      const isMissing = missing === 'zero' ? Math.abs(value) <= 1e-35 : missing === 'nan' && Number.isNaN(value);
      isLeft = isMissing ? isDefaultLeft : value <= threshold;
    }
    at = isLeft ? left : right;
  }
  return leafValues[~at] as number;
}

/** Vectors full of the values that decide: thresholds, zeros, holes, categories. */
export const vectors = fc
  .array(
    fc.oneof(
      fc.constantFrom(Number.NaN, 0, -0, 1e-36, 2, 33, 34, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      fc.integer({ min: -8, max: 8 }).map((half) => half / 2),
      fc.float({ noNaN: true }),
    ),
    { minLength: WIDTH, maxLength: WIDTH },
  )
  .map((values) => Float32Array.from(values));
