import { isPublicAddress, isWithin } from '../ip/network-address';

// IPv6 space that is allocated to Internet hosts. Outside it, ipaddr.js calls some addresses unicast that are
// not: ::7f00:1 (which is how a URL spells [::127.0.0.1]), 4000::1 and the like.
const GLOBAL_IPV6 = ['2000::/3'];

/** Whether a delivery may connect to an address literal. `allowCidrs` is the local escape hatch. */
export function isDeliverableAddress(address: string, allowCidrs: readonly string[]): boolean {
  if (isWithin(address, allowCidrs)) return true;
  // isWithin and isPublicAddress both treat ::ffff:1.2.3.4 as the IPv4 address that it is.
  return isPublicAddress(address) && (isIPv4(address) || isWithin(address, GLOBAL_IPV6));
}

const isIPv4 = (address: string): boolean => isWithin(address, ['0.0.0.0/0']);
