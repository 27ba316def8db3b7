import { byAccount } from '../../../shared/domain/models/account-shares';
import { observedOf, type TrainingRow } from '../../../shared/domain/models/training-row';

export interface AttributeValues {
  readonly name: string;
  readonly present: number;
  readonly numeric: number;
  /** −1 where it was not sent. */
  readonly buckets: Int32Array;
  /** NaN where it was not sent or is not a number. */
  readonly numbers: Float32Array;
}

/** More keys than this are noise, not a schema: someone is generating keys per request. */
export const MOST_ATTRIBUTES = 64;

/** Turns rows of attributes into one column per attribute, most frequent first. */
export function attributeColumns(rows: readonly TrainingRow[], leastRows: number): AttributeValues[] {
  const kept = keptAttributes(rows, leastRows);
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

/** The attributes that enough rows have, with their number of rows: every account names its most frequent in turn. */
function keptAttributes(rows: readonly TrainingRow[], leastRows: number): Array<readonly [string, number]> {
  const present = new Map<string, number>();
  const lists = [...byAccount(rows).values()].map((own) => {
    const counts = new Map<string, number>();
    for (const row of own) for (const { name } of observedOf(row)) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const [name, count] of counts) present.set(name, (present.get(name) ?? 0) + count);
    return [...counts].sort(mostFrequentFirst).map(([name]) => name);
  });
  const kept = new Set<string>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let turn = 0; turn < longest && kept.size < MOST_ATTRIBUTES; turn++) {
    for (const { [turn]: name } of lists) {
      if (name !== undefined && (present.get(name) as number) >= leastRows && kept.size < MOST_ATTRIBUTES)
        kept.add(name);
    }
  }
  return [...kept].map((name) => [name, present.get(name) as number] as const).sort(mostFrequentFirst);
}

const mostFrequentFirst = (a: readonly [string, number], b: readonly [string, number]): number =>
  b[1] - a[1] || (a[0] < b[0] ? -1 : 1);
