import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auc } from '../shared/domain/models/evaluation/ranking-curve';
import { type Forest, forestScorer } from '../shared/domain/models/forest';
import { decodeForest, encodeForest } from '../shared/domain/models/forest-blob';
import { parseLightgbm } from '../shared/domain/models/parse-lightgbm';
import { pathAttributor } from '../shared/domain/models/path-attribution';
import { seededRandom } from '../shared/domain/models/seeded-random';
import { writeLightgbm } from '../training/engine/lightgbm/write-lightgbm';
import { train } from '../training/engine/trainer/train';
import type { TrainingData } from '../training/engine/trainer/training-data';
import type { Measurement } from './support/measurement';

/* Trainer and scorer, against LightGBM where Python has it: `npm run bench -- model`. */
const ROWS = 100_000;
const HOLDOUT_ROWS = 20_000;
const FEATURES = 60;
/** The same for both; LightGBM also gets one thread, and neither may leave out rows or features. */
const SETTINGS = { num_iterations: 100, num_leaves: 31, learning_rate: 0.1, min_data_in_leaf: 20, max_bin: 255 };
/** The size that the scorer's budget is stated for. */
const SCORED_TREES = 200;
const COMPARE = join(__dirname, '../training/engine/lightgbm/compare.py');

/** Fraud-like rows: skewed amounts, counters that are mostly 0, holes, and 3% fraud by a few interactions. */
function fraudLike(rows: number, seed: number): TrainingData {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const values = new Float32Array(rows * FEATURES);
  const labels = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) {
    const vector = values.subarray(row * FEATURES, (row + 1) * FEATURES);
    for (let i = 0; i < FEATURES; i++) {
      if (i % 4 === 0) vector[i] = Math.exp(normal());
      else if (i % 4 === 1) vector[i] = random() < 0.7 ? 0 : Math.floor(1 + 20 * random() ** 3);
      else vector[i] = i % 4 === 2 && random() < 0.2 ? Number.NaN : normal();
    }
    const at = (i: number) => (Number.isNaN(vector[i]) ? 0 : (vector[i] as number));
    const evidence =
      1.2 * Math.log(at(0) + 0.1) +
      0.3 * at(1) +
      at(3) * at(7) +
      (at(5) > 4 && at(4) > 1.5 ? 3 : 0) +
      (Number.isNaN(vector[2]) ? 1.2 : 0) +
      0.6 * at(6) -
      0.5 * Math.abs(at(10)) +
      0.2 * at(11);
    labels[row] = random() < 1 / (1 + Math.exp(5.2 - evidence)) ? 1 : 0;
  }
  return { featureNames: Array.from({ length: FEATURES }, (_, i) => `f${i}`), values, labels };
}

function timed<T>(work: () => T): { ms: number; result: T } {
  const start = performance.now();
  const result = work();
  return { ms: performance.now() - start, result };
}

const say = (what: string, text: string) => console.log(`${what.padEnd(18)}${text}`);

/** Best of a few rounds: on a shared machine, the minimum is what the code costs. */
function microsPer(vectors: readonly Float32Array[], score: (vector: Float32Array) => unknown): number {
  const rounds = Array.from({ length: 12 }, () => timed(() => vectors.map((vector) => score(vector))).ms);
  return (1000 * Math.min(...rounds)) / vectors.length;
}

function scoreAll(forest: Forest, { values, labels }: TrainingData): Float64Array {
  const score = forestScorer(forest);
  return Float64Array.from(labels, (_, row) => score(values.subarray(row * FEATURES, (row + 1) * FEATURES)));
}

interface Compared {
  readonly version: string;
  readonly seconds: number;
  readonly auc: number;
  /** Greatest difference between LightGBM's scores of our model and our own. */
  readonly difference: number;
}

/** LightGBM on the same rows, one thread; undefined where Python has no LightGBM. */
function askLightgbm(data: TrainingData, holdout: TrainingData, text: string, scores: Float64Array) {
  if (spawnSync('python3', ['-c', 'import lightgbm, numpy']).status !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'model-bench-'));
  try {
    const bytes = (array: Float32Array | Float64Array | Uint8Array) =>
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const files = { train: data.values, train_labels: data.labels, test: holdout.values, test_labels: holdout.labels };
    for (const [name, array] of Object.entries({ ...files, scores })) writeFileSync(join(folder, name), bytes(array));
    writeFileSync(join(folder, 'ours.txt'), text);
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(SETTINGS));
    return JSON.parse(execFileSync('python3', [COMPARE, folder, String(FEATURES)], { encoding: 'utf8' })) as Compared;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Prints what training and scoring cost, and how close both are to LightGBM. */
