import { canonicalEmail } from '../entities/canonical-value';
import { type IpFacts, openIpTable } from '../ip/ip-table';

/*
 * Offline knowledge in one file, little-endian, every section on a 4-byte boundary:
 *
 *   header    6 × u32    magic; lengths of the description, of the domains' text and of the IP table; number of domains; 0
 *   offsets   u32 each   where the text of each domain begins, and where the last one ends
 *   kinds     bytes      one per domain
 *   text      ASCII      the domains, sorted by their bytes
 *   IP table             see ip-table.ts
 *   description          JSON
 *
 * Opening it creates views; a lookup compares bytes in place.
 */

/** 'FSI1' read as a little-endian u32. */
const MAGIC = 0x31495346;
const HEADER_WORDS = 6;

/** Kinds of sources about addresses and domains. */
export const SOURCE_KINDS = ['country', 'asn', 'tor', 'vpn', 'relay', 'disposable', 'free'] as const;

export type SourceKind = (typeof SOURCE_KINDS)[number];

/** One file that a table was made from. */
export interface IntelligenceSource {
  readonly kind: SourceKind;
  readonly name: string;
  readonly licence: string;
  /** Must be shown where results are. @default nothing has to be */
  readonly attribution?: string | undefined;
  /** The day that it describes, `2026-11-18`. */
  readonly date: string;
  /** The day on which what ships was last found to be the newest edition that may ship: its age counts from then. */
  readonly checked?: string | undefined;
  readonly entries: number;
}

export interface IntelligenceDescription {
  /** Recorded with every decision; two tables with the same version are the same bytes. */
  readonly version: string;
  readonly sources: readonly IntelligenceSource[];
}

/** The tables that were put into the bucket, and the one that counts. */
export interface IntelligenceState {
  readonly format: 1;
  /** Null while the one that ships with the functions does. */
  readonly current: string | null;
  /** Oldest first. */
  readonly tables: ReadonlyArray<IntelligenceDescription & { readonly stored_at: string; readonly sha256: string }>;
}

export const NO_TABLES: IntelligenceState = { format: 1, current: null, tables: [] };

/** Where they are, below the prefix of a stage. */
export const INTELLIGENCE_KEY = {
  state: 'intelligence/current.json',
  table: (version: string): string => `intelligence/tables/${version}.bin`,
} as const;

const DAY_MS = 86_400_000;
/** Every table has these; what is downloaded besides them may be older. */
const ESSENTIAL: readonly SourceKind[] = ['country', 'asn', 'disposable'];

/** The days since the oldest of its essential sources was made, or checked: what is due, so that nothing is due at once. */
export function ageDays({ sources }: IntelligenceDescription, nowMs: number): number {
  const days = sources
    .filter(({ kind }) => ESSENTIAL.includes(kind))
    .map(({ date, checked = date }) => (nowMs - Date.parse(checked)) / DAY_MS);
  return Math.max(0, ...days);
}

/** Facts about the domain of an email address. */
export interface EmailFacts {
  /** Addresses that anybody can read or that end by themselves. */
  readonly disposable: boolean;
  /** A provider that gives everybody an address. */
  readonly free: boolean;
}

export interface IntelligenceTable {
  readonly description: IntelligenceDescription;
  /** As `IpTable.lookup`. */
  lookup(ip: string): IpFacts | undefined;
  /** Undefined for text that is not an email address. */
  email(address: string): EmailFacts | undefined;
}

/** How a domain's kind is written: 1 disposable, 2 free, 0 neither. */
const FACTS: readonly EmailFacts[] = [
  { disposable: false, free: false },
  { disposable: true, free: false },
  { disposable: false, free: true },
];

const DISPOSABLE = 1;
const FREE = 2;

const padded = (length: number): number => (length + 3) & ~3;

