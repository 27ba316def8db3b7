import { type ParsedIp, parseIp } from '../ip/parse-ip';

/** A network in CIDR notation. */
export interface IpNetwork {
  readonly family: 4 | 6;
  readonly bits: number;
  /** The same for every spelling. */
  readonly text: string;
}

/** Shorter prefixes hold whole continents: a slip of the finger, not a network. */
const SHORTEST = { 4: 8, 6: 16 } as const;
const LONGEST = { 4: 32, 6: 128 } as const;
const MAPPED_BITS = 96;

/** A word with only the first `bits` of its 32 left. */
function masked(word: number, bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 32 ? word : (word & (-1 << (32 - bits))) >>> 0;
}

/** The network of this many bits that an address is in, as text. */
export function networkText(ip: ParsedIp, bits: number): string {
  if (ip.family === 4) return `${masked(ip.word, bits).toString(16)}/${bits}`;
  return `${ip.words.map((word, at) => masked(word, bits - 32 * at).toString(16)).join(':')}/${bits}`;
}

/** Reads a network such as `203.0.113.0/24`, or a single address; undefined if it is neither, or too large. */
export function parseNetwork(text: string): IpNetwork | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const ip = parseIp(address);
  if (ip === undefined || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return undefined;
  const isMapped = ip.family === 4 && address.includes(':');
  const bits = length === undefined ? LONGEST[ip.family] : Number(length) - (isMapped ? MAPPED_BITS : 0);
  if (bits < SHORTEST[ip.family] || bits > LONGEST[ip.family]) return undefined;
  return { family: ip.family, bits, text: networkText(ip, bits) };
}
