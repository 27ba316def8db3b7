import { history, NOW_MS, purchase } from '../../../bench/support/build-history';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { screen } from '../../../shared/domain/screening/screen';

const crowd = (others: number, days: number) =>
  history(days, { within24h: others }, { distinct: { users: others + 1, devices: 1, ips: 1 }, seen: { users: true } });

/** A shop's first purchases: signed up a while ago, some in a household with a shared device or an office. */
function honest(next: () => number) {
  const sinceSignupMs = 40_000 * Math.exp(next() * 12);
  const others = next() < 0.1 ? 1 + Math.floor(next() * 2) : 0;
  const office = next() < 0.1 ? Math.floor(next() * 30) : 0;
  const user = history(
    sinceSignupMs / 86_400_000,
    {},
    {
      last_event_ms: { signup: NOW_MS - sinceSignupMs },
      distinct: { devices: 1, ips: 1 },
      seen: { devices: next() < 0.7, ips: next() < 0.5 },
    },
  );
  return purchase({ user, device: crowd(others, 20), ip_history: crowd(office, 60) }, { amount: 9 + 140 * next() });
}

/** Buys within seconds of signing up; the first on a device has no company yet. */
function bot(next: () => number) {
  const others = Math.floor(next() * 15);
  const signup = NOW_MS - 1000 - Math.floor(next() * 3) * 1000;
  const user = history(0, {}, { last_event_ms: { signup }, seen: { devices: true, ips: true } });
  return purchase({ user, device: crowd(others, 3), ip_history: crowd(others, 3) }, { amount: 9 + 140 * next() });
}

/** The chance that a bot scores above an honest buyer, ties counting half. */
function auc(bots: readonly number[], people: readonly number[]): number {
  let wins = 0;
  for (const b of bots) for (const p of people) wins += b > p ? 1 : b === p ? 0.5 : 0;
  return wins / (bots.length * people.length);
}

describe('a wave of bots', () => {
  const next = seededRandom(11);
  const score = (facts: ReturnType<typeof bot>) => screen(facts, DEFAULT_SETTINGS).risk_score;
  const bots = Array.from({ length: 300 }, () => score(bot(next)));
  const people = Array.from({ length: 1500 }, () => score(honest(next)));

  it('ranks above honest first purchases by signals alone', () => {
    expect(auc(bots, people)).toBeGreaterThan(0.99);
  });

  it('is stopped from the third on a device, and honest people are not', () => {
    expect(bots.filter((value) => value >= 60).length / bots.length).toBeGreaterThan(0.8);
    expect(people.filter((value) => value >= 60).length / people.length).toBeLessThan(0.005);
    expect(people.filter((value) => value < 30).length / people.length).toBeGreaterThan(0.95);
  });
});
