import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { byAccount, cappedWeights, ownerOf, TEACHING_RULE } from '../../../shared/domain/models/account-shares';
import { contentVersion } from '../../../shared/domain/models/artefact-blob';
import { scoreShares } from '../../../shared/domain/models/evaluation/calibration';
import { modelMetrics } from '../../../shared/domain/models/evaluation/model-metrics';
import { forestScorer } from '../../../shared/domain/models/forest';
import type { ModelArtefact, ModelCard } from '../../../shared/domain/models/model-artefact';
import { parseLightgbm } from '../../../shared/domain/models/parse-lightgbm';
import { storedSignals } from '../../../shared/domain/models/row-scorer';
import { accountScope, inputScorer } from '../../../shared/domain/models/scoring-model';
import { type TrainingRow, vectorOf } from '../../../shared/domain/models/training-row';
import { holdOut, TRAINING_RULE } from '../../../shared/domain/models/training-rule';
import { score } from '../../../shared/domain/screening/score';
import type { HeldOutRows, TrainingPlan } from '../../../shared/usecases/models/model-files';
import { writeLightgbm } from '../lightgbm/write-lightgbm';
import { type TrainedModel, type TrainOptions, train } from '../trainer/train';
import type { TrainSettings } from '../trainer/train-settings';
import type { TrainingData } from '../trainer/training-data';
import { calibrateOverTime, type HeldOutFold } from './calibrate-over-time';
import { fitBounds } from './fit-bounds';
import type { Line } from './fit-calibration';
import type { AttributeFinding } from './learn-attributes';
import { rowProposals } from './row-proposals';
import { sampleRows } from './sample-rows';
import { featureGains, strongestFeatures } from './select-features';
import { isRiskEvidence, slice, type TrainingMatrix, trainingMatrix } from './training-matrix';

/** Settings that worked well on every kind of traffic we have, under LightGBM's names. */
export const SETTINGS: Partial<TrainSettings> = {
  num_iterations: 250,
  learning_rate: 0.04,
  num_leaves: 6,
  min_data_in_leaf: 30,
  rows_by_hessian: true,
  min_sum_hessian_in_leaf: 0.5,
  lambda_l2: 2,
  feature_fraction: 0.8,
  bagging_fraction: 0.8,
  bagging_freq: 1,
  early_stopping_round: 30,
  metric: 'binary_logloss',
};
/** The rows held out for early stopping, calibration and evaluation. */
export const HOLDOUT_RULE = {
  /** The newest rows: at least a fifth, and no more than this. */
  share: TRAINING_RULE.holdout_shares[0],
  most_rows: 30_000,
  /** Where too few of either kind could be held out, training is short. */
  trees_without: 60,
  line_without: { slope: 0.8, intercept: 0 },
  /** A forest trained on a quarter more rows can support a few more trees. */
  more_trees: 1.1,
  /**
   * At least this share of the trees is kept. Twenty held-out frauds are two or three sprees: they stop training after 40 trees
   * in one run and 400 in the next, by chance. Small trees hardly overfit, and calibration takes care of their confidence.
   */
  least_trees_share: 0.4,
} as const;
export const FOLD_RULE = {
  /** Folds before the newest rows, as shares of the older rows: each forest learns from what came before its fold. */
  earlier: [
    [0.5, 0.75],
    [0.75, 1],
  ],
  /** Their forests take steps twice as large, in half the time: only their calibration matters. */
  haste: 2,
  least_fraud: 15,
  /** One that was cut short by a deadline has fewer. */
  least_trees: 5,
} as const;
const MOST_ROWS = 60_000;

