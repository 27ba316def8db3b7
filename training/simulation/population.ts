import type { Random } from '../../shared/domain/models/seeded-random';
import { type Draws, randomDraws, seedOf, zipfRank } from './random-draws';
import { type Addresses, type Country, type Person, someMerchants, type World } from './world';

export interface PopulationSize {
  readonly accounts: number;
  readonly usersPerAccount: number;
}

export interface Customer extends Person {
  readonly bin: string;
}

const HABITS: ReadonlyArray<ReadonlyArray<'card_fingerprint' | 'card_bin' | 'email' | 'merchant_id' | 'category'>> = [
  ['card_fingerprint', 'merchant_id', 'category'],
  ['card_fingerprint', 'card_bin'],
  ['card_fingerprint'],
  ['card_fingerprint', 'email'],
  [],
];

// Networks of homes and phones, with their country: docs/ip-intelligence.md describes how an address is looked up.
const HOMES = [
  { country: 'DE', first: 91, second: 0 },
  { country: 'US', first: 73, second: 0 },
  { country: 'GB', first: 86, second: 128 },
  { country: 'FR', first: 90, second: 0 },
] as const;

const USER_OFFSET = 50;
const CARRIER_SHARE = 0.2;
const CARRIER_ADDRESSES = 2_000;
const BINS = 300;
const MERCHANTS_EACH = 3;

const homeOf = (country: Country) => HOMES.find((home) => home.country === country) ?? HOMES[0];
const addressAt = (first: number, second: number, host: number) => `${first}.${second}.${host >> 8}.${host & 255}`;

/** Addresses without an IP table: the same networks, and machines in data centres, where bots run. */
const ADDRESSES: Addresses = {
  home: (country, draws) => addressAt(homeOf(country).first, homeOf(country).second + 2, draws.below(0xffff)),
  mobile: (country, draws) => addressAt(homeOf(country).first, homeOf(country).second + 1, draws.below(0xffff)),
  hosting: (draws) => addressAt(52, 94, draws.below(0xffff)),
};

export const loadWorld = (draws: Draws): World => ({
  draws,
  addresses: ADDRESSES,
  merchants: someMerchants(draws),
  habits: { spread: [0.3, 0.7], perDay: [0.06, 0.25], peakHour: [8, 21] },
  cardOf: (user_id) => `${user_id}-card`,
});

/** Everyone who may appear, generated on demand: the population is not kept in memory. */
export function population(seed: number, { accounts, usersPerAccount }: PopulationSize) {
  const person = (account: number, rank: number): Customer => {
    const draws = randomDraws(seedOf(seed, account, rank));
    const home = draws.pick(HOMES);
    const isOnPhone = draws.chance(CARRIER_SHARE);
    const host = isOnPhone ? zipfRank(CARRIER_ADDRESSES, 20, draws.next) : draws.below(0xffff);
    const second = home.second + (isOnPhone ? 1 : 2 + (rank % 60));
    const name = `${account}-${rank}`;
    return {
      user_id: `user-${name}`,
      kind: isOnPhone ? 'carrier' : 'plain',
      country: home.country,
      devices: Array.from({ length: 1 + draws.below(3) }, (_, n) => `device-${name}-${n}`),
      addresses: [addressAt(home.first, second, host)],
      card: `card-${name}`,
      bin: `bin-${zipfRank(BINS, 5, draws.next)}`,
      email: `u${name}@example.com`,
      usual: Math.round(10 ** (1 + draws.next() * 1.3)),
      spread: 0.3,
      perDay: 1,
      peakHour: 12,
      merchants: Array.from({ length: MERCHANTS_EACH }, (_, n) => (rank + n) % BINS),
      joinedMs: Number.NEGATIVE_INFINITY,
    };
  };
  return {
    /** An account by its share of the traffic: the first of five has 39%. */
    someAccount: (random: Random): number => zipfRank(accounts, 1, random),
    somebody: (account: number, random: Random): Customer =>
      person(account, zipfRank(usersPerAccount, USER_OFFSET, random)),
    person,
    habitsOf: (account: number) => HABITS[account % HABITS.length] ?? [],
  };
}

export type Population = ReturnType<typeof population>;
