import type { DeliveryOutcome } from '../../../shared/domain/webhooks/retry-schedule';
import { type GuardedPost, postGuarded } from '../../../shared/outbound/guarded-client';
import type { LookupAll } from '../../../shared/outbound/resolve-public';

/** A resolver whose answer a test has chosen, with the number of times it was asked. */
export function fixedLookup(...addresses: readonly string[]): LookupAll & { readonly asked: string[] } {
  const asked: string[] = [];
  const lookup: LookupAll = async (hostname) => {
    asked.push(hostname);
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return Object.assign(lookup, { asked });
}

/** A POST to https://receiver.test, which is this machine, through the escape hatch. */
export const postToLoopback = (
  port: number,
  extraCa: string,
  change: Partial<GuardedPost> = {},
): Promise<DeliveryOutcome> =>
  postGuarded({
    url: `https://receiver.test:${port}/hooks?a=b`,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"name":"Zoë"}'),
    now: () => performance.now(),
    allowCidrs: ['127.0.0.0/8'],
    extraCa,
    lookup: fixedLookup('127.0.0.1'),
    ...change,
  });
