import { type Random, sampleInto } from '../../../shared/domain/models/seeded-random';
import type { TrainingData } from './training-data';

/** As in LightGBM: more rows than this do not change the bounds noticeably. */
const SAMPLE_ROWS = 200_000;

export interface FeatureBins {
  readonly feature: number;
  /** Bin b holds what is above bound b − 1 and at most bound b; the last bound is +∞. NaN has the bin after the last. */
  readonly bounds: Float64Array;
  /** Whether rows differ in it at all: in its value, or in whether they have one. */
  readonly isUseful: boolean;
  readonly least: number;
  readonly greatest: number;
}

/** Divides every feature into at most `maxBin` bins with about the same number of rows each. */
export function findBins(data: TrainingData, maxBin: number, random: Random): readonly FeatureBins[] {
  const width = data.featureNames.length;
  const rows = data.labels.length;
  const sample = new Uint32Array(Math.min(rows, SAMPLE_ROWS));
  sampleInto(sample, sample.length, rows, random);
  const column = new Float32Array(sample.length);
  return data.featureNames.map((_, feature) => {
    let known = 0;
    for (let i = 0; i < sample.length; i++) {
      const value = data.values[(sample[i] as number) * width + feature] as number;
      if (!Number.isNaN(value)) column[known++] = value;
    }
    const sorted = sortFloats(column.subarray(0, known));
    const bounds = cutEvenly(sorted, maxBin);
    const isUseful = bounds.length > 1 || (known > 0 && known < sample.length);
    return { feature, bounds, isUseful, least: sorted[0] ?? 0, greatest: sorted[known - 1] ?? 0 };
  });
}

/** Sorts in place, as whole numbers: they sort twice as fast. */
export function sortFloats(column: Float32Array): Float32Array {
  const bits = new Int32Array(column.buffer, column.byteOffset, column.length);
  turnNegatives(bits);
  bits.sort();
  turnNegatives(bits);
  return column;
}

/** The bits of a number rise with it, but those of a negative one fall; done twice, nothing has changed. */
function turnNegatives(bits: Int32Array): void {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as number) ^ (((bits[i] as number) >> 31) >>> 1);
}

/**
 * Bounds between distinct values. If there are more values than bins, a value that fills a bin alone gets one to
 * itself, and the others share the rest evenly: zero in a mostly empty counter must not swallow its neighbours.
 */
function cutEvenly(sorted: Float32Array, maxBins: number): Float64Array {
  const { values, counts } = distinct(sorted);
  if (values.length <= maxBins) return between(values, (i) => i + 1 < values.length);
  const fair = sorted.length / maxBins;
  const isHeavy = (i: number) => (counts[i] as number) >= fair;
  let binsLeft = maxBins;
  let rowsLeft = sorted.length;
  for (let i = 0; i < counts.length; i++) {
    if (!isHeavy(i)) continue;
    binsLeft--;
    rowsLeft -= counts[i] as number;
  }
  let filled = 0;
  let bins = 1;
  return between(values, (i) => {
    if (i + 1 >= values.length || bins >= maxBins) return false;
    if (!isHeavy(i)) filled += counts[i] as number;
    const target = rowsLeft / Math.max(1, binsLeft);
    const isFull = isHeavy(i) || isHeavy(i + 1) || filled >= target;
    if (!isFull) return false;
    if (!isHeavy(i)) {
      rowsLeft -= filled;
      binsLeft--;
    }
    filled = 0;
    bins++;
    return true;
  });
}

function distinct(sorted: Float32Array): { values: Float32Array; counts: Uint32Array } {
  const values = new Float32Array(sorted.length);
  const counts = new Uint32Array(sorted.length);
  let found = 0;
  for (let i = 0; i < sorted.length; i++) {
    // −0 and 0 are one value, as in every comparison.
    if (found === 0 || sorted[i] !== values[found - 1]) values[found++] = sorted[i] as number;
    counts[found - 1] = (counts[found - 1] as number) + 1;
  }
  return { values: values.subarray(0, found), counts: counts.subarray(0, found) };
}

/** Halfway between the last value of a bin and the next; the middle of two 32-bit floats is never the upper one. */
function between(values: Float32Array, closes: (i: number) => boolean): Float64Array {
  const bounds: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (!closes(i)) continue;
    const middle = ((values[i] as number) + (values[i + 1] as number)) / 2;
    // There is no midpoint between −∞ and +∞, or between a number and an infinity; any number in between will do.
    bounds.push(Number.isFinite(middle) ? middle : Math.sign(middle || 0) * 1e300);
  }
  return Float64Array.from([...bounds, Number.POSITIVE_INFINITY]);
}
