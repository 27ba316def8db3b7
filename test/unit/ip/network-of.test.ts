import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { networkOf } from '../../../shared/domain/ip/parse-ip';

describe('networkOf', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['255.255.255.255', '255.255.255.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2::3', '2001:db8:1::/48'],
    ['2001:DB8:0001:ffff:1:2:3:4', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8::/48'],
    ['::1', '::/48'],
  ])('%s is in %s', (ip, net) => {
    expect(networkOf(ip)).toEqual({ net });
  });

  it('has no network for what is not an address', () => {
    expect(networkOf('unknown')).toBeUndefined();
    expect(networkOf('')).toBeUndefined();
  });

  it('gives the same network to exactly the addresses that ipaddr.js finds in it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.oneof(fc.ipV4(), fc.ipV6()), (one, other) => {
        const net = networkOf(one)?.net ?? '';
        const [network, bits] = ipaddr.parseCIDR(net);
        for (const ip of [one, other]) {
          const parsed = ipaddr.process(ip);
          // ipaddr.js takes the long-deprecated `::1.2.3.4` for the mapped `::ffff:1.2.3.4`; it is not.
          if (/^::\d+\./.test(ip)) continue;
          const within = parsed.kind() === network.kind() && parsed.match(network, bits);
          expect(networkOf(ip)?.net === net).toBe(within);
        }
      }),
    );
  });
});
