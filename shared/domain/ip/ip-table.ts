import {
  HEADER,
  HEADER_WORDS,
  IP_TABLE_MAGIC,
  NETWORK_CLASSES,
  type NetworkClass,
  RECORD_FINE,
  RECORD_NOTHING,
} from './ip-table-format';
import { parseIp } from './parse-ip';
import { walkV4, walkV6 } from './walk-ranges';

export type { NetworkClass } from './ip-table-format';

/** What is known about an address without any request. */
export interface IpFacts {
  /** ISO 3166 alpha-2 code of the country in which the block is registered. */
  readonly country?: string;
  readonly asn?: number;
  readonly network: NetworkClass;
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
  const asn = word >>> 10;
  if (asn === 0) return { country, network };
  return country === '' ? { asn, network } : { country, asn, network };
}

/** Index of the last element that is at most `value`; the first block always starts at 0. */
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

/** The last fine entry at or before the address. A few hundred entries, hardly ever needed: a linear scan will do. */
function fineRecord(fine: Uint32Array, words: readonly number[]): number {
  for (let i = fine.length - 5; i >= 0; i -= 5) {
    let k = 0;
    while (k < 3 && fine[i + k] === words[k]) k++;
    if ((fine[i + k] as number) <= (words[k] as number)) return fine[i + 4] as number;
  }
  return RECORD_NOTHING;
}
