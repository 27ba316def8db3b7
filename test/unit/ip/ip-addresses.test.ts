import { isIP } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { NETWORK_CLASSES, type NetworkClass } from '../../../shared/domain/ip/ip-table';
import { ipPrefix, networkOf, parseIp } from '../../../shared/domain/ip/parse-ip';
import {
  COUNTRIES,
  countryCircle,
  countryGapKm,
  type Sighting,
  travelEvidence,
  travelSpeedKmh,
} from '../../../shared/domain/ip/travel';
import { sized } from '../../support/sized';

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

describe('parse ip', () => {
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
        { numRuns: sized(3_000, 600) },
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
        { numRuns: sized(1_000, 250) },
      );
    });
  });
});

describe('travel', () => {
  const seen = (country: string | undefined, network: NetworkClass, hours: number): Sighting => ({
    country,
    network,
    at: 1_750_000_000_000 + hours * 3_600_000,
  });

  describe('stories', () => {
    it('a thief in Vietnam uses the account of someone who is at home in Germany', () => {
      expect(travelEvidence(seen('DE', 'other', 0), seen('VN', 'other', 0.5))).toBe('strong');
    });

    it('an honest traveller flies from Germany to Thailand', () => {
      expect(travelEvidence(seen('DE', 'other', 0), seen('TH', 'other', 12))).not.toBe('strong');
    });

    it('a shopper lives near a border', () => {
      expect(travelEvidence(seen('DE', 'other', 0), seen('FR', 'other', 0.01))).toBe('none');
      expect(travelEvidence(seen('US', 'other', 0), seen('CA', 'other', 0.01))).toBe('none');
      expect(travelEvidence(seen('MY', 'other', 0), seen('SG', 'other', 0.01))).toBe('none');
    });

    it('a Briton pays at home, then works through a VPN that leaves in the United States', () => {
      expect(travelEvidence(seen('GB', 'other', 0), seen('US', 'hosting', 0.1))).toBe('none');
    });

    it('someone hops between two VPN exits', () => {
      expect(travelEvidence(seen('NL', 'hosting', 0), seen('JP', 'hosting', 0.05))).toBe('none');
    });

    it('a roaming phone comes out at home, a minute later its travel SIM in Asia', () => {
      expect(travelEvidence(seen('DE', 'mobile', 0), seen('HK', 'mobile', 0.02))).toBe('none');
    });

    it('a tourist in Thailand leaves the hotel Wi-Fi and roams on a German SIM: a hint, never a verdict', () => {
      const [hotel, phone] = [seen('TH', 'other', 0), seen('DE', 'mobile', 0.1)];
      expect(travelEvidence(hotel, phone)).toBe('weak');
    });

    it('a phone roams next door', () => {
      expect(travelEvidence(seen('AT', 'other', 0), seen('TR', 'mobile', 0.1))).toBe('none');
    });

    it('a phone and a home line a continent apart, four hours later', () => {
      expect(travelEvidence(seen('GB', 'mobile', 0), seen('IN', 'other', 4))).toBe('none');
    });

    it('nobody knows where one of the two was', () => {
      expect(travelEvidence(seen(undefined, 'other', 0), seen('US', 'other', 0))).toBe('none');
      expect(travelEvidence(seen('XX', 'other', 0), seen('US', 'other', 0))).toBe('none');
      expect(travelSpeedKmh(seen('XX', 'other', 0), seen('US', 'other', 1))).toBeUndefined();
      expect(travelSpeedKmh(seen('US', 'other', 0), seen(undefined, 'other', 1))).toBeUndefined();
    });
  });

  describe('travelSpeedKmh', () => {
    it('is the gap over the time', () => {
      const gap = countryGapKm('GB', 'AU') as number;
      expect(travelSpeedKmh(seen('GB', 'other', 0), seen('AU', 'other', 20))).toBeCloseTo(gap / 20, 6);
    });

    it('is finite for two sightings at one moment', () => {
      expect(travelSpeedKmh(seen('GB', 'other', 0), seen('AU', 'other', 0))).toBeLessThan(1e6);
    });

    const sighting = fc.record({
      country: fc.constantFrom(...COUNTRIES),
      network: fc.constantFrom(...NETWORK_CLASSES),
      at: fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }),
    });

    it('does not depend on the order, is never negative, and is 0 within a country', () => {
      fc.assert(
        fc.property(sighting, sighting, (a, b) => {
          const speed = travelSpeedKmh(a, b) as number;
          expect(speed).toBeGreaterThanOrEqual(0);
          expect(travelSpeedKmh(b, a)).toBeCloseTo(speed, 6);
          expect(travelEvidence(b, a)).toBe(travelEvidence(a, b));
          expect(travelSpeedKmh(a, { ...b, country: a.country })).toBe(0);
        }),
      );
    });

    it('never accuses more when more time has passed', () => {
      const rank = { none: 0, weak: 1, strong: 2 };
      fc.assert(
        fc.property(sighting, sighting, fc.nat(1e9), (a, b, later) => {
          const soon = { ...b, at: a.at + (b.at % 1e8) };
          const late = { ...soon, at: soon.at + later };
          expect(rank[travelEvidence(a, late)]).toBeLessThanOrEqual(rank[travelEvidence(a, soon)]);
        }),
      );
    });
  });

  describe('country circles', () => {
    it('cover the 249 countries of ISO 3166 with sane figures', () => {
      expect(new Set(COUNTRIES).size).toBe(249);
      for (const country of COUNTRIES) {
        expect(country).toMatch(/^[A-Z]{2}$/);
        const { lat, lon, radiusKm } = countryCircle(country)!;
        expect(Math.abs(lat)).toBeLessThanOrEqual(90);
        expect(Math.abs(lon)).toBeLessThanOrEqual(180);
        expect(radiusKm).toBeGreaterThan(0);
      }
    });

    it.each([
      ['DE', 'AT'],
      ['ES', 'PT'],
      ['FR', 'BE'],
      ['FR', 'ES'],
      ['US', 'MX'],
      ['AR', 'CL'],
      ['IN', 'NP'],
      ['CN', 'MN'],
      ['RU', 'FI'],
      ['RU', 'KZ'],
      ['RU', 'CN'],
      ['SE', 'NO'],
      ['BR', 'PE'],
      ['ZA', 'LS'],
      ['NG', 'CM'],
      ['TH', 'LA'],
      ['ID', 'PG'],
      ['SA', 'YE'],
      ['EG', 'SD'],
      ['TR', 'GR'],
      ['PL', 'UA'],
      ['KR', 'KP'],
      ['VN', 'CN'],
      ['AE', 'OM'],
    ])('neighbours %s and %s touch', (a, b) => {
      expect(countryGapKm(a, b)).toBe(0);
    });
  });
});
