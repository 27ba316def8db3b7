import { isIP } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { ipPrefix, parseIp } from '../../../shared/domain/ip/parse-ip';
import { sized } from '../../support/sized';

const bytesOf = (text: string): number[] => ipaddr.process(text).toByteArray();

function bytesOfParsed(text: string): number[] | undefined {
  const parsed = parseIp(text);
  if (parsed === undefined) return undefined;
  const words = parsed.family === 4 ? [parsed.word] : parsed.words;
  return words.flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]);
}

/** Any spelling of an address: full, compressed, upper case, with a dotted tail. */
const v6Text = fc
  .tuple(
    fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), { minLength: 8, maxLength: 8 }),
    fc.constantFrom('full', 'short', 'upper', 'dotted'),
  )
  .map(([groups, form]) => {
    const hex = groups.map((group) => group.toString(16));
    if (form === 'full') return hex.map((group) => group.padStart(4, '0')).join(':');
    if (form === 'upper') return hex.join(':').toUpperCase();
    const bytes = groups.flatMap((group) => [group >> 8, group & 255]);
    if (form === 'dotted') return `${hex.slice(0, 6).join(':')}:${bytes.slice(12).join('.')}`;
    return new ipaddr.IPv6(bytes).toRFC5952String();
  });

describe('parseIp', () => {
  it('reads every IPv4 address as ipaddr.js does', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(bytesOfParsed(text)).toEqual(bytesOf(text));
      }),
    );
  });

  it('reads every spelling of an IPv6 address as ipaddr.js does', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), v6Text), (text) => {
        // ipaddr.js takes the long-deprecated `::1.2.3.4` for the mapped `::ffff:1.2.3.4`; it is not.
        fc.pre(!/^::\d+\./.test(text));
        expect(bytesOfParsed(text)).toEqual(bytesOf(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('accepts exactly what the strict parser of Node accepts, zone ids apart', () => {
    const soup = fc.string({ unit: fc.constantFrom(...'0123456789abcdefAF:::....xg% '), maxLength: 24 });
    const damaged = fc
      .tuple(
        fc.oneof(fc.ipV4(), fc.ipV6(), v6Text),
        fc.nat(),
        fc.constantFrom('', ':', '::', '.', '0', 'f', '256', ' '),
      )
      .map(([text, at, patch]) => {
        const i = at % (text.length + 1);
        return text.slice(0, i) + patch + text.slice(i + (at % 2));
      });
    fc.assert(
      fc.property(fc.oneof(soup, damaged), (text) => {
        fc.pre(!text.includes('%'));
        expect(parseIp(text) !== undefined).toBe(isIP(text) !== 0);
      }),
      { numRuns: sized(20_000, 4_000) },
    );
  });

  it.each([
    '',
    ' ',
    '127.1',
    '1.2.3',
    '1.2.3.4.',
    '.1.2.3.4',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.04',
    '0x7f.0.0.1',
    '2130706433',
    '256.1.1.1',
    '1.2.3.-4',
    '1.2.3.4 ',
    '1.2.3.4/24',
    '①.2.3.4',
    ':',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4::5:6:7:8',
    '1::2::3',
    '12345::',
    ':1::',
    '1:',
    '::1:',
    '::g',
    'fe80::1%eth0',
    '[::1]',
    '::1.2.3',
    '::01.2.3.4',
    '1.2.3.4::',
    '::1.2.3.4:5',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::ffff:1.2.3.256',
  ])('refuses %j', (text) => {
    expect(parseIp(text)).toBeUndefined();
  });

  it.each(['::ffff:1.2.3.4', '::FFFF:102:304', '0:0:0:0:0:ffff:1.2.3.4'])('takes %s for 1.2.3.4', (text) => {
    expect(parseIp(text)).toEqual({ family: 4, word: 0x01020304 });
  });
});

describe('ipPrefix', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['2001:DB8:0001:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8::/64'],
    ['2001:0:0:1::', '2001:0:0:1::/64'],
    ['2001:db8:0:1:ffff::', '2001:db8:0:1::/64'],
    ['::1', '::/64'],
  ])('of %s is %s', (ip, prefix) => {
    expect(ipPrefix(ip)).toBe(prefix);
  });

  it('is nothing for text that is no address', () => {
    expect(ipPrefix('unknown')).toBeUndefined();
  });

  it('is one key for a whole /64 and spells it as ipaddr.js does', () => {
    fc.assert(
      fc.property(v6Text, fc.integer({ min: 0, max: 0xffff }), (text, host) => {
        const parsed = ipaddr.parse(text);
        fc.pre(parsed.kind() === 'ipv6' && !(parsed as ipaddr.IPv6).isIPv4MappedAddress());
        const top = parsed.toByteArray().slice(0, 8);
        fc.pre(top.some((byte) => byte !== 0));
        const network = new ipaddr.IPv6([...top, 0, 0, 0, 0, 0, 0, 0, 0]).toRFC5952String();
        const sibling = new ipaddr.IPv6([...top, 0, 1, 2, 3, 4, 5, host >> 8, host & 255]).toNormalizedString();
        expect(ipPrefix(text)).toBe(`${network}/64`);
        expect(ipPrefix(sibling)).toBe(`${network}/64`);
      }),
      { numRuns: 1000 },
    );
  });
});
