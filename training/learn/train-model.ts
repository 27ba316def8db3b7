import { contentVersion } from '../../shared/domain/model/artefact-blob';
import { forestScorer } from '../../shared/domain/model/forest';
import type { ModelArtefact, ModelCard, ModelMetrics } from '../../shared/domain/model/model-artefact';
import { parseLightgbm } from '../../shared/domain/model/parse-lightgbm';
import { PROBABILITY_SHIFT } from '../../shared/domain/screening/score';
import { writeLightgbm } from '../lightgbm/write-lightgbm';
import { type TrainedModel, train } from '../trainer/train';
import type { TrainSettings } from '../trainer/train-settings';
import type { TrainingData } from '../trainer/training-data';
import { fitCalibration, type Line } from './fit-calibration';
import type { AttributeFinding } from './learn-attributes';
import { modelMetrics, scoreShares } from './model-metrics';
import { sampleRows } from './sample-rows';
import { featureGains, strongestFeatures } from './select-features';
import { isRiskEvidence, slice, type TrainingMatrix, trainingMatrix } from './training-matrix';
import type { TrainingRow } from './training-row';

/** Settings that held up on every kind of traffic we have; by LightGBM's names. */
const SETTINGS: Partial<TrainSettings> = {
  num_iterations: 400,
  learning_rate: 0.05,
  num_leaves: 24,
  min_data_in_leaf: 30,
  min_sum_hessian_in_leaf: 0.5,
  lambda_l2: 5,
  feature_fraction: 0.6,
  bagging_fraction: 0.8,
  bagging_freq: 1,
  early_stopping_round: 30,
  metric: 'binary_logloss',
};
/** The newest share of the rows, held back to stop by, to calibrate by and to judge by. */
const HOLDOUT_SHARE = 0.2;
/** With fewer frauds than this on either side nothing is held back, and training is short. */
const LEAST_HOLDOUT_FRAUD = 15;
const TREES_WITHOUT_HOLDOUT = 60;
const MOST_ROWS = 120_000;

/** What a training needs beside its rows. */
export interface TrainModelOptions {
  readonly nowMs: number;
  readonly source: ModelCard['source'];
  /** The model in force. @default none */
  readonly parent?: string | null;
  /** @default 1 */
  readonly seed?: number;
  /** More rows are sampled down to this many. @default 120,000 */
  readonly mostRows?: number;
  /** By LightGBM's names, where they should differ from ours. */
  readonly settings?: Partial<TrainSettings>;
  /** Told after each tree; false ends the training with what there is. */
  readonly onTree?: (trees: number) => boolean | undefined;
}

/** A trained model, and what it made of the newest rows before it was given them. */
export interface ModelTraining {
  readonly artefact: ModelArtefact;
  /** As LightGBM reads it. */
  readonly text: string;
  readonly findings: readonly AttributeFinding[];
}

/**
 * From labelled rows to a model: learns the attributes, picks the features that help, stops, calibrates and is judged
 * on the newest fifth of the rows, and is then trained once more on all of them. Deterministic by seed.
 */
export function trainModel(rows: readonly TrainingRow[], options: TrainModelOptions): ModelTraining {
  const seed = options.seed ?? 1;
  const sampled = sampleRows(rows, options.mostRows ?? MOST_ROWS, seed);
  const matrix = trainingMatrix(sampled);
  const cut = holdoutCut(matrix.labels);
  const features = strongestFeatures(matrix, cut ?? matrix.labels.length, seed);
  const settings = {
    ...SETTINGS,
    ...options.settings,
    seed,
    monotone_constraints: features.map((f) => monotone(matrix, f)),
  };
  const onTree = options.onTree && ((trees: number) => options.onTree?.(trees));
  const judged = cut === undefined ? undefined : judge(matrix, features, settings, cut, onTree);
  const final = train(slice(matrix, range(0, matrix.labels.length), features), {
    settings: { ...settings, num_iterations: judged?.trees ?? TREES_WITHOUT_HOLDOUT },
    ...(onTree === undefined ? {} : { onTree }),
  });
  const text = writeLightgbm(final);
  const content: Omit<ModelArtefact, 'version'> = {
    forest: parseLightgbm(text),
    attributes: { columns: matrix.schema.columns.filter(({ feature }) => final.featureNames.includes(feature)) },
    calibration: { ...(judged?.line ?? { slope: 0.8, intercept: 0 }), role: 'replace' },
    trust: { judged: roundedCounts(matrix.judged) },
    card: card(sampled, rows, final, judged, options),
  };
  const day = new Date(options.nowMs).toISOString().slice(0, 10).replaceAll('-', '');
  return {
    artefact: { version: contentVersion(`model-${day}`, content), ...content },
    text,
    findings: matrix.findings,
  };
}

