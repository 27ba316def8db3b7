import { ModelTextError, numbersField, requiredField, type TextSection, wholeField } from './model-text';

/** Node numbers must fit into 16 bits in the blob. LightGBM's default is 31 leaves; no model comes near this limit. */
export const MAX_LEAVES = 32_768;

/** Bits of LightGBM's decision_type; the two bits above them say what counts as missing. */
const CATEGORICAL = 1;
const DEFAULT_LEFT = 2;
const MISSING_KINDS = ['none', 'zero', 'nan'] as const;

export type MissingKind = (typeof MISSING_KINDS)[number];

/** One split of a tree: where to go, including for a missing value. */
export interface SplitNode {
  readonly feature: number;
  /** The upper bound for going left, or the number of the category set. */
  readonly threshold: number;
  readonly isCategorical: boolean;
  readonly isDefaultLeft: boolean;
  readonly missing: MissingKind;
  /** A node if not negative, otherwise `~leaf`. */
  readonly left: number;
  readonly right: number;
}

/** A tree as in the text, validated: every node and leaf occurs in it exactly once. */
export interface ParsedTree {
  readonly nodes: readonly SplitNode[];
  readonly leafValues: Float64Array;
  /** Training rows per leaf; all 1 if the text has none. */
  readonly leafCounts: Float64Array;
  /** Bit sets of categories that go left. */
  readonly categorySets: readonly Uint32Array[];
}

/** Reads one tree of `featureCount` features. */
export function parseTree(section: TextSection, featureCount: number): ParsedTree {
  const leaves = wholeField(section, 'num_leaves', 1);
  const problem = (key: string, text: string) => new ModelTextError(requiredField(section, key).line, text);
  if (leaves > MAX_LEAVES) throw problem('num_leaves', `more than ${MAX_LEAVES} leaves are not supported`);
  if (section.fields.get('is_linear')?.value.trim() === '1') {
    throw problem('is_linear', 'linear trees are not supported: train with linear_tree=false');
  }
  const leafValues = numbersField(section, 'leaf_value', leaves, false);
  const hasCounts = leaves > 1 && section.fields.has('leaf_count');
  const leafCounts = hasCounts ? numbersField(section, 'leaf_count', leaves, false) : new Float64Array(leaves).fill(1);
  if (leaves === 1) return { nodes: [], leafValues, leafCounts, categorySets: [] };

  const count = leaves - 1;
  const features = numbersField(section, 'split_feature', count, true);
  const thresholds = numbersField(section, 'threshold', count, false);
  const decisions = numbersField(section, 'decision_type', count, true);
  const left = numbersField(section, 'left_child', count, true);
  const right = numbersField(section, 'right_child', count, true);
  const categorySets = parseCategorySets(section);

  const nodes = Array.from({ length: count }, (_, i): SplitNode => {
    const feature = features[i] as number;
    if (feature < 0 || feature >= featureCount) {
      throw problem('split_feature', `feature ${feature} does not exist, there are ${featureCount}`);
    }
    const decision = decisions[i] as number;
    const missing = MISSING_KINDS[(decision >> 2) & 3];
    if (decision < 0 || decision > 15 || missing === undefined) {
      throw problem('decision_type', `${decision} is not a decision type`);
    }
    const isCategorical = (decision & CATEGORICAL) !== 0;
    const threshold = thresholds[i] as number;
    if (isCategorical && categorySets[threshold] === undefined) {
      throw problem('threshold', `category set ${threshold} does not exist, there are ${categorySets.length}`);
    }
    return {
      feature,
      threshold,
      isCategorical,
      isDefaultLeft: (decision & DEFAULT_LEFT) !== 0,
      missing,
      left: left[i] as number,
      right: right[i] as number,
    };
  });
  checkShape(nodes, leaves, (text) => problem('left_child', text));
  return { nodes, leafValues, leafCounts, categorySets };
}

function parseCategorySets(section: TextSection): readonly Uint32Array[] {
  const count = section.fields.has('num_cat') ? wholeField(section, 'num_cat', 0) : 0;
  if (count === 0) return [];
  const bounds = numbersField(section, 'cat_boundaries', count + 1, true);
  const words = numbersField(section, 'cat_threshold', bounds[count] as number, true);
  return Array.from({ length: count }, (_, i) => {
    const from = bounds[i] as number;
    const to = bounds[i + 1] as number;
    if (from < 0 || to < from || (i === 0 && from !== 0)) {
      throw new ModelTextError(requiredField(section, 'cat_boundaries').line, '"cat_boundaries" must rise from 0');
    }
    return Uint32Array.from(words.subarray(from, to));
  });
}

/** Children come after their parent and nothing occurs twice: a walk from the root always ends at a leaf. */
function checkShape(nodes: readonly SplitNode[], leaves: number, problem: (text: string) => Error): void {
  const seenNodes = new Uint8Array(nodes.length);
  const seenLeaves = new Uint8Array(leaves);
  nodes.forEach(({ left, right }, parent) => {
    for (const child of [left, right]) {
      const seen = child >= 0 ? seenNodes : seenLeaves;
      const at = child >= 0 ? child : ~child;
      if (at >= seen.length || (child >= 0 && child <= parent)) {
        throw problem(`node ${parent} points to ${child}, which is not a ${child >= 0 ? 'later node' : 'leaf'}`);
      }
      if (seen[at] === 1) throw problem(`child ${child} hangs in the tree twice`);
      seen[at] = 1;
    }
  });
}
