import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BLOCK_RANGES, MAX_ASN, packRecord } from '../../shared/domain/ip/ip-table';
import { type EncodedRange, encodeIpTable } from './ip-encode';
import { NETWORK_CLASS_RULES, networkClass } from './ip-network-class';

/** One line of a range file: inclusive bounds and their value. */
export interface IpRow<T> {
  readonly first: bigint;
  readonly last: bigint;
  readonly value: T;
}

export function readCountryCsv(text: string): IpRow<string>[] {
  return rows(text, (rest) => {
    if (!/^[A-Z]{2}$/.test(rest)) throw new Error(`not a country code: ${rest}`);
    return rest;
  });
}

/** The rows of `first,last,asn,organisation`; each organisation is stored once, in `names`. */
export function readAsnCsv(text: string, names: Map<number, string>): IpRow<number>[] {
  return rows(text, (rest) => {
    const comma = rest.indexOf(',');
    const asn = Number(rest.slice(0, comma));
    if (!Number.isInteger(asn)) throw new Error(`not an AS number: ${rest}`);
    if (!names.has(asn)) names.set(asn, unquote(rest.slice(comma + 1)));
    return asn;
  });
}

/** The bounds are digits only, so the first two commas always separate, even if the organisation's name has some. */
function rows<T>(text: string, parse: (rest: string) => T): IpRow<T>[] {
  const found: IpRow<T>[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const one = line.indexOf(',');
    const two = line.indexOf(',', one + 1);
    const first = BigInt(line.slice(0, one));
    const last = BigInt(line.slice(one + 1, two));
    const previous = found.at(-1);
    if (last < first || (previous !== undefined && first < previous.first)) {
      throw new Error(`range out of order: ${line}`);
    }
    found.push({ first, last, value: parse(line.slice(two + 1).trimEnd()) });
  }
  return found;
}

const unquote = (field: string): string => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);

/** The facts from `start` to the start of the next one; 0 and '' mean unknown. */
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

export interface IpSpan {
  readonly first: bigint;
  readonly last: bigint;
}

/*
 * IANA's special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates), plus multicast and the
 * reserved rest. The sources name an owner for some of it, but no customer has such an address.
 */
const V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier NAT, inside
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link local
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relay, deprecated
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

/** Everything outside 2000::/3, then special ranges inside it. */
const V6 = [
  '0::/3', // unspecified, loopback, mapped, NAT64, discard
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID, AS112, AMT
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: the address of a relay
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
  '4000::/2', // not given out
  '8000::/1', // not given out, private, link local, multicast
];

const span = (first: bigint, bits: bigint): IpSpan => ({ first, last: first + (1n << bits) - 1n });

export const SPECIAL_V4: readonly IpSpan[] = V4.map((cidr) => {
  const [address, length] = cidr.split('/') as [string, string];
  const first = address.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
  return span(first, 32n - BigInt(length));
});

export const SPECIAL_V6: readonly IpSpan[] = V6.map((cidr) => {
  const [head, length] = cidr.split('::/') as [string, string];
  const groups = [...head.split(':'), ...Array<string>(8).fill('0')].slice(0, 8);
  const first = groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
  return span(first, 128n - BigInt(length));
});

/** The lists as text: a change to them must produce a new table. */
export const SPECIAL_RULES = [...V4, ...V6].join(' ');

export interface IpSources {
  readonly countryV4: string;
  readonly countryV6: string;
  readonly asnV4: string;
  readonly asnV6: string;
}

/** Increase it when the same input must give different bytes; changed lists and words are detected without it. */
const COMPILER_VERSION = 1;
const ROOT = join(__dirname, '..', '..');
const CACHE = join(ROOT, 'node_modules', '.cache', 'ip-table');

/**
 * The table from the installed data packages, also written to `path` if one is given.
 * Takes seconds the first time; after that it comes from a cache keyed by all of its inputs.
 */
export function compileIpTable(path?: string): Buffer {
  compiled ??= cachedTable();
  if (path !== undefined) writeWhole(path, compiled);
  return compiled;
}

/** Several functions of one build want the same table; reading its sources to ask the cache takes a second each time. */
let compiled: Buffer | undefined;

function cachedTable(): Buffer {
  const sources = readIpSources();
  const cached = join(CACHE, `${fingerprint(sources)}.bin`);
  const known = readIfThere(cached);
  if (known) return known;
  const table = buildIpTable(sources);
  writeWhole(cached, table);
  return table;
}

export function readIpSources(): IpSources {
  const read = (name: string, family: 4 | 6) =>
    readFileSync(join(ROOT, 'node_modules', '@ip-location-db', name, `${name}-ipv${family}-num.csv`), 'utf8');
  return {
    countryV4: read('asn-country', 4),
    countryV6: read('asn-country', 6),
    asnV4: read('asn', 4),
    asnV6: read('asn', 6),
  };
}

/** Pure: texts in, table out, the same bytes for the same texts. */
export function buildIpTable(sources: IpSources): Buffer {
  const names = new Map<number, string>();
  const asnV4 = readAsnCsv(sources.asnV4, names);
  const asnV6 = readAsnCsv(sources.asnV6, names);
  const v4 = mergeRanges(readCountryCsv(sources.countryV4), asnV4, SPECIAL_V4);
  const v6 = mergeRanges(readCountryCsv(sources.countryV6), asnV6, SPECIAL_V6);
  if (v4.length < 2 || v6.length < 2) throw new Error('an IP data file is empty');

  const countries = [...new Set([...v4, ...v6].map((range) => range.country))].filter((c) => c !== '').sort();
  if (countries.length > 255) throw new Error(`${countries.length} countries do not fit a byte`);
  const numbers = new Map(['', ...countries].map((country, i) => [country, i]));
  const encode = ({ start, country, asn }: MergedRange): EncodedRange => {
    const known = isGivenOut(asn) ? asn : 0;
    const network = known === 0 ? 'other' : networkClassOf(known);
    return { start, record: packRecord(known, network, numbers.get(country) as number) };
  };
  const networkClassOf = memo((asn) => networkClass(asn, names.get(asn) ?? ''));
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

function fingerprint(sources: IpSources): string {
  const hash = createHash('sha256').update(
    `${COMPILER_VERSION} ${BLOCK_RANGES} ${NETWORK_CLASS_RULES} ${SPECIAL_RULES}`,
  );
  for (const text of [sources.countryV4, sources.countryV6, sources.asnV4, sources.asnV6]) hash.update(text);
  return hash.digest('hex').slice(0, 32);
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Atomic: two builds may write the same file at once. */
function writeWhole(path: string, content: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, content);
  renameSync(partial, path);
}
