import { parseIp } from './parse-ip';

/*
 * The compiled table, little-endian, every section on a 4-byte boundary:
 *
 *   header     14 × u32   magic, then the offsets of the sections below, then the end of the file
 *   countries  2 ASCII letters each; number 0 is "unknown" and is not stored
 *   records    u32 each   asn (20 bits) · marks (2) · network class (2) · country number (8), most frequent first
 *   v4 blocks  u32 start, u32 offset into v4 ranges
 *   v4 ranges  bytes      length code, record number (varint); they cover the whole space, gaps too
 *   v6 blocks  u32 start high, u32 start low, u32 offset into v6 ranges
 *   v6 ranges  bytes      as v4, but counted in /64s
 *   v6 fine    4 × u32 start, u32 record: the inside of the few /64s that are split further
 *
 * A lookup finds the block by binary search and then walks at most BLOCK_RANGES ranges. Storing lengths
 * instead of starts is what makes it small: nearly all are a small odd number shifted left, which takes one byte.
 */

/** 'IPT2' read as a little-endian u32; a big-endian machine would not find it and fail loudly. */
export const IP_TABLE_MAGIC = 0x32545049;

/** Ranges per block: trades size (more) for speed (fewer). */
export const BLOCK_RANGES = 24;

/** Record number of "nothing known": gaps, private and reserved space. */
export const RECORD_NOTHING = 0;
/** Record number of "look in v6 fine". */
export const RECORD_FINE = 1;

/** The classes, in the order of their numbers in a record. */
export const NETWORK_CLASSES = ['other', 'hosting', 'mobile', 'relay'] as const;

/**
 * The kind of machine behind an address: a server, a phone, a relay for everybody such as iCloud Private Relay, or
 * anything else. Behind a relay, as behind a carrier, strangers share addresses that change all the time.
 */
export type NetworkClass = (typeof NETWORK_CLASSES)[number];

/** Positions in the header, in u32s. */
export const HEADER = {
  magic: 0,
  countries: 1,
  records: 2,
  v4Starts: 3,
  v4Offsets: 4,
  v4Ranges: 5,
  v6High: 6,
  v6Low: 7,
  v6Offsets: 8,
  v6Ranges: 9,
  v6Fine: 10,
  end: 11,
  /** Number of entries in v6 fine and in countries: padding hides them. */
  fineCount: 12,
  countryCount: 13,
} as const;

export const HEADER_WORDS = 14;

/** No AS number above 20 bits has been assigned; the registries have reached about 402,000. */
export const MAX_ASN = 0xfffff;

/** Further facts about an address, as bits of a record. */
export const MARK = { tor: 1, vpn: 2 } as const;

export const packRecord = (asn: number, network: NetworkClass, country: number, marks = 0): number =>
  ((asn << 12) | (marks << 10) | (NETWORK_CLASSES.indexOf(network) << 8) | country) >>> 0;

/*
 * Decoding of the range streams.
 *
 * v4 length code: bits 0–4 shift, bits 5–7 n; length = (2n − 1) << shift, or n = 0: the next u32.
 * v6 length code: bits 0–5 shift, bits 6–7 k; length = m << shift, m = 1 (k = 0) or the next 1, 2 or 4 bytes.
 * Record number: LEB128.
 */

/** The record of the range that holds the address `distance` after the start of the block. */
export function walkV4(bytes: Uint8Array, offset: number, distance: number): number {
  let i = offset;
  let left = distance;
  for (;;) {
    const code = bytes[i++] as number;
    let length: number;
    if (code < 32) {
      length = u32(bytes, i);
      i += 4;
    } else {
      length = (((code >>> 5) * 2 - 1) << (code & 31)) >>> 0;
    }
    if (left < length) return record(bytes, i);
    left -= length;
    while ((bytes[i++] as number) >= 128);
  }
}

/** The record of an IPv6 range; the distance in /64s is two 32-bit words, because a double holds only 53 bits. */
export function walkV6(bytes: Uint8Array, offset: number, distanceHigh: number, distanceLow: number): number {
  let i = offset;
  let high = distanceHigh;
  let low = distanceLow;
  for (;;) {
    const code = bytes[i++] as number;
    const shift = code & 63;
    const size = code >>> 6;
    let m = 1;
    if (size === 1) m = bytes[i++] as number;
    else if (size === 2) m = (bytes[i++] as number) | ((bytes[i++] as number) << 8);
    else if (size === 3) {
      m = u32(bytes, i);
      i += 4;
    }
    const lengthLow = shift < 32 ? (m << shift) >>> 0 : 0;
    const lengthHigh = shift >= 32 ? (m << (shift - 32)) >>> 0 : shift === 0 ? 0 : m >>> (32 - shift);
    if (high < lengthHigh || (high === lengthHigh && low < lengthLow)) return record(bytes, i);
    high -= lengthHigh + (low < lengthLow ? 1 : 0);
    low = (low - lengthLow) >>> 0;
    while ((bytes[i++] as number) >= 128);
  }
}

function u32(bytes: Uint8Array, i: number): number {
  const low = (bytes[i] as number) | ((bytes[i + 1] as number) << 8) | ((bytes[i + 2] as number) << 16);
  return (low | ((bytes[i + 3] as number) << 24)) >>> 0;
}

