/** An address as unsigned 32-bit words: one for IPv4, four for IPv6, most significant first. */
export type ParsedIp =
  | { readonly family: 4; readonly word: number }
  | { readonly family: 6; readonly words: readonly [number, number, number, number] };

const DOT = 46;
const COLON = 58;
/** `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`: nothing longer can be an address. */
const MAX_TEXT_LENGTH = 45;

/**
 * Converts text to words, strictly; undefined if the text is not exactly one address.
 * Refused on purpose: leading zeros (octal to some parsers), `127.1`, hex octets, zone ids, brackets, whitespace.
 * An IPv4-mapped address (`::ffff:1.2.3.4`) is the IPv4 address that it carries.
 */
export function parseIp(text: string): ParsedIp | undefined {
  if (text.length < 2 || text.length > MAX_TEXT_LENGTH) return undefined;
  const dot = text.indexOf('.');
  if (dot > 0 && dot <= 3 && text.charCodeAt(0) !== COLON) {
    const word = parseDotted(text, 0);
    if (word >= 0) return { family: 4, word };
  }
  return parseV6(text);
}

/** The dotted quad that fills `text` from `from` to its end, or -1. */
function parseDotted(text: string, from: number): number {
  let word = 0;
  let octets = 0;
  let octet = 0;
  let digits = 0;
  for (let i = from; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : DOT;
    if (code === DOT) {
      if (digits === 0 || octets === 4) return -1;
      word = word * 256 + octet;
      octets++;
      octet = 0;
      digits = 0;
      continue;
    }
    const digit = code - 48;
    if (digit < 0 || digit > 9 || (digits > 0 && octet === 0)) return -1;
    octet = octet * 10 + digit;
    digits++;
    if (octet > 255) return -1;
  }
  return octets === 4 ? word : -1;
}

function parseV6(text: string): ParsedIp | undefined {
  const groups = [0, 0, 0, 0, 0, 0, 0, 0];
  const length = text.length;
  let count = 0;
  let gap = -1;
  let i = 0;
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return undefined;
    gap = 0;
    i = 2;
  }
  while (i < length) {
    const start = i;
    let group = 0;
    let code = 0;
    for (; i < length; i++) {
      code = text.charCodeAt(i);
      const digit = hexDigit(code);
      if (digit < 0) break;
      group = (group << 4) | digit;
    }
    if (i < length && code === DOT) {
      const word = parseDotted(text, start);
      if (word < 0 || count > 6) return undefined;
      groups[count++] = word >>> 16;
      groups[count++] = word & 0xffff;
      break;
    }
    if (i === start || i - start > 4 || count === 8) return undefined;
    groups[count++] = group;
    if (i === length) break;
    if (code !== COLON || ++i === length) return undefined;
    if (text.charCodeAt(i) !== COLON) continue;
    if (gap >= 0) return undefined;
    gap = count;
    i++;
  }
  // `::` must stand for at least one group (RFC 4291, 2.2).
  if (gap < 0 ? count !== 8 : count === 8) return undefined;
  if (gap >= 0) fillGap(groups, gap, count);
  return fromGroups(groups);
}

function fillGap(groups: number[], gap: number, count: number): void {
  for (let from = count - 1, to = 7; from >= gap; from--, to--) {
    groups[to] = groups[from] as number;
    groups[from] = 0;
  }
}

function fromGroups(groups: readonly number[]): ParsedIp {
  const [a, b, c, d, e, f, g, h] = groups as [number, number, number, number, number, number, number, number];
  const last = ((g << 16) | h) >>> 0;
  if (f === 0xffff && (a | b | c | d | e) === 0) return { family: 4, word: last };
  return { family: 6, words: [((a << 16) | b) >>> 0, ((c << 16) | d) >>> 0, ((e << 16) | f) >>> 0, last] };
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

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

/** The network around an address in which one holder can usually change addresses. */
export interface AddressNetwork {
  /** In CIDR notation: the /24 of an IPv4 address, the /48 of an IPv6 address. Canonical, so usable as a key. */
  readonly net: string;
}

/**
 * The network of an address; undefined if the text is not an address. A /24 is the smallest block of IPv4 that the
 * internet routes, and a /48 is what a site is given of IPv6 (RFC 6177): anyone who has one can change address within it.
 */
export function networkOf(ip: string): AddressNetwork | undefined {
  const parsed = parseIp(ip);
  if (parsed === undefined) return undefined;
  if (parsed.family === 4) return { net: `${dotted((parsed.word & 0xffffff00) >>> 0)}/24` };
  const [w0, w1] = parsed.words;
  return { net: v6Prefix([w0 >>> 16, w0 & 0xffff, w1 >>> 16], 48) };
}
