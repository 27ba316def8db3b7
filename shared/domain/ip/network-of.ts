import { dotted, v6Prefix } from './ip-prefix';
import { parseIp } from './parse-ip';

/** The network around an address that one holder can usually move about in. */
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
