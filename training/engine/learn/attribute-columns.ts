import { observedOf, type TrainingRow } from '../../../shared/domain/models/training-row';

/** One observed attribute over all rows. */
export interface AttributeValues {
  readonly name: string;
  /** Rows in which it was sent. */
  readonly present: number;
  /** Of those, rows in which it looked like a number. */
  readonly numeric: number;
  /** −1 where it was not sent. */
  readonly buckets: Int32Array;
  /** NaN where it was not sent or is not a number. */
  readonly numbers: Float32Array;
}

/** More keys than this are noise, not a schema: someone is generating keys per request. */
const MOST_ATTRIBUTES = 64;

/** Turns rows of attributes into one column per attribute, most frequent first. */
export function attributeColumns(rows: readonly TrainingRow[], leastRows: number): AttributeValues[] {
  const present = new Map<string, number>();
  for (const row of rows) for (const { name } of observedOf(row)) present.set(name, (present.get(name) ?? 0) + 1);
  const kept = [...present]
    .filter(([, count]) => count >= leastRows)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_ATTRIBUTES);
  const columns = new Map(
    kept.map(([name, count]) => [
      name,
      {
        name,
        present: count,
        numeric: 0,
        buckets: new Int32Array(rows.length).fill(-1),
        numbers: new Float32Array(rows.length).fill(Number.NaN),
      },
    ]),
  );
  rows.forEach((row, at) => {
    for (const { name, bucket, number } of observedOf(row)) {
      const column = columns.get(name);
      if (column === undefined) continue;
      column.buckets[at] = bucket;
      column.numbers[at] = number;
      if (!Number.isNaN(number)) column.numeric++;
    }
  });
  return [...columns.values()];
}
