import fc from 'fast-check';
import { NETWORK_CLASSES, type NetworkClass } from '../../../shared/domain/ip/ip-table';
import {
  COUNTRIES,
  countryCircle,
  countryGapKm,
  isImpossibleTravel,
  type Sighting,
  travelEvidence,
  travelSpeedKmh,
} from '../../../shared/domain/ip/travel';

const seen = (country: string | undefined, network: NetworkClass, hours: number): Sighting => ({
  country,
  network,
  at: 1_750_000_000_000 + hours * 3_600_000,
});

describe('stories', () => {
  it('a thief in Vietnam uses the account of someone who is at home in Germany', () => {
    expect(isImpossibleTravel(seen('DE', 'other', 0), seen('VN', 'other', 0.5))).toBe(true);
  });

  it('an honest traveller flies from Germany to Thailand', () => {
    expect(isImpossibleTravel(seen('DE', 'other', 0), seen('TH', 'other', 12))).toBe(false);
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
    expect(isImpossibleTravel(hotel, phone)).toBe(false);
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
