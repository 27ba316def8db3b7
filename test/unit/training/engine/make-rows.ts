import { forestScorer } from '../../../../shared/domain/models/forest';
import { parseLightgbm } from '../../../../shared/domain/models/parse-lightgbm';
import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import { writeLightgbm } from '../../../../training/engine/lightgbm/write-lightgbm';
import type { TrainedModel } from '../../../../training/engine/trainer/train';
import type { TrainingData } from '../../../../training/engine/trainer/training-data';

export const WIDTH = 6;
const NAMES = ['amount', 'count', 'age', 'noise', 'constant', 'empty'];

/** Rows whose label depends on amount (up), count (up, mostly 0) and age (down, and up where it is missing). */
export function makeRows(rows: number, seed: number): TrainingData {
  const random = seededRandom(seed);
  const values = new Float32Array(rows * WIDTH);
  const labels = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) {
    const amount = Math.exp(3 * random());
    const count = random() < 0.6 ? 0 : Math.floor(9 * random());
    const age = random() < 0.2 ? Number.NaN : 10 * random();
    values.set([amount, count, age, random(), 7, Number.NaN], row * WIDTH);
    const evidence = 0.2 * amount + 0.4 * count + (Number.isNaN(age) ? 1.5 : -0.3 * age) - 3;
    labels[row] = random() < 1 / (1 + Math.exp(-evidence)) ? 1 : 0;
  }
  return { featureNames: NAMES, values, labels };
}

/** The rows of the data, one vector each. */
export const vectorsOf = ({ values, labels, featureNames }: TrainingData): Float32Array[] =>
  Array.from(labels, (_, row) => values.slice(row * featureNames.length, (row + 1) * featureNames.length));

/** Scores as the service would: through the text and the scorer. */
export function scoresOf(model: TrainedModel, data: TrainingData): number[] {
  return vectorsOf(data).map(forestScorer(parseLightgbm(writeLightgbm(model))));
}
