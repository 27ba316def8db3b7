import { type Random, seededRandom } from '../../shared/domain/models/seeded-random';

/** Who takes part in a load: how many, and how uneven. */
export interface PopulationSize {
  readonly accounts: number;
  readonly usersPerAccount: number;
}

/** A customer of an account, with their devices, cards and habits. */
export interface Person {
  readonly user_id: string;
  readonly devices: readonly string[];
  readonly ip_address: string;
  readonly country: string;
  readonly currency: string;
  readonly card: string;
  readonly bin: string;
  readonly email: string;
  /** What they usually spend. */
  readonly usual: number;
}

/**
 * A rank from 0 on by Zipf's law with a flattened head (Mandelbrot): a share of 1/(rank + offset). The offset limits the
 * first user to what a person can do; 1 gives the steep distribution of merchants and categories.
 */
export const zipfRank = (size: number, offset: number, random: Random): number =>
  Math.min(size - 1, Math.floor(offset * ((size + offset) / offset) ** random() - offset));

/** Which tracked attributes an account sends: few send all of them. */
const HABITS: ReadonlyArray<ReadonlyArray<'card_fingerprint' | 'card_bin' | 'email' | 'merchant_id' | 'category'>> = [
  ['card_fingerprint', 'merchant_id', 'category'],
  ['card_fingerprint', 'card_bin'],
  ['card_fingerprint'],
  ['card_fingerprint', 'email'],
  [],
];

// Networks of homes and phones, with their country: docs/ip-intelligence.md describes how an address is looked up.
const HOMES = [
  { country: 'DE', currency: 'EUR', first: 91, second: 0 },
  { country: 'US', currency: 'USD', first: 73, second: 0 },
  { country: 'GB', currency: 'GBP', first: 86, second: 128 },
  { country: 'FR', currency: 'EUR', first: 90, second: 0 },
] as const;

const USER_OFFSET = 50;
const CARRIER_SHARE = 0.2;
const CARRIER_ADDRESSES = 2_000;
const BINS = 300;
export const MERCHANTS = 500;
export const CATEGORIES = 20;

/** Mixes numbers into one seed, so that a person is the same every time they appear. */
const seedOf = (...parts: readonly number[]): number =>
  parts.reduce((seed, part) => Math.imul(seed ^ part, 0x9e3779b1) ^ (seed >>> 15), 0x2545f491);

/** Everyone who may appear, generated on demand: the population is not kept in memory. */
export function population(seed: number, { accounts, usersPerAccount }: PopulationSize) {
  const person = (account: number, rank: number): Person => {
    const random = seededRandom(seedOf(seed, account, rank));
    const home = HOMES[Math.floor(random() * HOMES.length)] ?? HOMES[0];
    const isOnPhone = random() < CARRIER_SHARE;
    const host = isOnPhone ? zipfRank(CARRIER_ADDRESSES, 20, random) : Math.floor(random() * 0xffff);
    const second = home.second + (isOnPhone ? 1 : 2 + (rank % 60));
    const name = `${account}-${rank}`;
    return {
      user_id: `user-${name}`,
      devices: Array.from({ length: 1 + Math.floor(random() * 3) }, (_, n) => `device-${name}-${n}`),
      ip_address: `${home.first}.${second}.${host >> 8}.${host & 255}`,
      country: home.country,
      currency: home.currency,
      card: `card-${name}`,
      bin: `bin-${zipfRank(BINS, 5, random)}`,
      email: `u${name}@example.com`,
      usual: Math.round(10 ** (1 + random() * 1.3)),
    };
  };
  return {
    /** An account by its share of the traffic: the first of five has 39%. */
    someAccount: (random: Random): number => zipfRank(accounts, 1, random),
    somebody: (account: number, random: Random): Person =>
      person(account, zipfRank(usersPerAccount, USER_OFFSET, random)),
    person,
    habitsOf: (account: number) => HABITS[account % HABITS.length] ?? [],
  };
}

export type Population = ReturnType<typeof population>;