/** Options of training besides its rows. */
export interface TrainModelOptions {
  readonly nowMs: number;
  readonly source: ModelCard['source'];
  /** The champion: a new model's calibration stays close to its. @default none */
  readonly parent?: (Pick<ModelArtefact, 'version' | 'calibration'> & Partial<Pick<ModelArtefact, 'card'>>) | undefined;
  /** @default 1 */
  readonly seed?: number;
  /** Older rows are sampled down to this many. @default 60,000 */
  readonly mostRows?: number;
  readonly settings?: Partial<TrainSettings>;
  /** Called after each tree; false ends training with the trees grown so far. */
  readonly onTree?: (trees: number) => boolean | undefined;
  /** Other measurements, for the card. @default proposals from the attributes observed in the rows */
  readonly measured?: Pick<ModelCard, 'cross_validation' | 'worth_tracking'> | undefined;
  /** Train exactly like this: nothing is selected, stopped early or calibrated again. */
  readonly plan?: TrainingPlan | undefined;
}

export interface TrainingResult {
  readonly artefact: ModelArtefact;
  /** In LightGBM's text format. */
  readonly text: string;
  /** Decisions besides the trees, to train another model the same way. */
  readonly plan: TrainingPlan;
  readonly findings: readonly AttributeFinding[];
  /** The held-out rows, with the scores of a model that had not seen them; undefined if there was too little fraud. */
  readonly heldOut: HeldOutRows | undefined;
}

/**
 * From labelled rows to a model: learns the attributes, selects the useful features, stops early, calibrates and evaluates
 * on the newest rows, then trains again on all rows. Deterministic by seed.
 */
export function trainModel(rows: readonly TrainingRow[], options: TrainModelOptions): TrainingResult {
  const seed = options.seed ?? 1;
  const { older, newest } = holdOut(rows, options.parent, HOLDOUT_RULE.most_rows) ?? { older: rows, newest: [] };
  const sampled = [...sampleRows(older, options.mostRows ?? MOST_ROWS, seed), ...newest];
  const cut = sampled.length - newest.length;
  // No account has more than its share of what is learnt from, nor of what it is evaluated on, nor of both together.
  const apart = [...cappedWeights(sampled.slice(0, cut)), ...cappedWeights(newest)];
  const matrix = trainingMatrix(sampled, Float64Array.from(apart));
  const { plan } = options;
  const features = plan ? positionsOf(matrix, plan.features) : strongestFeatures(matrix, cut, seed);
  const settings = {
    ...SETTINGS,
    ...options.settings,
    seed,
    monotone_constraints: features.map((at) => (isRiskEvidence(matrix.featureNames[at] as string) ? 1 : 0)),
  };
  const onTree = options.onTree && ((trees: number) => options.onTree?.(trees));
  const watched = onTree === undefined ? {} : { onTree };
  const heldOut =
    plan || newest.length === 0
      ? undefined
      : evaluate({ matrix, features, sampled, cut }, { settings, ...watched, parent: options.parent });
  const trees = plan?.trees ?? heldOut?.trees ?? HOLDOUT_RULE.trees_without;
  const line = plan?.line ?? heldOut?.line ?? HOLDOUT_RULE.line_without;
  const together = { ...matrix, weights: cappedWeights(sampled) };
  const final = train(slice(together, range(0, sampled.length), features), {
    settings: { ...settings, num_iterations: trees },
    ...watched,
  });
  const text = writeLightgbm(final);
  const content: Omit<ModelArtefact, 'version'> = {
    forest: parseLightgbm(text),
    attributes: { columns: matrix.schema.columns.filter(({ feature }) => final.featureNames.includes(feature)) },
    calibration: { ...line, role: 'replace' },
    trust: { judged: matrix.judged },
    ...audienceOf(rows),
    card: card({ sampled, rows, model: final, heldOut }, options),
  };
  const day = new Date(options.nowMs).toISOString().slice(0, 10).replaceAll('-', '');
  const version = contentVersion(`model-${day}`, content);
  const followed = { features: features.map((at) => matrix.featureNames[at] as string), trees, line };
  return { artefact: { version, ...content }, text, plan: followed, findings: matrix.findings, heldOut };
}

