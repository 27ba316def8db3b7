import { canonicalDomain } from '../../shared/domain/entities/canonical-value';
import type { SourceKind } from '../../shared/domain/intelligence/intelligence-table';
import { parseIp } from '../../shared/domain/ip/parse-ip';

/*
 * Readers of the files that owners download, told apart by their first line. Bounds are addresses, numbers or networks:
 *
 *   ip-location-db   first,last,country            first,last,asn,owner
 *   DB-IP            first,last,country            first,last,asn,owner       first,last,continent,country,…
 *   GeoLite2         network,geoname_id,…  and its Locations file             network,autonomous_system_number,…
 *   geofeed          network,country,region,city   (RFC 8805: Apple's egress-ip-ranges.csv, Google's)
 *   prefixes         {"prefixes":[{"ipv4Prefix":…}]}  (Google's goog.json)
 *   Tor              ExitAddress lines, or addresses; any list of addresses or networks, one per line
 *   domains          one per line, or a JSON array
 */

export type Family = 4 | 6;

/** One line of a range file: inclusive bounds and their value. */
export interface IpRow {
  readonly first: bigint;
  readonly last: bigint;
  /** A country, or an AS number; '' where the file has only ranges. */
  readonly value: string;
}

/** A file, read. */
export interface ReadSource {
  readonly kind: SourceKind;
  readonly rows: Readonly<Record<Family, readonly IpRow[]>>;
  /** The owners of networks. */
  readonly owners: ReadonlyMap<number, string>;
  readonly domains: readonly string[];
  readonly entries: number;
}

/** A file to read; its kind is needed where its content does not tell. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
  readonly kind?: SourceKind | undefined;
}

/** One line of data: where its range is, and what it says. */
type Line = readonly [first: string, last: string | undefined, value: string, owner?: string];

interface Format {
  readonly starts: RegExp;
  readonly kind?: SourceKind;
  /** The first line names the columns. */
  readonly hasHeader?: true;
  /** Undefined skips the line. */
  line(fields: readonly string[], text: string, locations: ReadonlyMap<string, string>): Line | undefined;
}

const CODE = /^[A-Z]{2}$/;
const code = (text = ''): string => {
  if (text !== '' && !CODE.test(text)) throw new Error(`not a country code: ${text}`);
  // DB-IP's word for unknown.
  return text === 'ZZ' ? '' : text;
};
const number = (text = ''): string => {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`not an AS number: ${text}`);
  return text;
};
/** Everything after the nth comma: owners' names contain commas. */
const after = (text: string, commas: number): string => {
  let at = 0;
  for (let left = commas; left > 0; left--) at = text.indexOf(',', at) + 1;
  const field = text.slice(at);
  return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
};

const BOUND = '"?[0-9a-fA-F:.]+"?';
const FORMATS: readonly Format[] = [
  {
    starts: /^network,geoname_id,/,
    kind: 'country',
    hasHeader: true,
    line: ([network = '', geoname = '', registered = ''], _, locations) => [
      network,
      undefined,
      code(locations.get(geoname) ?? locations.get(registered)),
    ],
  },
  {
    starts: /^network,autonomous_system_number,/,
    kind: 'asn',
    hasHeader: true,
    line: ([network = '', asn], text) => [network, undefined, number(asn), after(text, 2)],
  },
  {
    starts: new RegExp(`^${BOUND},${BOUND},"?(AF|AN|AS|EU|NA|OC|SA|ZZ)"?,"?[A-Z]{2}"?,.*,.*,.*,`),
    kind: 'country',
    line: ([first = '', last, , country]) => [first, last, code(country)],
  },
  {
    starts: new RegExp(`^${BOUND},${BOUND},"?[A-Z]{2}"?$`),
    kind: 'country',
    line: ([first = '', last, country]) => [first, last, code(country)],
  },
  {
    starts: new RegExp(`^${BOUND},${BOUND},"?\\d+"?,`),
    kind: 'asn',
    line: ([first = '', last, asn], text) => [first, last, number(asn), after(text, 3)],
  },
  {
    starts: /^[0-9a-fA-F:.]+\/\d+,[A-Z]{0,2},/,
    kind: 'relay',
    line: ([network = '', country]) => [network, undefined, code(country)],
  },
  {
    starts: /^ExitNode /,
    kind: 'tor',
    line: (_, text) => {
      const [word, address = ''] = text.split(' ');
      return word === 'ExitAddress' ? [address, undefined, ''] : undefined;
    },
  },
  { starts: /^[0-9a-fA-F:.]+(\/\d+)?$/, line: ([network = '']) => [network, undefined, ''] },
];

const BY_NAME: ReadonlyArray<readonly [RegExp, SourceKind]> = [
  [/tor[-_]?(bulk|exit)|exit[-_]?(list|addresses)|torbulk/i, 'tor'],
  [/relay|egress/i, 'relay'],
  [/vpn/i, 'vpn'],
  [/disposable|burner|temporary/i, 'disposable'],
  [/free/i, 'free'],
];

const DOMAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;
export const isComment = (line: string): boolean => line === '' || line.startsWith('#') || line.startsWith(';');