export function run(): Measurement[] {
  const data = fraudLike(ROWS, 1);
  const holdout = fraudLike(HOLDOUT_ROWS, 2);
  const share = data.labels.reduce((sum, label) => sum + label, 0) / ROWS;
  say('rows', `${ROWS} × ${FEATURES} features, ${(100 * share).toFixed(1)}% fraud; ${HOLDOUT_ROWS} held out`);

  const before = process.cpuUsage();
  const model = train(data, { settings: SETTINGS });
  const spent = process.cpuUsage(before);
  // CPU time on both sides: a busy machine doubles wall-clock time, and then the ratio is chance.
  const seconds = (spent.user + spent.system) / 1e6;
  const text = writeLightgbm(model);
  const scores = scoreAll(parseLightgbm(text), holdout);
  const ours = auc(scores, holdout.labels);
  const peak = process.resourceUsage().maxRSS / 1024;
  say('training', `${seconds.toFixed(1)} s CPU for 100 trees × 31 leaves, peak ${peak.toFixed(0)} MB in total`);
  say('AUC', ours.toFixed(4));
  const theirs = askLightgbm(data, holdout, text, scores);
  const measurements: Measurement[] = [
    {
      what: `training of ${ROWS} × ${FEATURES} rows`,
      found: `${seconds.toFixed(1)} s CPU, ${peak.toFixed(0)} MB`,
      aim: '< 60 s, < 1 GB',
    },
  ];
  if (theirs === undefined) say('LightGBM', 'not compared: python3 has no lightgbm here (pip install lightgbm)');
  else {
    say(`LightGBM ${theirs.version}`, `AUC ${theirs.auc.toFixed(4)} in ${theirs.seconds.toFixed(1)} s CPU, one thread`);
    say('difference', `AUC ${(ours - theirs.auc).toFixed(4)}, time ${(seconds / theirs.seconds).toFixed(1)} ×`);
    measurements.push(
      { what: 'training × LightGBM, one thread', found: (seconds / theirs.seconds).toFixed(1), aim: '≤ 5' },
      { what: 'AUC against LightGBM’s', found: (ours - theirs.auc).toFixed(4), aim: 'within .005' },
    );
    say('our model in LightGBM', `loads, and its raw scores differ by ${theirs.difference.toExponential(1)} at most`);
  }
  return [...measurements, ...benchScoring(data, holdout)];
}

function benchScoring(data: TrainingData, holdout: TrainingData): Measurement[] {
  const few = 20_000;
  const sample = { ...data, values: data.values.subarray(0, few * FEATURES), labels: data.labels.subarray(0, few) };
  const settings = { ...SETTINGS, num_iterations: SCORED_TREES, learning_rate: 0.03 };
  const text = writeLightgbm(train(sample, { settings }));
  const forest = parseLightgbm(text);
  const blob = encodeForest(forest);
  const vectors = Array.from({ length: 2000 }, (_, i) => holdout.values.slice(i * FEATURES, (i + 1) * FEATURES));
  say(
    'blob',
    `${(blob.length / 1024).toFixed(0)} kB for ${SCORED_TREES} trees × 31 leaves (text ${(text.length / 1024).toFixed(0)} kB)`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'model-bench-'));
  const path = join(folder, 'model.bin');
  writeFileSync(path, blob);
  // A cold function pays for the first load: nothing has been compiled yet.
  const first = timed(() => forestScorer(decodeForest(readFileSync(path)))(vectors[0] as Float32Array));
  const again = Math.min(...Array.from({ length: 9 }, () => timed(() => decodeForest(readFileSync(path))).ms));
  rmSync(folder, { recursive: true });
  say('load', `${first.ms.toFixed(1)} ms for the first load and score, then ${again.toFixed(2)} ms`);
  say('parse text', `${timed(() => parseLightgbm(text)).ms.toFixed(0)} ms`);
  const score = `${microsPer(vectors, forestScorer(forest)).toFixed(1)} µs`;
  say('score', `${score} per vector`);
  say('attributions', `${microsPer(vectors, pathAttributor(forest)).toFixed(1)} µs per vector`);
  return [
    { what: `scoring a vector, ${SCORED_TREES} trees`, found: score, aim: '≤ 15 µs' },
    { what: 'loading a model for the first time', found: `${first.ms.toFixed(1)} ms`, aim: '≤ 5 ms' },
  ];
}
