import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { isDeliverableAddress } from '../domain/webhooks/webhook-endpoint';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type LookupAll = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/**
 * The operating system's resolver, because only it knows `localhost`. It runs on libuv's thread pool, which gives
 * DNS half of its threads (2 of 4): names that hang can delay other lookups of the process, but not its sockets.
 */
export const systemLookup: LookupAll = async (hostname) =>
  (await dns.lookup(hostname, { all: true })).map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));

export type Resolution =
  | { readonly kind: 'addresses'; readonly addresses: readonly [ResolvedAddress, ...ResolvedAddress[]] }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'unresolved'; readonly reason: string };

/**
 * The addresses that a delivery may connect to. One non-public address blocks the whole name: a mixed
 * result is how a name is rebound while it looks innocent, and an honest receiver has no use for one.
 * `host` is a name or an address literal without brackets; a literal is checked, not looked up.
 */
export async function resolvePublic(
  host: string,
  lookup: LookupAll,
  allowCidrs: readonly string[],
): Promise<Resolution> {
  const version = isIP(host);
  const answers = version === 0 ? await lookup(host) : [{ address: host, family: version === 6 ? 6 : 4 } as const];
  const [first, ...rest] = answers;
  if (!first) return { kind: 'unresolved', reason: 'ENODATA' };
  // isIP too: ipaddr.js also accepts '1.1.1' and '0x7f.1', which resolvers never return and Node does not connect to.
  const allDeliverable = answers.every(
    ({ address }) => isIP(address) !== 0 && isDeliverableAddress(address, allowCidrs),
  );
  if (allDeliverable) return { kind: 'addresses', addresses: [first, ...rest] };
  return { kind: 'blocked', reason: 'the host has an address that is private, local or reserved' };
}