/** The countries of GeoLite2's places, from its Locations file; undefined for any other file. */
export function readLocations({ text }: SourceFile): ReadonlyMap<string, string> | undefined {
  if (!text.startsWith('geoname_id,locale_code,')) return undefined;
  const fields = text.split(/\r?\n/).map((line) => line.split(','));
  const column = fields[0]?.indexOf('country_iso_code') ?? -1;
  return new Map(fields.slice(1).map((each) => [each[0] ?? '', each[column] ?? '']));
}

/** A file or a table that is not what it should be: nothing is stored of it. */
export class UnsoundTable extends Error {}

/** Lists that people keep by hand have a slip here and there; a file that is something else has nothing but. */
const MOST_FAULTS = 0.001;

/** @throws UnsoundTable that names the file and the first line that cannot be read, if these are more than slips */
export function readSource(file: SourceFile, locations: ReadonlyMap<string, string> = new Map()): ReadSource {
  const lines = file.text.startsWith('{') || file.text.startsWith('[') ? jsonLines(file) : file.text.split(/\r?\n/);
  const start = lines.findIndex((line) => !isComment(line));
  const first = lines[start]?.trim();
  if (first === undefined) throw new UnsoundTable(`${file.name} is empty`);
  const format = FORMATS.find(({ starts }) => starts.test(first));
  const kind = file.kind ?? format?.kind ?? BY_NAME.find(([words]) => words.test(file.name))?.[1];
  const isOfDomains = format === undefined && DOMAIN.test(first.toLowerCase());
  if (format === undefined && !isOfDomains)
    throw new UnsoundTable(`${file.name}: unknown format: ${first.slice(0, 60)}`);
  if (kind === undefined) throw new UnsoundTable(`${file.name}: say what it lists, such as tor=${file.name}`);
  if (isOfDomains !== (kind === 'disposable' || kind === 'free'))
    throw new UnsoundTable(`${file.name} is not a list of kind ${kind}`);
  const [rows, owners, domains] = [{ 4: [] as IpRow[], 6: [] as IpRow[] }, new Map(), [] as string[]];
  const faults: string[] = [];
  for (let at = format?.hasHeader ? start + 1 : start; at < lines.length; at++) {
    const text = (lines[at] as string).trim();
    if (isComment(text)) continue;
    try {
      if (format === undefined) domains.push(domainOf(text));
      else {
        const line = format.line(text.replaceAll('"', '').split(','), text, locations);
        if (line === undefined) continue;
        const { family, ...range } = rangeOf(line[0], line[1]);
        rows[family].push({ ...range, value: line[2] });
        if (line[3] !== undefined && !owners.has(Number(line[2]))) owners.set(Number(line[2]), line[3]);
      }
    } catch (error) {
      faults.push(`${file.name}, line ${at + 1}: ${(error as Error).message}`);
    }
  }
  if (faults.length > lines.length * MOST_FAULTS) throw new UnsoundTable(faults[0]);
  for (const family of [4, 6] as const) rows[family].sort(byStart);
  return { kind, rows, owners, domains, entries: rows[4].length + rows[6].length + domains.length };
}

/** The larger first, so that the more specific ones come later. */
export const byStart = (a: IpRow, b: IpRow): number =>
  a.first < b.first ? -1 : a.first > b.first ? 1 : a.last > b.last ? -1 : a.last < b.last ? 1 : 0;

function jsonLines({ name, text }: SourceFile): string[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UnsoundTable(`${name} is not JSON: ${(error as Error).message}`);
  }
  if (Array.isArray(json)) return json.map(String);
  const { prefixes } = json as { readonly prefixes?: ReadonlyArray<Readonly<Record<string, string>>> };
  if (prefixes === undefined) throw new UnsoundTable(`${name}: unknown format: JSON without prefixes`);
  return prefixes.map(({ ipv4Prefix, ipv6Prefix }) => ipv4Prefix ?? ipv6Prefix ?? '');
}

function domainOf(text: string): string {
  const domain = canonicalDomain(text.toLowerCase().replace(/^[*@]?\.?/, ''));
  if (!DOMAIN.test(domain)) throw new Error(`not a domain: ${text.slice(0, 60)}`);
  return domain;
}

/** Inclusive bounds, from two of them or from a network. */
export function rangeOf(from: string, to?: string): { family: Family; first: bigint; last: bigint } {
  const [address = '', length] = from.split('/');
  const { family, value: first } = addressOf(address);
  const bits = family === 4 ? 32 : 128;
  if (to !== undefined) {
    const end = addressOf(to);
    if (end.family !== family || end.value < first) throw new Error(`not a range: ${from} to ${to}`);
    return { family, first, last: end.value };
  }
  if (length !== undefined && (!/^\d{1,3}$/.test(length) || Number(length) > bits))
    throw new Error(`not a network: ${from}`);
  const size = 1n << BigInt(bits - Number(length ?? bits));
  return { family, first: first - (first % size), last: first - (first % size) + size - 1n };
}

const V4_END = 1n << 32n;

/** An address, or its number; no IPv6 address that was ever given out has a number below 2^32. */
function addressOf(text: string): { readonly family: Family; readonly value: bigint } {
  if (/^\d+$/.test(text)) {
    const value = BigInt(text);
    return { family: value < V4_END ? 4 : 6, value };
  }
  const parsed = parseIp(text);
  if (parsed === undefined) throw new Error(`not an address: ${text.slice(0, 60)}`);
  if (parsed.family === 4) return { family: 4, value: BigInt(parsed.word) };
  return { family: 6, value: parsed.words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n) };
}
