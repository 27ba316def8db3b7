import { type Random, sampleInto, seededRandom } from '../../../shared/domain/models/seeded-random';
import { type BinnedRows, binRows } from './bin-rows';
import { binaryObjective } from './binary-objective';
import { type FeatureBins, findBins } from './find-bins';
import { splitFeatures, treeGrower } from './grow-tree';
import { holdoutWatch } from './holdout-watch';
import { type TrainSettings, trainSettings } from './train-settings';
import { leafOfRow, singleLeaf, type TrainedTree, withBias } from './trained-tree';
import { checkTrainingData, type TrainingData } from './training-data';

export interface TrainedModel {
  readonly featureNames: readonly string[];
  readonly ranges: ReadonlyArray<{ readonly least: number; readonly greatest: number }>;
  /** Their sum is the log-odds; the starting score is in the first. */
  readonly trees: readonly TrainedTree[];
  readonly settings: TrainSettings;
  /** The metric on the holdout after each tree that was grown; empty without a holdout. */
  readonly holdoutHistory: readonly number[];
}

export interface TrainOptions {
  readonly settings?: Partial<TrainSettings>;
  /** Rows for early stopping, later in time than the others; the model keeps the trees up to the best point on them. */
  readonly holdout?: TrainingData;
  /** Trees that are kept, whatever the holdout says. @default 1 */
  readonly leastTrees?: number;
  /** Called after each tree; false ends training with the trees so far (a deadline, a cancelled job). */
  readonly onTree?: (trees: number, holdoutMetric: number | undefined) => boolean | undefined;
}

/**
 * Histogram-based, leaf-wise gradient boosting, as in LightGBM. The same rows, settings and seed give the same
 * model to the last bit on one version of Node.
 */
export function train(data: TrainingData, options: TrainOptions = {}): TrainedModel {
  checkTrainingData(data);
  if (options.holdout !== undefined) checkTrainingData(options.holdout);
  const settings = trainSettings(options.settings ?? {}, data.featureNames.length);
  const { leastTrees = 1 } = options;
  const random = seededRandom(settings.seed);
  const bins = findBins(data, settings.max_bin, random);
  // Trees are grown over the useful features alone, and renumbered at the end.
  const useful = bins.filter(({ isUseful }) => isUseful);
  const rows = binRows(data.values, data.labels.length, bins.length, useful);
  const { startScore, derive } = binaryObjective(data, settings.scale_pos_weight);
  const features = splitFeatures(useful, settings);
  const grower = treeGrower(rows, useful, { features, settings, rowWeight: meanWeight(data) });
  const sampling = sampler(rows.rows, useful.length, settings, random);
  const scores = new Float64Array(rows.rows).fill(startScore);
  const gradients = new Float64Array(rows.rows);
  const hessians = new Float64Array(rows.rows);
  const holdout = openHoldout(options.holdout, { names: data.featureNames, useful, startScore, settings });

  const trees: TrainedTree[] = [];
  for (let round = 0; round < settings.num_iterations; round++) {
    derive(scores, gradients, hessians);
    const count = sampling.drawRows(round, grower.rows);
    const { tree: grown, starts } = grower.grow(gradients, hessians, count, sampling.drawFeatures());
    if (grown.features.length === 0) {
      // No split gains: a different draw might, the same rows and features never will.
      if (sampling.isRandom) continue;
      break;
    }
    const isFirst = trees.length === 0;
    const tree = isFirst ? withBias(grown, startScore) : grown;
    trees.push(tree);
    // The first tree replaces the starting score; added to it, the last bit could differ from the written model's.
    if (isFirst) scores.fill(0);
    if (isFirst) holdout?.scores.fill(0);
    const bag = { rows: grower.rows, count };
    addByRuns(scores, tree, bag, starts);
    if (count < rows.rows) addLeftOut(scores, tree, { rows, valueBins: features.valueBins }, bag);
    if (holdout !== undefined) addAll(holdout.scores, tree, { rows: holdout.rows, valueBins: features.valueBins });
    const isOver = (holdout?.watch.look(holdout.scores, trees.length) ?? false) && trees.length >= leastTrees;
    if (options.onTree?.(trees.length, holdout?.watch.history.at(-1)) === false || isOver) break;
  }
  const best = settings.early_stopping_round > 0 && holdout !== undefined ? holdout.watch.best.trees : trees.length;
  const kept = Math.max(leastTrees, best);
  return {
    featureNames: data.featureNames,
    ranges: bins.map(({ least, greatest }) => ({ least, greatest })),
    trees: (trees.length === 0 ? [singleLeaf(startScore, rows.rows)] : trees.slice(0, kept)).map((tree) => ({
      ...tree,
      features: tree.features.map((i) => (useful[i] as FeatureBins).feature),
    })),
    settings,
    holdoutHistory: holdout?.watch.history ?? [],
  };
}

