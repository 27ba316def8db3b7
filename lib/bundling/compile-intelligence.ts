import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  encodeIntelligence,
  type IntelligenceSource,
  type SourceKind,
} from '../../shared/domain/intelligence/intelligence-table';
import { BLOCK_RANGES } from '../../shared/domain/ip/ip-table';
import { buildIpTable, type IpSources, SPECIAL_RANGES } from './compile-ip-table';
import sources from './intelligence-sources.json';
import { NETWORK_CLASS_RULES } from './ip-network-class';
import {
  byStart,
  type Family,
  type IpRow,
  type ReadSource,
  readLocations,
  readSource,
  type SourceFile,
} from './read-source';

/** A file with what its name does not say. */
export type DatedFile = SourceFile & Pick<IntelligenceSource, 'licence' | 'attribution' | 'date' | 'checked'>;

const ROOT = join(__dirname, '..', '..');
const CACHE = join(ROOT, 'node_modules', '.cache', 'ip-table');
/** Increase it when the same input must give different bytes; changed lists and words are detected without it. */
const COMPILER_VERSION = 2;

/**
 * The sources that ship, in packages whose names say where they are from, and the day on which they were last updated or
 * found to have no newer edition; whom publishers ask to name, word for word, by what they call their files; and domains
 * on the list of free providers by mistake: reserved for examples, or under which anybody registers one.
 */
const { bundled, checked, publishers, not_free } = sources as {
  readonly bundled: ReadonlyArray<Pick<IntelligenceSource, 'kind' | 'name' | 'date'> & { readonly path: string }>;
  readonly checked: string;
  readonly publishers: ReadonlyArray<Pick<IntelligenceSource, 'licence' | 'attribution'> & { readonly names: string }>;
  readonly not_free: readonly string[];
};

/** The terms of a file, by its name. */
export function termsOf(name: string): Pick<IntelligenceSource, 'licence' | 'attribution'> {
  const found = publishers.find(({ names }) => new RegExp(names, 'i').test(name));
  return { licence: found?.licence ?? 'unknown: see where you downloaded it', attribution: found?.attribution };
}

/** Whom a page that shows results must name. */
export const ATTRIBUTIONS = [...new Set(bundled.flatMap(({ name }) => termsOf(name).attribution ?? []))];

/** The files that ship, except those of kinds that are given. */
export const bundledFiles = (except: ReadonlySet<SourceKind> = new Set()): DatedFile[] =>
  bundled
    .filter(({ kind }) => !except.has(kind))
    .map(({ path, ...file }) => ({
      ...{ ...file, ...termsOf(file.name), checked },
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
    `${COMPILER_VERSION} ${BLOCK_RANGES} ${NETWORK_CLASS_RULES} ${SPECIAL_RANGES} ${not_free}`,
  );
  for (const { text, ...about } of files) hash.update(JSON.stringify(about)).update(text);
  const cached = join(CACHE, `${hash.digest('hex').slice(0, 32)}.bin`);
  const known = readIfThere(cached);
  if (known) return known;
  const table = buildIntelligence(files);
  writeWhole(cached, table);
  return table;
}

/** Files, read; GeoLite2's Locations only serve its others. */
function readAll(files: readonly DatedFile[]): ReadonlyArray<DatedFile & ReadSource> {
  const locations = new Map(files.flatMap((file) => [...(readLocations(file) ?? [])]));
  return files
    .filter((file) => readLocations(file) === undefined)
    .map((file) => ({ ...file, ...readSource(file, locations) }));
}

/**
 * Pure: the same bytes for the same files. With `ships`, kinds that none of them has are those of what ships.
 * @throws Error that names the file that cannot be read
 */
export function buildIntelligence(files: readonly DatedFile[], ships = false): Buffer {
  const given = readAll(files);
  const all = [...(ships ? readAll(bundledFiles(new Set(given.map(({ kind }) => kind)))) : []), ...given];
  const described = all.map(
    ({ kind, name, licence, date, entries, attribution, checked }): IntelligenceSource => ({
      ...{ kind, name, licence, date, entries, attribution, checked },
    }),
  );
  const owners = new Map(all.flatMap((source) => [...source.owners]));
  const ips = buildIpTable(sourcesOf(all, 4), sourcesOf(all, 6), owners);
  const domainsOf = (kind: SourceKind) => all.flatMap((source) => (source.kind === kind ? source.domains : []));
  const domains = {
    disposable: domainsOf('disposable'),
    free: domainsOf('free').filter((domain) => !not_free.includes(domain)),
  };
  const hash = createHash('sha256')
    .update(ips)
    .update(JSON.stringify([described, domains]));
  return encodeIntelligence({ version: hash.digest('hex').slice(0, 8), sources: described }, ips, domains);
}

function sourcesOf(all: readonly ReadSource[], family: Family): IpSources {
  const rows = (kind: SourceKind): readonly IpRow[] => {
    const found = all.filter((source) => source.kind === kind).map((source) => source.rows[family]);
    // Of several files, the later ones win where they overlap; nearly always one file has all of a family.
    return found.length === 1 ? (found[0] as readonly IpRow[]) : found.flat().sort(byStart);
  };
  return { country: rows('country'), asn: rows('asn'), tor: rows('tor'), vpn: rows('vpn'), relay: rows('relay') };
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
