import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../fixtures/lightgbm');

/** A vector and what LightGBM itself said of it. */
export interface GoldenVector {
  readonly vector: Float32Array;
  readonly raw: number;
  readonly probability: number;
}

/** The text of a fixture's model. */
export const modelText = (name: string): string => readFileSync(join(FOLDER, `${name}.model.txt`), 'utf8');

/** LightGBM's answers of a fixture; how they were made is in make-fixtures.py next to them. */
export function goldenVectors(name: string): readonly GoldenVector[] {
  return readFileSync(join(FOLDER, `${name}.golden.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const { vector, raw, probability } = JSON.parse(line);
      return { vector: Float32Array.from(vector, Number), raw, probability };
    });
}

/** Every model that LightGBM trained. */
export const GOLDEN_MODELS = [
  'numerical-nan',
  'zero-as-missing',
  'missing-none',
  'none-seen',
  'categorical',
  'monotone',
  'sigmoid',
  'single-leaf',
  'one-class',
] as const;
