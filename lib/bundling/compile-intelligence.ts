import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  encodeIntelligence,
  type IntelligenceSource,
  type SourceKind,
} from '../../shared/domain/intelligence/intelligence-table';
import { BLOCK_RANGES } from '../../shared/domain/ip/ip-table';
import { buildIpTable, type IpRow, type IpSources, SPECIAL_RULES } from './compile-ip-table';
import { NETWORK_CLASS_RULES } from './ip-network-class';
import { byStart, type ReadSource, readLocations, readSource, type SourceFile } from './read-source';

/** A file with what its name does not say. */
export type DatedFile = SourceFile & Pick<IntelligenceSource, 'licence' | 'attribution' | 'date' | 'checked'>;

const ROOT = join(__dirname, '..', '..');
const CACHE = join(ROOT, 'node_modules', '.cache', 'ip-table');
/** Increase it when the same input must give different bytes; changed lists and words are detected without it. */
const COMPILER_VERSION = 2;

const DB_IP = 'IP Geolocation by DB-IP, https://db-ip.com';
const NRO = 'Number Resource Organization, https://www.nro.net';
/** Set it when the packages below are updated, or found to have no newer edition. */
const CHECKED = '2026-11-18';
const RANGES = { date: '2026-06-17', licence: 'CC BY 4.0' };

/** The sources that ship, as their packages contain them. The names of the packages say where they are from. */
const BUNDLED: ReadonlyArray<Omit<DatedFile, 'text'> & { readonly path: string }> = [
  ...(['ipv4', 'ipv6'] as const).flatMap((family) => [
    {
      ...RANGES,
      ...{ kind: 'country' as const, name: `asn-country-${family}-num.csv`, attribution: NRO },
      path: `@ip-location-db/asn-country/asn-country-${family}-num.csv`,
    },
    {
      ...RANGES,
      ...{ kind: 'asn' as const, name: `asn-${family}-num.csv`, attribution: `RouteViews, ${NRO}, and ${DB_IP}` },
      path: `@ip-location-db/asn/asn-${family}-num.csv`,
    },
  ]),
  {
    ...{ kind: 'disposable', name: 'disposable-email-domains-js', licence: 'CC0 1.0', date: '2026-09-21' },
    path: 'disposable-email-domains-js/dist/dict/disposable_email_blocklist.json',
  },
  {
    ...{ kind: 'free', name: 'email-providers', licence: 'ISC', date: '2026-09-07' },
    path: 'email-providers/all.json',
  },
];

/** Whom a page that shows results must name. */
export const ATTRIBUTIONS = [...new Set(BUNDLED.flatMap(({ attribution }) => attribution ?? []))];

/** On the list of free providers by mistake: reserved for examples, or under which anybody registers a domain. */
const NOT_FREE: ReadonlySet<string> = new Set(
  'example.com test.com test.de mydomain.com yourdomain.com name.com www.com facebook.com web.id pp.ua spb.ru msk.ru zp.ua za.com fr.nf f5.si dynu.net ddnsfree.com igg.biz usa.cc'.split(
    ' ',
  ),
);

/** The files that ship, except those of kinds that are given. */
export const bundledFiles = (except: ReadonlySet<SourceKind> = new Set()): DatedFile[] =>
  BUNDLED.filter(({ kind }) => kind === undefined || !except.has(kind)).map(({ path, ...file }) => ({
    ...file,
    checked: CHECKED,
    text: readFileSync(join(ROOT, 'node_modules', path), 'utf8'),
  }));

/** The table of the installed packages, also written to `path` if one is given. Seconds the first time, then from a cache. */
export function compileIntelligence(path?: string): Buffer {
  compiled ??= cachedTable();
  if (path !== undefined) writeWhole(path, compiled);
  return compiled;
}

/** Several functions of one build want the same table; reading its sources to ask the cache takes a second each time. */
let compiled: Buffer | undefined;

function cachedTable(): Buffer {
  const files = bundledFiles();
  const hash = createHash('sha256').update(
    `${COMPILER_VERSION} ${BLOCK_RANGES} ${NETWORK_CLASS_RULES} ${SPECIAL_RULES} ${[...NOT_FREE]}`,
  );
  for (const { text, ...about } of files) hash.update(JSON.stringify(about)).update(text);
  const cached = join(CACHE, `${hash.digest('hex').slice(0, 32)}.bin`);
  const known = readIfThere(cached);
  if (known) return known;
  const table = buildIntelligence(files);
  writeWhole(cached, table);
  return table;
}

/** Pure: files in, table out, the same bytes for the same files. @throws Error that names the file that cannot be read */
export function buildIntelligence(files: readonly DatedFile[]): Buffer {
  const locations = new Map(files.flatMap((file) => [...(readLocations(file) ?? [])]));
  const read = files
    .filter((file) => readLocations(file) === undefined)
    .map((file) => ({ file, source: readSource(file, locations) }));
  const sources = read.map(
    ({ file: { name, licence, attribution, date, checked }, source: { kind, entries } }): IntelligenceSource => ({
      ...{ kind, name, licence, date, entries },
      ...(attribution === undefined ? {} : { attribution }),
      ...(checked === undefined ? {} : { checked }),
    }),
  );
  const all = read.map(({ source }) => source);
  const owners = new Map(all.flatMap((source) => [...source.owners]));
  const ips = buildIpTable(sourcesOf(all, 4), sourcesOf(all, 6), owners);
  const domainsOf = (kind: SourceKind) => all.flatMap((source) => (source.kind === kind ? source.domains : []));
  const domains = {
    disposable: domainsOf('disposable'),
    free: domainsOf('free').filter((domain) => !NOT_FREE.has(domain)),
  };
  const hash = createHash('sha256')
    .update(ips)
    .update(JSON.stringify([sources, domains]));
  return encodeIntelligence({ version: hash.digest('hex').slice(0, 8), sources }, ips, domains);
}

function sourcesOf(all: readonly ReadSource[], family: 4 | 6): IpSources {
  const rows = (kind: SourceKind): readonly IpRow<string>[] => {
    const found = all.filter((source) => source.kind === kind).map((source) => source.rows[family]);
    // Of several files, the later ones win where they overlap; nearly always one file has all of a family.
    return found.length === 1 ? (found[0] as readonly IpRow<string>[]) : found.flat().sort(byStart);
  };
  const asn = rows('asn').map(({ first, last, value }) => ({ first, last, value: Number(value) }));
  return { country: rows('country'), asn, tor: rows('tor'), vpn: rows('vpn'), relay: rows('relay') };
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