const positionsOf = ({ featureNames }: TrainingMatrix, names: readonly string[]): number[] =>
  featureNames.flatMap((name, at) => (names.includes(name) ? [at] : []));

/** Few accounts speak for themselves: until there are several, a model only scores for those that taught it. */
function audienceOf(rows: readonly TrainingRow[]): Pick<ModelArtefact, 'audience'> {
  const accounts = [...byAccount(rows).keys()];
  if (accounts.includes('') || accounts.length >= TEACHING_RULE.shared_from) return {};
  return { audience: accounts.map(accountScope).sort((a, b) => a - b) };
}

interface Evaluated extends HeldOutRows {
  readonly trees: number;
  readonly line: Line;
}

interface Prepared {
  readonly matrix: TrainingMatrix;
  readonly features: readonly number[];
  readonly sampled: readonly TrainingRow[];
  readonly cut: number;
}

type EvaluateOptions = Omit<TrainOptions, 'holdout'> & Pick<TrainModelOptions, 'parent'>;

function evaluate(prepared: Prepared, { parent, ...options }: EvaluateOptions): Evaluated {
  const { matrix, sampled, cut } = prepared;
  const newest = sampled.slice(cut);
  const { model, fold, inputs, shift } = trainBefore(prepared, [cut, sampled.length], options);
  const screenedAtMs = Float64Array.from(sampled, ({ screened_at_ms }) => screened_at_ms);
  const folds = [...earlierFolds(prepared, options), fold];
  const all = { labels: matrix.labels, weights: Float64Array.from(matrix.weights), screenedAtMs };
  const line = fitBounds(calibrateOverTime(folds, all, lineOf(parent)), fold);
  const scores = new Uint8Array(newest.length);
  const probabilities = new Float64Array(newest.length);
  const expected = new Float64Array(newest.length);
  const calibration = { slope: line.slope, intercept: line.intercept + line.slope * shift, role: 'replace' } as const;
  const forest = parseLightgbm(writeLightgbm(model));
  const opinionOf = inputScorer({ forest, version: '', trust: { judged: matrix.judged }, calibration });
  const width = inputs.featureNames.length;
  newest.forEach((row, i) => {
    const fired = storedSignals(vectorOf(row));
    // Scored as a screening would be, with signals as well as the model.
    const said = score(fired, DEFAULT_SETTINGS, opinionOf(inputs.values.subarray(i * width, (i + 1) * width), fired));
    scores[i] = said.risk_score;
    probabilities[i] = said.probability;
    expected[i] = 1 / (1 + Math.exp(-line.slope * (fold.logOdds[i] as number) - line.intercept));
  });
  const trees = Math.round(model.trees.length * HOLDOUT_RULE.more_trees);
  return { trees, line, rows: newest, scores, probabilities, expected };
}

/** Trains on the rows before a span, stops early on those of the span, and returns the forest's scores of them. */
function trainBefore(
  { matrix, features, sampled }: Prepared,
  [from, to]: readonly [number, number],
  options: Omit<TrainOptions, 'holdout'>,
): { readonly model: TrainedModel; readonly fold: HeldOutFold; readonly inputs: TrainingData; readonly shift: number } {
  const owners = sampled.slice(from, to).map(ownerOf);
  const holdout = { ...slice(matrix, range(from, to), features), owners };
  const model = train(slice(matrix, range(0, from), features), {
    ...options,
    holdout,
    leastTrees: leastTrees(options.settings),
  });
  const { labels, weights } = holdout;
  // A forest starts from the share of fraud in its own rows. The one that is kept will start from that of all rows.
  const shift = fraudLogOdds(matrix, matrix.labels.length) - fraudLogOdds(matrix, from);
  const logOdds = rawScores(model, holdout).map((raw) => raw + shift);
  return { model, fold: { logOdds, labels, weights: weights as Float64Array }, inputs: holdout, shift };
}

const leastTrees = ({ num_iterations = 1 }: Partial<TrainSettings> = {}): number =>
  Math.ceil(HOLDOUT_RULE.least_trees_share * num_iterations);

