import { type Intent, LOAD_FRAUDS, traffic } from '../../../bench/load/traffic';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { zipfRank } from '../../../training/simulation/random-draws';

const size = { accounts: 5, usersPerAccount: 50_000 };
const take = (count: number, seed: number): Intent[] => {
  const intents = traffic(seed, size);
  return Array.from({ length: count }, () => intents.next().value);
};

describe('the traffic of a load', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(take(2_000, 7)).toEqual(take(2_000, 7));
    expect(take(2_000, 7)).not.toEqual(take(2_000, 8));
  });

  it('is mostly screenings, with reads, reviews, retries and every kind of attack among them', () => {
    const intents = take(20_000, 1);
    const share = (matches: (intent: Intent) => boolean): number => intents.filter(matches).length / intents.length;
    expect(share(({ kind }) => kind === 'screen-transaction')).toBeGreaterThan(0.6);
    expect(share(({ kind }) => kind === 'screen-event')).toBeGreaterThan(0.15);
    for (const kind of ['get-transaction', 'get-risk-profile', 'list-cases', 'resolve-case', 'review-decision']) {
      expect([kind, share((intent) => intent.kind === kind) > 0.003]).toEqual([kind, true]);
    }
    const frauds = new Set(intents.flatMap((intent) => ('fraud' in intent ? [intent.fraud] : [])));
    expect([...frauds].sort()).toEqual([...LOAD_FRAUDS].sort());
    const keys = intents.flatMap((intent) => ('idempotencyKey' in intent ? [intent.idempotencyKey] : []));
    expect(new Set(keys).size).toBeLessThan(keys.length);
  });

  it('is uneven: one account has more than a third, and a few merchants most of the sales', () => {
    const intents = take(20_000, 1);
    const ofFirst = intents.filter(({ account }) => account === 0).length / intents.length;
    expect(ofFirst).toBeGreaterThan(0.33);
    expect(new Set(intents.map(({ account }) => account)).size).toBe(5);
  });
});

describe('a rank by Zipf’s law', () => {
  it('has the share that the law says, and stays in its bounds', () => {
    const random = seededRandom(3);
    const ranks = Array.from({ length: 100_000 }, () => zipfRank(1_000, 10, random));
    expect(Math.min(...ranks)).toBe(0);
    expect(Math.max(...ranks)).toBeLessThan(1_000);
    const share = (rank: number): number => ranks.filter((each) => each === rank).length / ranks.length;
    const law = (rank: number): number => Math.log((rank + 11) / (rank + 10)) / Math.log(1_010 / 10);
    for (const rank of [0, 1, 10]) expect(share(rank) / law(rank)).toBeCloseTo(1, 0);
  });
});