function record(bytes: Uint8Array, from: number): number {
  let value = 0;
  let shift = 0;
  for (let i = from; ; i++) {
    const byte = bytes[i] as number;
    value |= (byte & 127) << shift;
    if (byte < 128) return value;
    shift += 7;
  }
}

/** Facts known about an address without any request. */
export interface IpFacts {
  /** ISO 3166 alpha-2 code of the country in which the block is registered. */
  readonly country?: string;
  readonly asn?: number;
  readonly network: NetworkClass;
  /** An exit of the Tor network. @default none that is known */
  readonly tor?: true;
  /** An address of a VPN service for consumers. @default none that is known */
  readonly vpn?: true;
}

export interface IpTable {
  /** Undefined for text that is not an address, for private and reserved space, and where nothing is known. */
  lookup(ip: string): IpFacts | undefined;
}

/** Opens a compiled table in place: it only creates views; nothing is decoded until a lookup. */
export function openIpTable(buffer: Uint8Array): IpTable {
  const bytes = buffer.byteOffset % 4 === 0 ? buffer : Uint8Array.from(buffer);
  const view = sections(bytes);
  const at = (word: number): IpFacts => facts(word, view.countries);

  return {
    lookup(ip) {
      const parsed = parseIp(ip);
      if (parsed === undefined) return undefined;
      let record: number;
      if (parsed.family === 4) {
        const block = lastAtMost(view.v4Starts, parsed.word);
        const start = view.v4Starts[block] as number;
        record = walkV4(view.v4Ranges, view.v4Offsets[block] as number, parsed.word - start);
      } else {
        const [w0, w1] = parsed.words;
        const block = lastPairAtMost(view.v6High, view.v6Low, w0, w1);
        const low = view.v6Low[block] as number;
        const high = w0 - (view.v6High[block] as number) - (w1 < low ? 1 : 0);
        record = walkV6(view.v6Ranges, view.v6Offsets[block] as number, high, (w1 - low) >>> 0);
        if (record === RECORD_FINE) record = fineRecord(view.fine, parsed.words);
      }
      return record === RECORD_NOTHING ? undefined : at(view.records[record] as number);
    },
  };
}

function sections(bytes: Uint8Array) {
  const words = (from: number, to: number) => new Uint32Array(bytes.buffer, bytes.byteOffset + from, (to - from) >>> 2);
  if (bytes.length < HEADER_WORDS * 4) throw new Error('not an IP table: too short');
  const header = words(0, HEADER_WORDS * 4);
  const field = (name: keyof typeof HEADER) => header[HEADER[name]] as number;
  if (field('magic') !== IP_TABLE_MAGIC) throw new Error('not an IP table of this version');
  if (field('end') !== bytes.length) throw new Error(`IP table of ${field('end')} bytes has ${bytes.length}`);

  return {
    countries: countryNames(bytes, field('countries'), field('countryCount')),
    records: words(field('records'), field('v4Starts')),
    v4Starts: words(field('v4Starts'), field('v4Offsets')),
    v4Offsets: words(field('v4Offsets'), field('v4Ranges')),
    v4Ranges: bytes.subarray(field('v4Ranges'), field('v6High')),
    v6High: words(field('v6High'), field('v6Low')),
    v6Low: words(field('v6Low'), field('v6Offsets')),
    v6Offsets: words(field('v6Offsets'), field('v6Ranges')),
    v6Ranges: bytes.subarray(field('v6Ranges'), field('v6Fine')),
    fine: words(field('v6Fine'), field('v6Fine') + field('fineCount') * 20),
  };
}

function countryNames(bytes: Uint8Array, from: number, count: number): readonly string[] {
  const names = [''];
  for (let i = from; i < from + count * 2; i += 2) {
    names.push(String.fromCharCode(bytes[i] as number, bytes[i + 1] as number));
  }
  return names;
}

function facts(word: number, countries: readonly string[]): IpFacts {
  const network = NETWORK_CLASSES[(word >>> 8) & 3] as NetworkClass;
  const country = countries[word & 255] as string;
  const asn = word >>> 12;
  const marks = (word >>> 10) & 3;
  if (marks === 0 && country !== '') return asn === 0 ? { country, network } : { country, asn, network };
  return {
    ...(country === '' ? {} : { country }),
    ...(asn === 0 ? {} : { asn }),
    network,
    ...((marks & MARK.tor) === 0 ? {} : { tor: true }),
    ...((marks & MARK.vpn) === 0 ? {} : { vpn: true }),
  };
}

function lastAtMost(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) <= value) low = middle;
    else high = middle;
  }
  return low;
}

function lastPairAtMost(highs: Uint32Array, lows: Uint32Array, w0: number, w1: number): number {
  let low = 0;
  let high = highs.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    const word = highs[middle] as number;
    if (word < w0 || (word === w0 && (lows[middle] as number) <= w1)) low = middle;
    else high = middle;
  }
  return low;
}

/** The last fine entry at or before the address. A few hundred entries, rarely needed: a linear scan is enough. */
function fineRecord(fine: Uint32Array, words: readonly number[]): number {
  for (let i = fine.length - 5; i >= 0; i -= 5) {
    let k = 0;
    while (k < 3 && fine[i + k] === words[k]) k++;
    if ((fine[i + k] as number) <= (words[k] as number)) return fine[i + 4] as number;
  }
  return RECORD_NOTHING;
}
