/** An address as unsigned 32-bit words: one for IPv4, four for IPv6, most significant first. */
export type ParsedIp =
  | { readonly family: 4; readonly word: number }
  | { readonly family: 6; readonly words: readonly [number, number, number, number] };

const DOT = 46;
const COLON = 58;
/** `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`: nothing longer can be an address. */
const MAX_TEXT_LENGTH = 45;

/**
 * Strict text to words; undefined when the text is not exactly one address.
 * Refused on purpose: leading zeros (octal to some parsers), `127.1`, hex octets, zone ids, brackets, blanks.
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
  const groups: number[] = [];
  let gap = -1;
  let i = 0;
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return undefined;
    gap = 0;
    i = 2;
  }
  while (i < text.length) {
    const start = i;
    let group = 0;
    for (let digit = hexAt(text, i); digit >= 0; digit = hexAt(text, ++i)) group = group * 16 + digit;
    if (text.charCodeAt(i) === DOT) {
      const word = parseDotted(text, start);
      if (word < 0) return undefined;
      groups.push(word >>> 16, word & 0xffff);
      break;
    }
    if (i === start || i - start > 4 || groups.length === 8) return undefined;
    groups.push(group);
    if (i === text.length) break;
    if (text.charCodeAt(i) !== COLON || ++i === text.length) return undefined;
    if (text.charCodeAt(i) !== COLON) continue;
    if (gap >= 0) return undefined;
    gap = groups.length;
    i++;
  }
  return fromGroups(groups, gap);
}

/** Fills the `::` at `gap` with zeros; it must stand for at least one group (RFC 4291, 2.2). */
function fromGroups(groups: number[], gap: number): ParsedIp | undefined {
  if (gap < 0 ? groups.length !== 8 : groups.length > 7) return undefined;
  const after = groups.length - gap;
  const at = (i: number): number => {
    if (gap < 0 || i < gap) return groups[i] as number;
    return i < 8 - after ? 0 : (groups[i - 8 + groups.length] as number);
  };
  const word = (i: number): number => ((at(i) << 16) | at(i + 1)) >>> 0;
  const words = [word(0), word(2), word(4), word(6)] as const;
  const isMapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
  return isMapped ? { family: 4, word: words[3] } : { family: 6, words };
}

/** The value of the hex digit at `i`, or -1 (also past the end, where charCodeAt is NaN). */
function hexAt(text: string, i: number): number {
  const code = text.charCodeAt(i);
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}