interface Judged {
  readonly trees: number;
  readonly line: Line;
  readonly metrics: ModelMetrics;
  readonly shares: readonly number[];
}

/** Trains on the older rows, and looks at what that makes of the newest. */
function judge(
  matrix: TrainingMatrix,
  features: readonly number[],
  settings: Partial<TrainSettings>,
  cut: number,
  onTree: ((trees: number) => boolean | undefined) | undefined,
): Judged {
  const holdout = slice(matrix, range(cut, matrix.labels.length), features);
  const model = train(slice(matrix, range(0, cut), features), {
    settings,
    holdout,
    ...(onTree === undefined ? {} : { onTree }),
  });
  const logOdds = rawScores(model, holdout);
  const line = fitCalibration(logOdds, holdout.labels, holdout.weights as Float64Array);
  const calibrated = logOdds.map((value) => line.slope * value + line.intercept);
  const scores = calibrated.map((value) => Math.round(100 / (1 + Math.exp(-(value + PROBABILITY_SHIFT) / 2))));
  const probabilities = calibrated.map((value) => 1 / (1 + Math.exp(-value)));
  // A forest that sees a quarter more rows can carry a few trees more.
  const trees = Math.max(10, Math.round(model.trees.length * 1.1));
  return {
    trees,
    line,
    metrics: modelMetrics({ scores, probabilities, labels: holdout.labels }),
    shares: scoreShares(scores),
  };
}

function rawScores(model: TrainedModel, { values, labels, featureNames }: TrainingData): Float64Array {
  const score = forestScorer(parseLightgbm(writeLightgbm(model)));
  const width = featureNames.length;
  return Float64Array.from(labels, (_, row) => score(values.subarray(row * width, (row + 1) * width)));
}

/** Where the holdout begins; undefined when either side would have too little fraud to say anything. */
function holdoutCut(labels: Uint8Array): number | undefined {
  const cut = Math.floor(labels.length * (1 - HOLDOUT_SHARE));
  const fraud = (part: Uint8Array) => part.reduce((sum, label) => sum + label, 0);
  const least = Math.min(fraud(labels.subarray(0, cut)), fraud(labels.subarray(cut)));
  return least < LEAST_HOLDOUT_FRAUD ? undefined : cut;
}

const monotone = ({ featureNames }: TrainingMatrix, feature: number): 0 | 1 =>
  isRiskEvidence(featureNames[feature] as string) ? 1 : 0;

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

const roundedCounts = (judged: TrainingMatrix['judged']): Record<string, number[]> =>
  Object.fromEntries(Object.entries(judged).map(([name, counts]) => [name, counts.map(Math.round)]));

function card(
  sampled: readonly TrainingRow[],
  rows: readonly TrainingRow[],
  model: TrainedModel,
  judged: Judged | undefined,
  { nowMs, source, parent = null }: TrainModelOptions,
): ModelCard {
  const iso = (row: TrainingRow | undefined) => new Date(row?.screened_at_ms ?? nowMs).toISOString();
  const fraud = rows.reduce((sum, { label }) => sum + label, 0);
  const { monotone_constraints, ...settings } = model.settings;
  return {
    source,
    trained_at: new Date(nowMs).toISOString(),
    parent,
    window: { from: iso(sampled[0]), to: iso(sampled.at(-1)) },
    rows: sampled.length,
    labels: { fraud, legitimate: rows.length - fraud },
    holdout: judged?.metrics ?? null,
    score_shares: judged?.shares ?? [],
    features: featureGains(model),
    monotone: Object.fromEntries(
      model.featureNames.flatMap((name, i) => (monotone_constraints[i] === 1 ? [[name, 1 as const]] : [])),
    ),
    settings,
  };
}
