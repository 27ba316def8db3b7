import { customers, worldOf } from '../../../bench/adversary/simulate';
import type { IpFacts } from '../../../shared/domain/ip/ip-table';
import { KINDS, regularCustomer } from '../../../training/simulation/people';
import { randomDraws } from '../../../training/simulation/random-draws';
import { addressBook, BY_NETWORK, COUNTRIES, DAY_MS } from '../../../training/simulation/world';

/** Addresses of every kind, by their first number. */
const ips = {
  lookup(ip: string): IpFacts {
    const first = Number(ip.slice(0, ip.indexOf('.')));
    const country = COUNTRIES[first % COUNTRIES.length] as string;
    return { country, asn: first, network: first % 10 === 0 ? 'hosting' : first % 4 === 0 ? 'mobile' : 'other' };
  },
};
const addresses = addressBook(randomDraws(1), ips, BY_NETWORK);
const beginMs = Date.UTC(2026, 0, 5);
const live = (count: number, seed = 1) => customers(count, seed, { addresses, beginMs });

it('lives of a seed are the same every time, in the order of time', () => {
  const lives = live(80);
  expect(live(80)).toEqual(lives);
  expect(live(80, 2)).not.toEqual(lives);
  const times = lives.map(({ at_ms }) => at_ms);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times[0]).toBeGreaterThanOrEqual(beginMs);
});

it('people of every kind are among them, in families, offices and on carriers', () => {
  const people = new Map(live(400).map(({ person }) => [person.user_id, person]));
  const kinds = new Set(Object.keys(KINDS).filter((kind) => kind !== 'household'));
  expect(new Set([...people.values()].map(({ kind }) => kind))).toEqual(kinds);
  const sharing = (kind: string, what: 'devices' | 'addresses'): number => {
    const users = new Map<string, number>();
    for (const person of people.values()) {
      if (person.kind !== kind) continue;
      for (const each of person[what]) users.set(each, (users.get(each) ?? 0) + 1);
    }
    return Math.max(...users.values());
  };
  expect(sharing('family', 'devices')).toBe(3);
  expect(sharing('plain', 'devices')).toBe(1);
  expect(sharing('carrier', 'addresses')).toBeGreaterThan(2);
  expect(sharing('office', 'addresses')).toBeGreaterThan(1);
});

it('a victim has bought twelve times over 36 days on one device at home, and continues to', () => {
  const attackMs = beginMs + 40 * DAY_MS;
  const { person, attempts } = regularCustomer(worldOf(addresses, 1), 'victim', attackMs);
  const before = attempts.filter(({ at_ms }) => at_ms < attackMs);
  expect(before).toHaveLength(12);
  expect((before[0]?.at_ms ?? 0) - attackMs).toBeGreaterThanOrEqual(-36 * DAY_MS);
  expect(attempts.length).toBeGreaterThan(12);
  for (const { attempt } of attempts) {
    expect(attempt.body).toMatchObject({ device_fingerprint: person.devices[0], ip_address: person.addresses[0] });
  }
});
