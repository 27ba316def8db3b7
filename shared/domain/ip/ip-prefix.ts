import { parseIp } from './parse-ip';

/**
 * The key under which the history of an address is kept: an IPv4 address itself, or the /64 of an IPv6 address.
 * A household or a phone owns a whole /64 and changes the lower half at will (RFC 8981), so counting
 * single IPv6 addresses is meaningless. Canonical (RFC 5952), so every spelling gives the same key.
 */
export function ipPrefix(ip: string): string | undefined {
  const parsed = parseIp(ip);
  if (parsed === undefined) return undefined;
  if (parsed.family === 4) return dotted(parsed.word);
  const [w0, w1] = parsed.words;
  return v6Prefix([w0 >>> 16, w0 & 0xffff, w1 >>> 16, w1 & 0xffff], 64);
}

/** An IPv6 network in CIDR notation, from the 16-bit groups of its prefix. */
export function v6Prefix(groups: number[], bits: 48 | 64): string {
  // Trailing zeros join the zero bits of the host: always the longest run, so `::` belongs there.
  while (groups.at(-1) === 0) groups.pop();
  return `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`;
}

/** An IPv4 address in dotted notation. */
export function dotted(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}
