import ipaddr from 'ipaddr.js';

const [GLOBAL_V6, GLOBAL_V6_BITS] = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address literal is public. `process` unwraps IPv4-mapped IPv6, and `range` knows NAT64, 6to4 and
 * Teredo, which `net.BlockList` misses.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // Only 2000::/3 is allocated: other addresses that ipaddr.js calls unicast (`::7f00:1`, `4000::1`) are not safe.
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_V6, GLOBAL_V6_BITS);
}

/** Whether an address literal lies in one of the CIDR blocks. */
export function isWithin(address: string, cidrs: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return cidrs.some((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return network.kind() === parsed.kind() && parsed.match(network, bits);
  });
}