/** The bytes of a table. A domain on both lists is disposable. */
export function encodeIntelligence(
  description: IntelligenceDescription,
  ipTable: Uint8Array,
  domains: Readonly<Record<'disposable' | 'free', Iterable<string>>>,
): Buffer {
  const kinds = new Map<string, number>();
  for (const domain of domains.free) kinds.set(domain, FREE);
  for (const domain of domains.disposable) kinds.set(domain, DISPOSABLE);
  const sorted = [...kinds.keys()].sort();
  const text = sorted.join('');
  const about = Buffer.from(JSON.stringify(description));
  const words = new Uint32Array(HEADER_WORDS + sorted.length + 1);
  words.set([MAGIC, about.length, text.length, ipTable.length, sorted.length, 0]);
  let offset = 0;
  for (const [at, domain] of sorted.entries()) {
    words[HEADER_WORDS + at] = offset;
    offset += domain.length;
  }
  words[HEADER_WORDS + sorted.length] = offset;
  const kindBytes = Buffer.alloc(padded(sorted.length));
  for (const [at, domain] of sorted.entries()) kindBytes[at] = kinds.get(domain) as number;
  const textBytes = Buffer.alloc(padded(text.length));
  textBytes.write(text, 'latin1');
  return Buffer.concat([Buffer.from(words.buffer), kindBytes, textBytes, ipTable, about]);
}

/** @throws Error if the bytes are not a whole table of this version */
export function openIntelligence(buffer: Uint8Array): IntelligenceTable {
  const bytes = buffer.byteOffset % 4 === 0 ? buffer : Uint8Array.from(buffer);
  if (bytes.length < HEADER_WORDS * 4) throw new Error('not an intelligence table: too short');
  const header = new Uint32Array(bytes.buffer, bytes.byteOffset, HEADER_WORDS);
  const [magic, aboutBytes, textBytes, ipBytes, count] = header as unknown as [number, number, number, number, number];
  if (magic !== MAGIC) throw new Error('not an intelligence table of this version');
  const kindsAt = (HEADER_WORDS + count + 1) * 4;
  const textAt = kindsAt + padded(count);
  const ipAt = textAt + padded(textBytes);
  const end = ipAt + ipBytes + aboutBytes;
  if (end !== bytes.length) throw new Error(`intelligence table of ${end} bytes has ${bytes.length}`);
  const offsets = new Uint32Array(bytes.buffer, bytes.byteOffset + HEADER_WORDS * 4, count + 1);
  const text = bytes.subarray(textAt, textAt + textBytes);
  const ips = openIpTable(bytes.subarray(ipAt, ipAt + ipBytes));

  /** The kind of a domain that is listed itself; 0 if it is not. */
  function kindOf(domain: string): number {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compare(text, offsets[middle] as number, offsets[middle + 1] as number, domain);
      if (order === 0) return bytes[kindsAt + middle] as number;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return 0;
  }

  return {
    description: JSON.parse(Buffer.from(bytes.subarray(end - aboutBytes)).toString()) as IntelligenceDescription,
    lookup: ips.lookup,
    email(address) {
      const canonical = canonicalEmail(address);
      const at = canonical.lastIndexOf('@');
      if (at < 1 || at === canonical.length - 1) return undefined;
      for (const domain of domainAndParents(canonical.slice(at + 1))) {
        const kind = kindOf(domain);
        if (kind !== 0) return FACTS[kind];
      }
      return FACTS[0];
    },
  };
}

/** More labels are only ever somebody's attempt to keep us busy. */
const MOST_PARENTS = 6;

/** A domain and those that it belongs to, the nearest first, without the top level: lists of domains hold for subdomains. */
export function domainAndParents(domain: string): readonly string[] {
  const found = [domain];
  for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1)) {
    const parent = domain.slice(dot + 1);
    if (parent.includes('.')) found.push(parent);
  }
  return found.length <= MOST_PARENTS ? found : found.slice(-MOST_PARENTS);
}

/** The order of a stored domain and a text. */
function compare(text: Uint8Array, from: number, to: number, domain: string): number {
  const length = Math.min(to - from, domain.length);
  for (let at = 0; at < length; at++) {
    const difference = (text[from + at] as number) - domain.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return to - from - domain.length;
}
