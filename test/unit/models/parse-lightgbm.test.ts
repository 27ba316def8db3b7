import { forestScorer } from '../../../shared/domain/models/forest';
import { ModelTextError } from '../../../shared/domain/models/model-text';
import { parseLightgbm } from '../../../shared/domain/models/parse-lightgbm';
import { GOLDEN_MODELS, goldenVectors, modelText } from './golden';

const numerical = modelText('numerical-nan');
const categorical = modelText('categorical');

/** The line on which the text first has the pattern, counted from 1. */
const lineOf = (text: string, pattern: RegExp) => text.split('\n').findIndex((line) => pattern.test(line)) + 1;

function fault(text: string): ModelTextError {
  try {
    parseLightgbm(text);
  } catch (error) {
    if (error instanceof ModelTextError) return error;
    throw error;
  }
  throw new Error('the text was read');
}

it('reads a split that separates missing values from all others', () => {
  const text = [
    'tree',
    'version=v4',
    'num_class=1',
    'num_tree_per_iteration=1',
    'max_feature_idx=0',
    'objective=binary sigmoid:1',
    'feature_names=amount',
    '',
    'Tree=0',
    'num_leaves=2',
    'num_cat=0',
    'split_feature=0',
    'threshold=inf',
    'decision_type=8',
    'left_child=-1',
    'right_child=-2',
    'leaf_value=1 2',
    'leaf_count=5 5',
    '',
    'end of trees',
    '',
  ].join('\n');
  const score = forestScorer(parseLightgbm(text));
  const scores = [-5, 0, 3e38, Number.NaN].map((value) => score(Float32Array.of(value)));
  expect(scores).toEqual([1, 1, 1, 2]);
});

describe('parseLightgbm complains by line', () => {
  const faults: ReadonlyArray<readonly [what: string, text: string, [pattern: RegExp, replacement: string], RegExp]> = [
    [
      'a number that is none',
      numerical,
      [/^threshold=\S+/, 'threshold=abc'],
      /"threshold" number 1 is not a finite number: "abc"/,
    ],
    ['NaN', numerical, [/^leaf_value=\S+/, 'leaf_value=nan'], /"leaf_value" number 1/],
    ['infinity', numerical, [/^leaf_value=\S+/, 'leaf_value=inf'], /finite/],
    ['a threshold below everything', numerical, [/^threshold=\S+/, 'threshold=-inf'], /finite/],
    ['a threshold that JavaScript would write', numerical, [/^threshold=\S+/, 'threshold=Infinity'], /finite/],
    ['too few numbers', numerical, [/^left_child=\S+ /, 'left_child='], /"left_child" has 10 numbers where 11 belong/],
    [
      'a feature out of range',
      numerical,
      [/^split_feature=\d+/, 'split_feature=6'],
      /feature 6 does not exist, there are 6/,
    ],
    ['a fraction for a feature', numerical, [/^split_feature=\d+/, 'split_feature=0.5'], /whole/],
    ['an unknown decision', numerical, [/^decision_type=\d+/, 'decision_type=12'], /12 is not a decision type/],
    [
      'a leaf out of range',
      numerical,
      [/^left_child=-?\d+/, 'left_child=-13'],
      /node 0 points to -13, which is not a leaf/,
    ],
    [
      'a walk in circles',
      numerical,
      [/^left_child=-?\d+/, 'left_child=0'],
      /node 0 points to 0, which is not a later node/,
    ],
    ['leaves', numerical, [/^num_leaves=12/, 'num_leaves=x'], /whole number from 1, not "x"/],
    ['linear trees', numerical, [/^is_linear=0/, 'is_linear=1'], /linear trees/],
    ['trees out of order', numerical, [/^Tree=3/, 'Tree=4'], /expected Tree=3/],
    ['another objective', numerical, [/^objective=.*/, 'objective=regression'], /objective "regression"/],
    ['a sigmoid of 0', numerical, [/^objective=.*/, 'objective=binary sigmoid:0'], /sigmoid:0/],
    ['many classes', numerical, [/^num_class=1/, 'num_class=3'], /"num_class" must be 1/],
    ['another version', numerical, [/^version=v4/, 'version=v9'], /version v9/],
    ['a name too few', numerical, [/^feature_names=\S+ /, 'feature_names='], /5 feature names/],
    ['no first line', numerical, [/^tree$/, 'forest'], /expected "tree"/],
    ['a field twice', numerical, [/^num_cat=0/, 'num_leaves=12'], /"num_leaves" is given twice/],
    ['a random forest', numerical, [/^num_class=1/, 'num_class=1\naverage_output'], /random forests/],
    ['an unknown category set', categorical, [/^threshold=\d+/, 'threshold=99'], /category set 99 does not exist/],
    ['bounds that fall', categorical, [/^cat_boundaries=0 \d+/, 'cat_boundaries=0 9'], /"cat_boundaries" must rise/],
  ];

  it.each(faults)('%s', (_what, text, [pattern, replacement], message) => {
    const broken = text.replace(new RegExp(pattern.source, 'm'), replacement);
    expect(broken).not.toBe(text);
    const error = fault(broken);
    expect(error.message).toMatch(message);
    // The complaint is about the line that was changed, or (children share a check) its neighbour.
    const added = replacement.includes('\n') ? 1 : 0;
    expect(error.line).toBe(lineOf(text, pattern) + added);
    expect(error.message).toContain(`line ${error.line}:`);
  });

  it('absent fields, by the line where their section begins', () => {
    const error = fault(numerical.replace(/^leaf_value=.*\n/m, ''));
    expect(error.message).toMatch(/"leaf_value" is absent/);
    expect(error.line).toBe(lineOf(numerical, /^Tree=0/));
  });

  it('a text cut short, wherever it was cut', () => {
    const end = numerical.indexOf('end of trees');
    for (let cut = 0; cut < end; cut += 97) expect(fault(numerical.slice(0, cut))).toBeInstanceOf(ModelTextError);
  });

  it('a child that hangs twice', () => {
    const first = numerical.match(/^right_child=(\S+)/m)?.[1] as string;
    expect(fault(numerical.replace(/^left_child=\S+/m, `left_child=${first}`)).message).toMatch(
      /hangs in the tree twice/,
    );
  });
});

describe('parseLightgbm does not mind', () => {
  it.each(GOLDEN_MODELS)('%s with foreign line ends, other tree sizes and no tail', (name) => {
    const text = modelText(name)
      .replace(/^tree_sizes=.*$/m, 'tree_sizes=1 2 3')
      .replace(/(end of trees)[\s\S]*/, '$1')
      .replaceAll('\n', '\r\n');
    const score = forestScorer(parseLightgbm(text));
    for (const { vector, raw } of goldenVectors(name)) expect(score(vector)).toBe(raw);
  });

  it('a model without counts: attributions then weigh leaves alike', () => {
    expect(() => parseLightgbm(numerical.replaceAll(/^leaf_count=.*\n/gm, ''))).not.toThrow();
  });

  it('reads feature names and sigmoid', () => {
    const { featureNames, sigmoid } = parseLightgbm(modelText('sigmoid'));
    expect(featureNames).toEqual(['a=b', 'ß', 'c.d', 'e/f', 'g_h', 'i-j']);
    expect(sigmoid).toBe(0.7);
  });
});
