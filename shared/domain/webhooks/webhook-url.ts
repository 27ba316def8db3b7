import { isPublicAddress, isWithin } from '../ip/network-address';

const MAX_LENGTH = 2048;
const LOCAL_NAMES = /(^|\.)(localhost|local|internal)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point.
const CONTROL_OR_SPACE = /[\u0000-\u0020\u007f-\u009f\u2028\u2029\ufeff]/;

/**
 * Why a URL may not be registered; undefined if it may. Names are not resolved here: the dispatcher
 * checks every resolved address at the moment it connects, so a name that moves later gains nothing.
 * `allowedCidrs` is the local escape hatch; it is empty in every deployment.
 */
export function webhookUrlFault(text: string, allowedCidrs: readonly string[] = []): string | undefined {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (CONTROL_OR_SPACE.test(text)) return 'must not contain spaces or control characters';
  const url = parse(text);
  if (!url) return 'must be an absolute URL such as https://example.com/hooks';
  if (url.protocol !== 'https:') return 'must start with https://; plain HTTP is not allowed';
  if (url.username || url.password) return 'must not contain a user name or password';

  // The parser has already turned 2130706433, 0x7f.1 and fullwidth digits into 127.0.0.1.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '') return 'must name a host';
  if (isLiteral(host)) {
    const allowed = isPublicAddress(host) || isWithin(host, allowedCidrs);
    return allowed ? undefined : 'must not point at a private, local or reserved address';
  }
  if (LOCAL_NAMES.test(host)) {
    const isLocalhost = host === 'localhost' || host.endsWith('.localhost');
    return isLocalhost && isWithin('127.0.0.1', allowedCidrs) ? undefined : 'must not point at a local host name';
  }
  return host.includes('.') ? undefined : 'must name a public host';
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const isLiteral = (host: string): boolean => host.includes(':') || /^\d+\.\d+\.\d+\.\d+$/.test(host);

// IPv6 space that is allocated to Internet hosts. Outside it, ipaddr.js calls some addresses unicast that are
// not: ::7f00:1 (which is how a URL spells [::127.0.0.1]), 4000::1 and the like.
const GLOBAL_IPV6 = ['2000::/3'];

/** Whether a delivery may connect to an address literal. `allowCidrs` is the local escape hatch. */
export function isDeliverableAddress(address: string, allowCidrs: readonly string[]): boolean {
  if (isWithin(address, allowCidrs)) return true;
  // isWithin and isPublicAddress both treat ::ffff:1.2.3.4 as an IPv4 address.
  return isPublicAddress(address) && (isIPv4(address) || isWithin(address, GLOBAL_IPV6));
}

const isIPv4 = (address: string): boolean => isWithin(address, ['0.0.0.0/0']);
