import ipaddr from 'ipaddr.js';

/**
 * Whether an address literal is public. `process` unwraps IPv4-mapped IPv6, and `range` knows NAT64, 6to4 and
 * Teredo, which `net.BlockList` misses.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
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
