import type { IpFacts } from '../../shared/domain/ip/ip-table';
import type { Draws } from './random-draws';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** A Monday; the simulation has no holidays. */
export const START_MS = Date.parse('2025-01-06T00:00:00Z');
export const DAYS = 90;
export const END_MS = START_MS + DAYS * DAY_MS;

const COUNTRIES = ['DE', 'FR', 'GB', 'US', 'ES', 'PL'] as const;
const CURRENCY: Readonly<Record<string, string>> = { GB: 'GBP', US: 'USD', PL: 'PLN' };
const ADDRESSES_A_POOL = 400;

/** A simulated attempt, in the form of a history line. */
export interface SimulatedLine {
  readonly t: number;
  readonly kind: string;
  readonly body: Record<string, unknown>;
  readonly label: 0 | 1;
}

/** A person with habits; fraudsters borrow some of them. */
export interface Person {
  readonly user_id: string;
  readonly country: string;
  readonly devices: readonly string[];
  readonly addresses: readonly string[];
  readonly card: string;
  readonly email: string;
  readonly usualAmount: number;
  readonly spread: number;
  readonly perDay: number;
  /** The hour of the day (UTC) around which they are active. */
  readonly peakHour: number;
  readonly merchants: readonly number[];
  readonly joinedMs: number;
}

/** What honest people and fraudsters act on. */
export interface World {
  readonly draws: Draws;
  readonly merchants: ReadonlyArray<{ readonly id: string; readonly category: string; readonly price: number }>;
  home(country: string): string;
  hosting(): string;
  mobile(country: string): string;
  newPerson(user_id: string, joinedMs: number): Person;
  /** Employers' addresses, added as needed. */
  readonly offices: string[];
  readonly lines: SimulatedLine[];
}

const CATEGORIES = ['groceries', 'fuel', 'fashion', 'electronics', 'travel', 'gaming', 'gift_cards', 'home'] as const;

/** A world without people. IP addresses are real ones of the required kind, redrawn until the table confirms the kind. */
export function newWorld(draws: Draws, ips: { lookup(ip: string): IpFacts | undefined }): World {
  const pools = addressPools(draws, ips);
  const from = (key: string) => draws.pick(pools.get(key) ?? (pools.get('other DE') as string[]));
  const merchants = Array.from({ length: 300 }, (_, i) => ({
    id: `shop-${i}`,
    category: CATEGORIES[i % CATEGORIES.length] as string,
    price: draws.around(40, 0.8),
  }));
  let cards = 0;
  return {
    draws,
    merchants,
    home: (country) => from(`other ${country}`),
    hosting: () => from('hosting'),
    mobile: (country) => from(`mobile ${country}`),
    offices: [],
    lines: [],
    newPerson(user_id, joinedMs) {
      const country = draws.pick(COUNTRIES);
      return {
        user_id,
        country,
        devices: [`${user_id}-phone`, `${user_id}-laptop`].slice(0, 1 + draws.below(2)),
        addresses: [from(`other ${country}`), from(draws.chance(0.5) ? `mobile ${country}` : `other ${country}`)],
        card: `card-${cards++}`,
        email: `${user_id}@mail.example`,
        usualAmount: draws.around(45, 0.6),
        spread: draws.between(0.3, 0.9),
        perDay: draws.between(0.05, 0.8),
        peakHour: draws.between(9, 21),
        merchants: Array.from({ length: 4 + draws.below(12) }, () => draws.below(300)),
        joinedMs,
      };
    },
  };
}

function addressPools(draws: Draws, ips: { lookup(ip: string): IpFacts | undefined }): Map<string, string[]> {
  const pools = new Map<string, string[]>();
  for (let tries = 0; tries < 400_000; tries++) {
    const ip = `${1 + draws.below(222)}.${draws.below(256)}.${draws.below(256)}.${1 + draws.below(254)}`;
    const facts = ips.lookup(ip);
    if (facts === undefined) continue;
    const key = facts.network === 'hosting' ? 'hosting' : `${facts.network} ${facts.country}`;
    const pool = pools.get(key);
    if (pool === undefined) pools.set(key, [ip]);
    else if (pool.length < ADDRESSES_A_POOL) pool.push(ip);
  }
  return pools;
}

/** How one attempt differs from the person's usual behaviour. */
export interface Over {
  readonly device?: string;
  readonly ip?: string;
  readonly card?: string;
  readonly amount?: number;
  readonly merchant?: number;
  readonly label?: 0 | 1;
  readonly billingCountry?: string;
}

/** A person's payment. */
export function pay(world: World, person: Person, t: number, over: Over = {}): void {
  const { draws, merchants } = world;
  const merchant = merchants[over.merchant ?? draws.pick(person.merchants)] as World['merchants'][number];
  const amount = over.amount ?? draws.around(Math.sqrt(person.usualAmount * merchant.price), person.spread);
  world.lines.push({
    t: Math.round(t),
    kind: 'transaction',
    label: over.label ?? 0,
    body: {
      user_id: person.user_id,
      amount: Math.max(0.5, Math.round(100 * amount) / 100),
      currency: CURRENCY[person.country] ?? 'EUR',
      payment_method: 'card',
      ip_address: over.ip ?? draws.pick(person.addresses),
      device_fingerprint: over.device ?? draws.pick(person.devices),
      billing_address: { country: over.billingCountry ?? person.country },
      custom_attributes: {
        card_fingerprint: over.card ?? person.card,
        merchant_id: merchant.id,
        category: merchant.category,
        email: person.email,
      },
    },
  });
}

/** What else a person does, and how that differs from the usual. */
export interface Action extends Over {
  readonly kind: string;
  readonly outcome?: 'succeeded' | 'failed';
}

/** Something else that a person does. */
export function act(world: World, person: Person, t: number, { kind, ...over }: Action): void {
  const { draws, lines } = world;
  lines.push({
    t: Math.round(t),
    kind,
    label: over.label ?? 0,
    body: {
      user_id: person.user_id,
      ...(over.outcome === undefined ? {} : { outcome: over.outcome }),
      ip_address: over.ip ?? draws.pick(person.addresses),
      device_fingerprint: over.device ?? draws.pick(person.devices),
      custom_attributes: { email: person.email },
    },
  });
}
