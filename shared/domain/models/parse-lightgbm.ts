import { buildForest } from './build-forest';
import { checkForest } from './check-forest';
import type { Forest } from './forest';
import { cutModelText, ModelTextError, requiredField, type TextSection, wholeField } from './model-text';
import { parseTree } from './parse-tree';

/** A feature has six readings in the scorer, each a 16-bit slot. */
const MAX_FEATURES = 10_922;
const VERSIONS: readonly string[] = ['v3', 'v4'];

/**
 * Reads a binary model as LightGBM saves it (`model.txt`), by the rules of LightGBM 4.
 * @throws ModelTextError that names the line, for anything malformed or of another kind; Error if it cannot be scored
 */
export function parseLightgbm(text: string): Forest {
  const { header, trees } = cutModelText(text);
  checkKind(header);
  const featureNames = requiredField(header, 'feature_names').value.trim().split(/ +/);
  const features = wholeField(header, 'max_feature_idx', 0) + 1;
  if (features > MAX_FEATURES) {
    throw new ModelTextError(requiredField(header, 'max_feature_idx').line, `more than ${MAX_FEATURES} features`);
  }
  if (featureNames.length !== features) {
    const { line } = requiredField(header, 'feature_names');
    throw new ModelTextError(line, `${featureNames.length} feature names where max_feature_idx says ${features}`);
  }
  if (trees.length === 0) throw new ModelTextError(header.line, 'the model has no trees');
  const forest = buildForest(
    featureNames,
    readSigmoid(header),
    trees.map((tree) => parseTree(tree, features)),
  );
  checkForest(forest);
  return forest;
}

/** One sum of trees that yields log-odds: anything else would be scored wrongly, without an error. */
function checkKind(header: TextSection): void {
  const version = requiredField(header, 'version');
  if (!VERSIONS.includes(version.value.trim())) {
    throw new ModelTextError(version.line, `version ${version.value} is not one of ${VERSIONS.join(', ')}`);
  }
  for (const key of ['num_class', 'num_tree_per_iteration']) {
    const { line } = requiredField(header, key);
    if (wholeField(header, key, 1) !== 1) throw new ModelTextError(line, `"${key}" must be 1: two classes, one sum`);
  }
  const averaged = header.fields.get('average_output');
  if (averaged !== undefined) throw new ModelTextError(averaged.line, 'random forests (boosting=rf) are not supported');
}

function readSigmoid(header: TextSection): number {
  const { line, value } = requiredField(header, 'objective');
  const [objective, ...settings] = value.trim().split(/ +/);
  if (objective !== 'binary')
    throw new ModelTextError(line, `objective "${objective}" is not supported, only "binary"`);
  const setting = settings.find((word) => word.startsWith('sigmoid:'));
  const sigmoid = setting === undefined ? 1 : Number(setting.slice('sigmoid:'.length));
  if (!(sigmoid > 0 && sigmoid < Number.POSITIVE_INFINITY)) {
    throw new ModelTextError(line, `"${setting}" is not a positive number`);
  }
  return sigmoid;
}