function meanWeight({ weights = [1] }: { readonly weights?: Iterable<number> & ArrayLike<number> }): number {
  let sum = 0;
  for (const weight of weights) sum += weight;
  return sum / Math.max(1, weights.length);
}

/** The frame that the holdout shares with the rows that trees are grown on. */
interface HoldoutFrame {
  readonly names: readonly string[];
  readonly useful: readonly FeatureBins[];
  readonly startScore: number;
  readonly settings: TrainSettings;
}

/** The holdout in bins, with its scores so far; an empty one is ignored, since it would stop training at once. */
function openHoldout(data: TrainingData | undefined, { names, useful, startScore, settings }: HoldoutFrame) {
  if (data === undefined || data.labels.length === 0) return undefined;
  if (data.featureNames.join(' ') !== names.join(' ')) throw new Error('the holdout has other features');
  const rows = binRows(data.values, data.labels.length, names.length, useful);
  const scores = new Float64Array(rows.rows).fill(startScore);
  return { rows, scores, watch: holdoutWatch(data.labels, settings, data.owners) };
}

function sampler(rows: number, features: number, settings: TrainSettings, random: Random) {
  const { bagging_fraction, bagging_freq, feature_fraction } = settings;
  const perTree = Math.max(1, Math.round(features * feature_fraction));
  const drawn = new Uint32Array(features);
  const isBagging = bagging_freq > 0 && bagging_fraction < 1;
  const bag = Uint32Array.from({ length: rows }, (_, row) => row);
  const all = Array.from({ length: features }, (_, feature) => feature);
  let inBag = rows;
  return {
    isRandom: isBagging || perTree < features,
    drawRows(round: number, target: Uint32Array): number {
      if (isBagging && round % bagging_freq === 0) {
        inBag = sampleInto(bag, Math.max(1, Math.round(rows * bagging_fraction)), rows, random);
      }
      target.set(bag.subarray(0, inBag));
      return inBag;
    },
    drawFeatures(): readonly number[] {
      if (perTree >= features) return all;
      const count = sampleInto(drawn, perTree, features, random);
      return Array.from(drawn.subarray(0, count));
    },
  };
}

/** The rows that a tree was grown on: the first `count`, in leaf order. */
interface Bag {
  readonly rows: Uint32Array;
  readonly count: number;
}

interface WalkedRows {
  readonly rows: BinnedRows;
  readonly valueBins: Uint16Array;
}

function addByRuns(scores: Float64Array, tree: TrainedTree, { rows, count }: Bag, starts: Uint32Array): void {
  starts.forEach((start, leaf) => {
    const end = start + (tree.leafCounts[leaf] as number);
    const value = tree.leafValues[leaf] as number;
    for (let i = start; i < Math.min(end, count); i++) (scores[rows[i] as number] as number) += value;
  });
}

function addLeftOut(scores: Float64Array, tree: TrainedTree, { rows, valueBins }: WalkedRows, bag: Bag): void {
  const isInBag = new Uint8Array(rows.rows);
  for (let i = 0; i < bag.count; i++) isInBag[bag.rows[i] as number] = 1;
  for (let row = 0; row < rows.rows; row++) {
    if (isInBag[row] === 1) continue;
    (scores[row] as number) += tree.leafValues[leafOfRow(tree, rows, valueBins, row)] as number;
  }
}

function addAll(scores: Float64Array, tree: TrainedTree, { rows, valueBins }: WalkedRows): void {
  for (let row = 0; row < rows.rows; row++) {
    (scores[row] as number) += tree.leafValues[leafOfRow(tree, rows, valueBins, row)] as number;
  }
}
