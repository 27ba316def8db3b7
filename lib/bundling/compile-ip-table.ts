import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MARK, MAX_ASN, packRecord } from '../../shared/domain/ip/ip-table';
import { type EncodedRange, encodeIpTable } from './ip-encode';
import { networkClass, networkMarks } from './ip-network-class';
import { type Family, type IpRow, isComment, rangeOf } from './read-source';

/** Known from `start` to the start of the next one; 0 and '' mean unknown. */
interface MergedRange {
  readonly start: bigint;
  readonly country: string;
  readonly asn: number;
  readonly isRelay: boolean;
  /** Bits of `MARK`. */
  readonly marks: number;
}

/**
 * The sources' rows about one family of addresses, in the order of their starts, the more specific ones later. A relay's
 * have the country that its operator says its users are in, or ''.
 */
export type IpSources = Readonly<Record<'country' | 'asn' | 'tor' | 'vpn' | 'relay', readonly IpRow[]>>;

/**
 * Flattens overlapping rows: the row that comes later in the file is more specific and wins.
 * (The data of June 2026 has one such pair, two networks of one owner.)
 */
function flatten(rows: readonly IpRow[]): IpRow[] {
  const flat: IpRow[] = [];
  for (const row of rows) {
    const rest: IpRow[] = [];
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
 * Merges the sources, from 0 on: every point where one changes starts a range, equal neighbours are joined, and special
 * space (private, reserved, …) is emptied whatever the sources say about it. A relay is registered where its operator is:
 * only what the operator says about its users counts as their country.
 */
function mergeRanges(sources: IpSources, special: readonly IpRow[]): MergedRange[] {
  const { country, asn, tor, vpn, relay } = sources;
  const all = [country, asn, relay, tor, vpn, special].map(flatten);
  // Not through a Set: V8 hashes a bigint by its low 64 bits, which are zero in nearly every IPv6 bound.
  const starts = [0n];
  for (const rows of all) for (const { first, last } of rows) starts.push(first, last + 1n);
  starts.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

  const cursors = all.map(cursor);
  const merged: MergedRange[] = [];
  for (const start of starts) {
    const [inCountry, inNetwork, inRelay, inTor, inVpn, inSpecial] = cursors.map((rowAt) => rowAt(start));
    const next = inSpecial
      ? NOTHING
      : {
          country: (inRelay ?? inCountry)?.value ?? '',
          asn: Number(inNetwork?.value ?? 0),
          isRelay: inRelay !== undefined,
          marks: (inTor ? MARK.tor : 0) | (inVpn ? MARK.vpn : 0),
        };
    const previous = merged.at(-1);
    if (previous === undefined || !isSame(previous, next)) merged.push({ start, ...next });
  }
  return merged;
}

const NOTHING: Omit<MergedRange, 'start'> = { country: '', asn: 0, isRelay: false, marks: 0 };
const isSame = (a: Omit<MergedRange, 'start'>, b: Omit<MergedRange, 'start'>): boolean =>
  a.country === b.country && a.asn === b.asn && a.isRelay === b.isRelay && a.marks === b.marks;

/** The row that contains a point; query points in ascending order. */
function cursor(rows: readonly IpRow[]): (point: bigint) => IpRow | undefined {
  let i = 0;
  return (point) => {
    while (i < rows.length && (rows[i] as IpRow).last < point) i++;
    const row = rows[i];
    return row !== undefined && row.first <= point ? row : undefined;
  };
}

/** Space that no customer has an address in, as text: a change to it must produce a new table. */
export const SPECIAL_RANGES = readFileSync(join(__dirname, 'special-ranges.txt'), 'utf8');

const specialRows = (family: Family): readonly IpRow[] =>
  SPECIAL_RANGES.split('\n')
    .filter((line) => !isComment(line))
    .map((line) => ({ ...rangeOf(line.split(' ')[0] as string), value: '' }))
    .filter((range) => range.family === family);

/** Pure: the same bytes for the same rows. `names` are those of the networks' owners. */
export function buildIpTable(v4Rows: IpSources, v6Rows: IpSources, names: ReadonlyMap<number, string>): Buffer {
  const v4 = mergeRanges(v4Rows, specialRows(4));
  const v6 = mergeRanges(v6Rows, specialRows(6));
  const countries = [...new Set([...v4, ...v6].map((range) => range.country))].filter((c) => c !== '').sort();
  if (countries.length > 255) throw new Error(`${countries.length} countries do not fit a byte`);
  const numbers = new Map(['', ...countries].map((country, i) => [country, i]));
  const ofNetwork = memo((asn) => {
    const name = names.get(asn) ?? '';
    const network = networkClass(asn, name);
    return { network, marks: networkMarks(asn, name) };
  });
  const encode = ({ start, country, asn, isRelay, marks }: MergedRange): EncodedRange => {
    const known = isGivenOut(asn) ? asn : 0;
    const own = known === 0 ? undefined : ofNetwork(known);
    const network = isRelay ? 'relay' : (own?.network ?? 'other');
    // A relay is for everybody, whatever else its operator runs.
    const isForAll = network === 'relay';
    const record = packRecord(
      known,
      network,
      // Without its operator's word, nothing is known of where the users of a relay are.
      numbers.get(isForAll && !isRelay ? '' : country) as number,
      isForAll ? 0 : marks | (own?.marks ?? 0),
    );
    return { start, record };
  };
  return encodeIpTable(countries, joinEqual(v4.map(encode)), joinEqual(v6.map(encode)));
}

/** Private-use and documentation numbers leak into routing tables; they name nobody (IANA's AS registry). */
export function isGivenOut(asn: number): boolean {
  return (asn > 0 && asn < 64_496 && asn !== 23_456) || (asn >= 131_072 && asn <= MAX_ASN);
}

function joinEqual(ranges: readonly EncodedRange[]): EncodedRange[] {
  return ranges.filter((range, i) => range.record !== ranges[i - 1]?.record);
}

function memo<T>(compute: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>();
  return (key) => {
    const found = known.get(key) ?? compute(key);
    known.set(key, found);
    return found;
  };
}