function fraudLogOdds({ labels, weights }: TrainingMatrix, end: number): number {
  const sums: [number, number] = [0, 0];
  for (let i = 0; i < end; i++) sums[labels[i] as 0 | 1] += weights[i] as number;
  return Math.log(sums[1] / sums[0]);
}

/** More rows to calibrate on, from before the newest; a fold with too little fraud, or cut short by a deadline, is left out. */
function earlierFolds(prepared: Prepared, { settings, onTree }: Omit<TrainOptions, 'holdout'>): HeldOutFold[] {
  const { matrix, cut } = prepared;
  const fraudIn = (from: number, to: number) => matrix.labels.subarray(from, to).reduce((sum, label) => sum + label, 0);
  const { num_iterations = 1, learning_rate = 1, early_stopping_round = 0 } = settings ?? {};
  const hasty = {
    ...settings,
    num_iterations: Math.ceil(num_iterations / FOLD_RULE.haste),
    learning_rate: learning_rate * FOLD_RULE.haste,
    early_stopping_round: Math.ceil(early_stopping_round / FOLD_RULE.haste),
  };
  return FOLD_RULE.earlier.flatMap((share) => {
    const [from, to] = share.map((part) => Math.floor(part * cut)) as [number, number];
    if (Math.min(fraudIn(0, from), fraudIn(from, to)) < FOLD_RULE.least_fraud) return [];
    const { model, fold } = trainBefore(prepared, [from, to], { settings: hasty, ...(onTree ? { onTree } : {}) });
    return model.trees.length < FOLD_RULE.least_trees ? [] : [fold];
  });
}

/** The base model only nudges: its line says nothing about probabilities. */
const lineOf = (parent: TrainModelOptions['parent']): Line | undefined =>
  parent?.calibration.role === 'replace' ? parent.calibration : undefined;

function rawScores(model: TrainedModel, { values, labels, featureNames }: TrainingData): Float64Array {
  const scoreOf = forestScorer(parseLightgbm(writeLightgbm(model)));
  const width = featureNames.length;
  return Float64Array.from(labels, (_, row) => scoreOf(values.subarray(row * width, (row + 1) * width)));
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

interface Training {
  readonly sampled: readonly TrainingRow[];
  readonly rows: readonly TrainingRow[];
  readonly model: TrainedModel;
  readonly heldOut: Evaluated | undefined;
}

function card(
  { sampled, rows, model, heldOut }: Training,
  { nowMs, source, parent, measured, plan }: TrainModelOptions,
): ModelCard {
  // A model that is only trained to be compared with another has no reader.
  const worth_tracking = measured?.worth_tracking ?? (plan ? [] : rowProposals(sampled));
  const iso = (row: TrainingRow | undefined) => new Date(row?.screened_at_ms ?? nowMs).toISOString();
  const fraud = rows.reduce((sum, { label }) => sum + label, 0);
  const { monotone_constraints, ...settings } = model.settings;
  return {
    source,
    trained_at: new Date(nowMs).toISOString(),
    parent: parent?.version ?? null,
    window: { from: iso(sampled[0]), to: iso(sampled.at(-1)) },
    rows: sampled.length,
    labels: { fraud, legitimate: rows.length - fraud },
    holdout: heldOut ? modelMetrics({ ...heldOut, labels: Uint8Array.from(heldOut.rows, ({ label }) => label) }) : null,
    ...(measured?.cross_validation === undefined ? {} : { cross_validation: measured.cross_validation }),
    ...(worth_tracking.length === 0 ? {} : { worth_tracking }),
    score_shares: heldOut ? scoreShares(heldOut.scores) : [],
    features: featureGains(model),
    monotone: Object.fromEntries(
      model.featureNames.flatMap((name, i) => (monotone_constraints[i] === 1 ? [[name, 1 as const]] : [])),
    ),
    settings,
  };
}
