import type { TrainedModel } from '../trainer/train';
import type { TrainedTree } from '../trainer/trained-tree';

/** decision_type of a numerical split for which NaN is missing, and the bit that sends it left. */
const NAN_MISSING = 8;
const DEFAULT_LEFT = 2;

/** A model in LightGBM's own text format: LightGBM loads it and predicts the same. */
export function writeLightgbm(model: TrainedModel): string {
  const trees = model.trees.map((tree, i) => treeText(tree, i, i === 0 ? 1 : model.settings.learning_rate));
  const { rows_by_hessian: _, ...settings } = model.settings;
  const { monotone_constraints } = settings;
  return [
    'tree',
    'version=v4',
    'num_class=1',
    'num_tree_per_iteration=1',
    'label_index=0',
    `max_feature_idx=${model.featureNames.length - 1}`,
    'objective=binary sigmoid:1',
    `feature_names=${model.featureNames.join(' ')}`,
    ...(monotone_constraints.some((sign) => sign !== 0)
      ? [`monotone_constraints=${monotone_constraints.join(' ')}`]
      : []),
    `feature_infos=${model.ranges.map(rangeText).join(' ')}`,
    // Bytes of each tree: LightGBM splits the text by them, so they must be exact. All of it is ASCII.
    `tree_sizes=${trees.map(({ length }) => length).join(' ')}`,
    '',
    `${trees.join('')}end of trees`,
    '',
    'feature_importances:',
    ...importances(model),
    '',
    'parameters:',
    ...Object.entries(settings).map(([name, value]) => `[${name}: ${String(value)}]`),
    '',
    'end of parameters',
    '',
  ].join('\n');
}

function treeText(tree: TrainedTree, number: number, shrinkage: number): string {
  const decisions = Array.from(tree.isDefaultLeft, (isLeft) => NAN_MISSING + (isLeft === 1 ? DEFAULT_LEFT : 0));
  const fields: Record<string, ArrayLike<number> | number> = {
    num_leaves: tree.leafValues.length,
    num_cat: 0,
    split_feature: tree.features,
    split_gain: tree.gains.map(brief),
    threshold: tree.thresholds,
    decision_type: decisions,
    left_child: tree.left,
    right_child: tree.right,
    leaf_value: tree.leafValues,
    leaf_weight: tree.leafWeights,
    leaf_count: tree.leafCounts,
    internal_value: tree.nodeValues.map(brief),
    internal_weight: tree.nodeWeights.map(brief),
    internal_count: tree.nodeCounts,
    is_linear: 0,
    shrinkage,
  };
  const lines = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'number' ? value : Array.from(value).join(' ')}`,
  );
  return `Tree=${number}\n${lines.join('\n')}\n\n\n`;
}

/** Values for display get six digits, as in LightGBM; values used for scoring get all digits. */
const brief = (value: number): number => Number(value.toPrecision(6));

const rangeText = ({ least, greatest }: TrainedModel['ranges'][number]): string =>
  least === greatest ? 'none' : `[${least}:${greatest}]`;

function importances({ trees, featureNames }: TrainedModel): readonly string[] {
  const counts = new Array<number>(featureNames.length).fill(0);
  for (const { features } of trees) for (const feature of features) counts[feature] = (counts[feature] ?? 0) + 1;
  return counts
    .map((count, feature) => ({ count, name: featureNames[feature] }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ name, count }) => `${name}=${count}`);
}
