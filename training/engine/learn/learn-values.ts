import type { AmountColumn, CategoryColumn } from '../../../shared/domain/models/attribute-schema';
import type { TrainingRow } from '../../../shared/domain/models/training-row';
import type { AttributeValues } from './attribute-columns';

export const VALUE_RULE = {
  least_rows_of_value: 20,
  /** An attribute with more values than this is not categorical: it is an entity (if tracked) or ignored. */
  most_values: 256,
  /** Values with a code must cover this share of the rows; otherwise it is an identifier with a few repeats. */
  least_coverage: 0.5,
  /** An attribute is numeric if this share of its values look like numbers; with few values it is a category too. */
  numeric_share: 0.95,
  /** Up to so many values, a rank distinguishes them; of more, a forest would learn by heart which were bad once. */
  few_values: 32,
  /** A category's fraud rate starts at the overall rate, with the weight of this many rows. */
  prior_rows: 20,
  /** Of the logarithm of amounts: where all are the same, a tenth more is one standard deviation. */
  least_variance: 0.01,
} as const;

export interface Teacher {
  readonly positions: readonly number[];
  /** Undefined if it teaches everybody. */
  readonly owner: number | undefined;
}

/** A teacher's rows on one attribute; values are in the order of the teacher's positions. */
export interface LearntValues {
  readonly teacher: Teacher;
  readonly isNumber: boolean;
  readonly category:
    | {
        readonly rates: CategoryColumn['codes'];
        readonly ranks: CategoryColumn['codes'];
        readonly amounts: AmountColumn['codes'];
        /** The rates as they were known when each row was screened. */
        readonly ratePerRow: Float32Array;
      }
    | undefined;
}

export interface LearningLimits {
  readonly weights: Float64Array;
  /** The logarithm of each row's amount in US dollars; NaN if it has none. */
  readonly lnUsd: Float32Array;
  readonly mostValues: number;
}

export function learnValues(
  rows: readonly TrainingRow[],
  attribute: AttributeValues,
  teacher: Teacher,
  { weights, lnUsd, mostValues }: LearningLimits,
): LearntValues {
  const buckets = teacher.positions.map((at) => attribute.buckets[at] as number);
  const numbers = teacher.positions.map((at) => attribute.numbers[at] as number);
  const numeric = numbers.filter((number) => !Number.isNaN(number));
  const present = buckets.filter((bucket, i) => bucket >= 0 || !Number.isNaN(numbers[i])).length;
  const isNumber =
    numeric.length >= VALUE_RULE.numeric_share * present && numeric.some((number) => number !== numeric[0]);
  const counts = countValues(buckets);
  const codes = frequentValues(counts, present, Math.min(VALUE_RULE.most_values, mostValues));
  const isCategory = codes.length > 1 && (!isNumber || counts.size <= VALUE_RULE.few_values);
  if (!isCategory) return { teacher, isNumber, category: undefined };
  const mine = teacher.positions.map((at, i) => {
    const { label, screened_at_ms, labeled_at_ms } = rows[at] as TrainingRow;
    return { bucket: buckets[i] as number, label, screened_at_ms, labeled_at_ms, weight: weights[at] as number };
  });
  const ranks = codes.map((bucket, rank) => [bucket, rank] as const);
  const amounts = usualAmounts(buckets, (i) => lnUsd[teacher.positions[i] as number] as number, codes);
  return { teacher, isNumber, category: { ranks, amounts, ...ratesOverTime(mine, codes) } };
}

/** The usual amount of each value. No label says so: hence one usual amount for all time. */
function usualAmounts(buckets: readonly number[], lnAt: (i: number) => number, codes: readonly number[]) {
  const sums = new Map(codes.map((bucket) => [bucket, { count: 0, sum: 0, squares: 0 }]));
  buckets.forEach((bucket, i) => {
    const own = sums.get(bucket);
    const ln = lnAt(i);
    if (own === undefined || Number.isNaN(ln)) return;
    own.count++;
    own.sum += ln;
    own.squares += ln * ln;
  });
  return [...sums].flatMap(([bucket, { count, sum, squares }]) => {
    if (count < VALUE_RULE.least_rows_of_value) return [];
    const mean = sum / count;
    const sd = Math.sqrt(Math.max(0, squares / count - mean * mean) + VALUE_RULE.least_variance);
    return [[bucket, Math.fround(mean), Math.fround(sd)] as const];
  });
}

export function countValues(buckets: Iterable<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const bucket of buckets) if (bucket >= 0) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  return counts;
}

/** The values that get a code, most frequent first; none if they are too many or too rare to be categories. */
function frequentValues(counts: ReadonlyMap<number, number>, present: number, most: number): number[] {
  const frequent = [...counts]
    .filter(([, count]) => count >= VALUE_RULE.least_rows_of_value)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, most);
  const covered = frequent.reduce((sum, [, count]) => sum + count, 0);
  return covered >= VALUE_RULE.least_coverage * present ? frequent.map(([bucket]) => bucket) : [];
}

interface CountedRow extends Pick<TrainingRow, 'label' | 'screened_at_ms' | 'labeled_at_ms'> {
  readonly bucket: number;
  readonly weight: number;
}

/**
 * Smoothed fraud rates. Two cursors move through time: over screenings in order, and over labels in the order in which
 * they became known.
 */
function ratesOverTime(rows: readonly CountedRow[], codes: readonly number[]) {
  const byLabelTime = [...rows].sort((a, b) => a.labeled_at_ms - b.labeled_at_ms);
  const byTime = rows.map((row, at) => ({ row, at })).sort((a, b) => a.row.screened_at_ms - b.row.screened_at_ms);
  const tallies = new Map(codes.map((bucket) => [bucket, { rows: 0, fraud: 0 }]));
  const all = { rows: 0, fraud: 0 };
  const rate = (bucket: number): number => {
    const { rows: seen, fraud } = tallies.get(bucket) as { rows: number; fraud: number };
    const prior = (all.fraud + 1) / (all.rows + 100);
    return (fraud + prior * VALUE_RULE.prior_rows) / (seen + VALUE_RULE.prior_rows);
  };
  let known = 0;
  const learnUntil = (timeMs: number) => {
    for (; known < byLabelTime.length; known++) {
      const { labeled_at_ms, bucket, label, weight } = byLabelTime[known] as CountedRow;
      if (labeled_at_ms > timeMs) return;
      const tally = tallies.get(bucket);
      for (const counted of tally === undefined ? [all] : [all, tally]) {
        counted.rows += weight;
        counted.fraud += weight * label;
      }
    }
  };
  const ratePerRow = new Float32Array(rows.length).fill(Number.NaN);
  for (const { row, at } of byTime) {
    learnUntil(row.screened_at_ms);
    if (tallies.has(row.bucket)) ratePerRow[at] = rate(row.bucket);
  }
  learnUntil(Number.POSITIVE_INFINITY);
  return { ratePerRow, rates: codes.map((bucket) => [bucket, Math.fround(rate(bucket))] as const) };
}
