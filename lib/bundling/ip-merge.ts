import type { IpRow } from './ip-csv';
import type { IpSpan } from './ip-special-ranges';

/** What is known from `start` to the start of the next one; 0 and '' mean unknown. */
export interface MergedRange {
  readonly start: bigint;
  readonly country: string;
  readonly asn: number;
}

/**
 * Flattens overlapping rows: the row that comes later in the file is more specific and wins.
 * (The data of June 2026 has one such pair, two networks of one owner.)
 */
export function flatten<T>(rows: readonly IpRow<T>[]): IpRow<T>[] {
  const flat: IpRow<T>[] = [];
  for (const row of rows) {
    const rest: IpRow<T>[] = [];
    for (let top = flat.at(-1); top !== undefined && top.last >= row.first; top = flat.at(-1)) {
      flat.pop();
      if (top.last > row.last) rest.unshift({ ...top, first: row.last + 1n });
      if (top.first < row.first) {
        flat.push({ ...top, last: row.first - 1n });
        break;
      }
    }
    flat.push(row, ...rest);
  }
  return flat;
}

/**
 * Merges both sources, from 0 on: every point where either changes starts a range, equal neighbours
 * are joined, and special space (private, reserved, …) is emptied whatever the sources say about it.
 */
export function mergeRanges(
  countries: readonly IpRow<string>[],
  asns: readonly IpRow<number>[],
  special: readonly IpSpan[],
): MergedRange[] {
  const sources = [flatten(countries), flatten(asns), special] as const;
  // Not through a Set: V8 hashes a bigint by its low 64 bits, which are zero in nearly every IPv6 bound.
  const starts = [0n, ...sources.flatMap((rows) => rows.flatMap((row) => [row.first, row.last + 1n]))];
  starts.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

  const [countryAt, asnAt, specialAt] = [cursor(sources[0]), cursor(sources[1]), cursor(sources[2])];
  const merged: MergedRange[] = [];
  for (const start of starts) {
    const [c, a, isSpecial] = [countryAt(start), asnAt(start), specialAt(start) !== undefined];
    const country = isSpecial ? '' : (c?.value ?? '');
    const asn = isSpecial ? 0 : (a?.value ?? 0);
    const previous = merged.at(-1);
    if (previous?.country !== country || previous.asn !== asn) merged.push({ start, country, asn });
  }
  return merged;
}

/** The row that contains a point; query points in ascending order. */
function cursor<R extends IpSpan>(rows: readonly R[]): (point: bigint) => R | undefined {
  let i = 0;
  return (point) => {
    while (i < rows.length && (rows[i] as R).last < point) i++;
    const row = rows[i];
    return row !== undefined && row.first <= point ? row : undefined;
  };
}
