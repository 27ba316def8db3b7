/** Inclusive bounds. */
export interface IpSpan {
  readonly first: bigint;
  readonly last: bigint;
}

/*
 * IANA's special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates), plus multicast and the
 * reserved rest. The sources name an owner for some of it, but no customer has such an address.
 */
const V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier NAT, inside
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link local
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relay, deprecated
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

/** Everything outside 2000::/3, then what is special inside it. */
const V6 = [
  '0::/3', // unspecified, loopback, mapped, NAT64, discard
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID, AS112, AMT
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: the address of a relay
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
  '4000::/2', // not given out
  '8000::/1', // not given out, private, link local, multicast
];

const span = (first: bigint, bits: bigint): IpSpan => ({ first, last: first + (1n << bits) - 1n });

export const SPECIAL_V4: readonly IpSpan[] = V4.map((cidr) => {
  const [address, length] = cidr.split('/') as [string, string];
  const first = address.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
  return span(first, 32n - BigInt(length));
});

export const SPECIAL_V6: readonly IpSpan[] = V6.map((cidr) => {
  const [head, length] = cidr.split('::/') as [string, string];
  const groups = [...head.split(':'), ...Array<string>(8).fill('0')].slice(0, 8);
  const first = groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
  return span(first, 128n - BigInt(length));
});

/** The lists as text: a change to them must produce a new table. */
export const SPECIAL_RULES = [...V4, ...V6].join(' ');
