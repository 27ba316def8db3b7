import { type Random, sampleInto } from '../../../shared/domain/models/seeded-random';
import type { TrainingData } from './training-data';

/** As in LightGBM: more rows than this do not move the bounds by anything that matters. */
const SAMPLE_ROWS = 200_000;

/** How one feature's values become small numbers. */
export interface FeatureBins {
  /** Its place in a row. */
  readonly feature: number;
  /** Bin b holds what is above bound b − 1 and at most bound b; the last bound is +∞. NaN has the bin behind them all. */
  readonly bounds: Float64Array;
  /** Whether rows differ in it at all: in value, or in having one. */
  readonly isUseful: boolean;
  readonly least: number;
  readonly greatest: number;
}

/** Cuts every feature into at most `maxBin` bins of about as many rows each. */
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
    const sorted = column.subarray(0, known).sort();
    const bounds = cutEvenly(sorted, maxBin);
    const isUseful = bounds.length > 1 || (known > 0 && known < sample.length);
    return { feature, bounds, isUseful, least: sorted[0] ?? 0, greatest: sorted[known - 1] ?? 0 };
  });
}

/**
 * Bounds between distinct values. Where there are more values than bins, a value that alone fills a bin gets one
 * to itself, and the others share the rest evenly: zero in a mostly empty counter must not swallow its neighbours.
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
    // −0 and 0 are one value, as they are to every comparison.
    if (found === 0 || sorted[i] !== values[found - 1]) values[found++] = sorted[i] as number;
    counts[found - 1] = (counts[found - 1] as number) + 1;
  }
  return { values: values.subarray(0, found), counts: counts.subarray(0, found) };
}

/** Half way between a value that closes a bin and the next; the middle of two 32-bit floats is never the upper one. */
function between(values: Float32Array, closes: (i: number) => boolean): Float64Array {
  const bounds: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (!closes(i)) continue;
    const middle = ((values[i] as number) + (values[i + 1] as number)) / 2;
    // Between −∞ and +∞, or a number and an infinity, there is no middle; any number between will do.
    bounds.push(Number.isFinite(middle) ? middle : Math.sign(middle || 0) * 1e300);
  }
  return Float64Array.from([...bounds, Number.POSITIVE_INFINITY]);
}
