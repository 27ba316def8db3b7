import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BLOCK_RANGES, MAX_ASN, packRecord } from '../../shared/domain/ip/ip-table';
import { readAsnCsv, readCountryCsv } from './ip-csv';
import { type EncodedRange, encodeIpTable } from './ip-encode';
import { type MergedRange, mergeRanges } from './ip-merge';
import { NETWORK_CLASS_RULES, networkClass } from './ip-network-class';
import { SPECIAL_RULES, SPECIAL_V4, SPECIAL_V6 } from './ip-special-ranges';

/** The texts of the four range files, bounds as decimal numbers. */
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

/** The files as the packages ship them. */
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
