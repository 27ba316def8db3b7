import type { AttributeColumn, AttributeSchema } from '../../../shared/domain/models/attribute-schema';
import type { TrainingRow } from '../../../shared/domain/models/training-row';
import { type AttributeValues, attributeColumns } from './attribute-columns';

/** Nothing can be learnt from an attribute that fewer rows have. */
const LEAST_ROWS = 50;
/** A category needs this many rows to get its own code. */
const LEAST_ROWS_OF_VALUE = 20;
/** An attribute with more values than this is not categorical: it is an entity (if tracked) or ignored. */
const MOST_VALUES = 256;
/** Values with a code must cover this share of the rows; otherwise it is an identifier with a few repeats. */
const LEAST_COVERAGE = 0.5;
/** An attribute is numeric if this share of its values look like numbers, and only if it has more values than this. */
const NUMERIC_SHARE = 0.95;
const MOST_CODES_OF_A_NUMBER = 32;
/** A category's fraud rate starts at the overall rate, with the weight of this many rows. */
const PRIOR_ROWS = 20;

/** How an attribute is used, and why: shown in the report. */
export interface AttributeFinding {
  readonly name: string;
  readonly rows: number;
  readonly values: number;
  readonly made: 'number' | 'category' | 'number and category' | 'nothing';
}

/** The schema, with the values of the training rows, which do not depend on later labels. */
export interface LearnedAttributes {
  readonly schema: AttributeSchema;
  readonly findings: readonly AttributeFinding[];
  /** Values of each column, in the order of the schema. */
  readonly values: readonly Float32Array[];
}

/**
 * Learns what kind each attribute is. Rows are in the order of their screening. For each row, a category's fraud rate is
 * that of the labels known when the row was screened; the schema keeps the final rates.
 */
export function learnAttributes(rows: readonly TrainingRow[]): LearnedAttributes {
  const columns: AttributeColumn[] = [];
  const values: Float32Array[] = [];
  const used = new Set<string>();
  const findings = attributeColumns(rows, LEAST_ROWS).map((attribute): AttributeFinding => {
    const counts = countValues(attribute.buckets);
    const isNumber = attribute.numeric >= NUMERIC_SHARE * attribute.present && isSpread(attribute.numbers);
    const codes = frequentValues(counts, attribute.present);
    const isCategory = codes.length > 1 && (!isNumber || counts.size <= MOST_CODES_OF_A_NUMBER);
    const feature = featureName(attribute.name, used);
    const source = attribute.name;
    if (isNumber) {
      columns.push({ kind: 'number', feature: `${feature}_number`, source });
      values.push(attribute.numbers);
    }
    if (isCategory) {
      const rates = ratesOverTime(rows, attribute, codes);
      const ranks = new Map(codes.map((bucket, rank) => [bucket, rank]));
      columns.push({ kind: 'rate', feature: `${feature}_rate`, source, codes: [...rates.atTheEnd] });
      columns.push({ kind: 'rank', feature: `${feature}_rank`, source, codes: [...ranks] });
      values.push(
        rates.perRow,
        Float32Array.from(attribute.buckets, (bucket) => ranks.get(bucket) ?? Number.NaN),
      );
    }
    const made = isNumber ? (isCategory ? 'number and category' : 'number') : isCategory ? 'category' : 'nothing';
    return { name: source, rows: attribute.present, values: counts.size, made };
  });
  return { schema: { columns }, findings, values };
}

function countValues(buckets: Int32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const bucket of buckets) if (bucket >= 0) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  return counts;
}

function isSpread(numbers: Float32Array): boolean {
  let first = Number.NaN;
  for (const number of numbers) {
    if (Number.isNaN(number)) continue;
    if (Number.isNaN(first)) first = number;
    else if (number !== first) return true;
  }
  return false;
}

/** The values that get a code, most frequent first; none if they are too many or too rare to be categories. */
function frequentValues(counts: ReadonlyMap<number, number>, present: number): number[] {
  const frequent = [...counts]
    .filter(([, count]) => count >= LEAST_ROWS_OF_VALUE)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MOST_VALUES);
  const covered = frequent.reduce((sum, [, count]) => sum + count, 0);
  return covered >= LEAST_COVERAGE * present ? frequent.map(([bucket]) => bucket) : [];
}

/**
 * Smoothed fraud rates. Two cursors move through time: over screenings in order, and over labels in the order in which
 * they became known.
 */
function ratesOverTime(rows: readonly TrainingRow[], { buckets }: AttributeValues, codes: readonly number[]) {
  const coded = new Set(codes);
  const byLabelTime = rows.map((_, at) => at).sort((a, b) => labelTime(rows, a) - labelTime(rows, b));
  const tallies = new Map(codes.map((bucket) => [bucket, { rows: 0, fraud: 0 }]));
  const all = { rows: 0, fraud: 0 };
  const rate = (bucket: number): number => {
    const { rows: seen, fraud } = tallies.get(bucket) as { rows: number; fraud: number };
    const prior = (all.fraud + 1) / (all.rows + 100);
    return (fraud + prior * PRIOR_ROWS) / (seen + PRIOR_ROWS);
  };
  let known = 0;
  const learnUntil = (timeMs: number) => {
    for (; known < byLabelTime.length && labelTime(rows, byLabelTime[known] as number) <= timeMs; known++) {
      const at = byLabelTime[known] as number;
      const { label, weight = 1 } = rows[at] as TrainingRow;
      const tally = tallies.get(buckets[at] as number);
      for (const counted of tally === undefined ? [all] : [all, tally]) {
        counted.rows += weight;
        counted.fraud += weight * label;
      }
    }
  };
  const perRow = Float32Array.from(rows, ({ screened_at_ms }, at) => {
    learnUntil(screened_at_ms);
    const bucket = buckets[at] as number;
    return coded.has(bucket) ? rate(bucket) : Number.NaN;
  });
  learnUntil(Number.POSITIVE_INFINITY);
  return { perRow, atTheEnd: codes.map((bucket) => [bucket, Math.fround(rate(bucket))] as const) };
}

const labelTime = (rows: readonly TrainingRow[], at: number): number => (rows[at] as TrainingRow).labeled_at_ms;

/** A name that LightGBM accepts and no other attribute has. */
function featureName(source: string, used: Set<string>): string {
  const plain = `attr_${source.replace(/^attributes\./, '').replace(/\W+/g, '_')}`;
  let name = plain;
  for (let copy = 2; used.has(name); copy++) name = `${plain}_${copy}`;
  used.add(name);
  return name;
}
