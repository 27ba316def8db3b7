import type { IpFacts } from '../../shared/domain/ip/ip-table';
import type { Draws } from './random-draws';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const CURRENCY = { DE: 'EUR', FR: 'EUR', GB: 'GBP', US: 'USD', ES: 'EUR', PL: 'PLN' } as const;
export type Country = keyof typeof CURRENCY;
export const COUNTRIES = Object.keys(CURRENCY) as Country[];

export interface PaymentBody {
  readonly user_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly payment_method: 'card';
  readonly ip_address?: string;
  readonly device_fingerprint?: string;
  readonly billing_address: { readonly country: string };
  readonly custom_attributes: Readonly<Record<string, string>>;
}

export interface EventBody {
  readonly event_type: 'login' | 'signup' | 'password_reset' | 'email_change' | 'payout_change';
  readonly outcome?: 'succeeded' | 'failed';
  readonly user_id: string;
  readonly ip_address?: string;
  readonly device_fingerprint?: string;
  readonly custom_attributes: Readonly<Record<string, string>>;
}

export type Attempt =
  | { readonly kind: 'payment'; readonly body: PaymentBody }
  | { readonly kind: 'event'; readonly body: EventBody };

export interface TimedAttempt {
  readonly at_ms: number;
  readonly person: Person;
  readonly attempt: Attempt;
  readonly label: 0 | 1;
}

export interface Person {
  readonly user_id: string;
  readonly kind: string;
  readonly country: Country;
  readonly devices: readonly string[];
  readonly addresses: readonly string[];
  readonly card: string;
  readonly email: string;
  readonly usual: number;
  readonly spread: number;
  readonly perDay: number;
  /** The hour of the day (UTC) around which they are active. */
  readonly peakHour: number;
  /** The merchants they buy from, by their position in the world's list. */
  readonly merchants: readonly number[];
  readonly joinedMs: number;
}

type Range = readonly [low: number, high: number];

export interface Habits {
  readonly spread: Range;
  readonly perDay: Range;
  readonly peakHour: Range;
}

export interface Addresses {
  home(country: Country, draws: Draws): string;
  mobile(country: Country, draws: Draws): string;
  hosting(draws: Draws): string;
}

export interface Merchant {
  readonly id: string;
  readonly category: string;
  readonly price: number;
}

export interface World {
  readonly draws: Draws;
  readonly addresses: Addresses;
  readonly habits: Habits;
  /** None in a world with a single shop. */
  readonly merchants: readonly Merchant[];
  cardOf(user_id: string): string;
}

const MERCHANTS = 300;
const CATEGORIES = ['groceries', 'fuel', 'fashion', 'electronics', 'travel', 'gaming', 'gift_cards', 'home'] as const;

export const someMerchants = (draws: Draws): Merchant[] =>
  Array.from({ length: MERCHANTS }, (_, i) => ({
    id: `shop-${i}`,
    category: CATEGORIES[i % CATEGORIES.length] as string,
    price: draws.around(40, 0.8),
  }));

/** How to look for addresses: single ones, or /24 networks that lie in one range and have 250 addresses each. */
export interface AddressPlan {
  readonly tries: number;
  readonly perKind: number;
  readonly isByNetwork: boolean;
}

export const BY_ADDRESS: AddressPlan = { tries: 400_000, perKind: 400, isByNetwork: false };
export const BY_NETWORK: AddressPlan = { tries: 150_000, perKind: 120, isByNetwork: true };

export function addressBook(
  draws: Draws,
  ips: { lookup(ip: string): IpFacts | undefined },
  { tries, perKind, isByNetwork }: AddressPlan,
): Addresses {
  const found = new Map<string, string[]>();
  const wanted = new Set(['hosting', ...COUNTRIES.flatMap((country) => [`other ${country}`, `mobile ${country}`])]);
  const full = new Set<string>();
  // Single addresses are drawn to the end: what is drawn next must not depend on the table.
  for (let tried = 0; tried < tries && !(isByNetwork && full.size === wanted.size); tried++) {
    const network = `${1 + draws.below(222)}.${draws.below(256)}.${draws.below(256)}`;
    const drawn = isByNetwork ? network : `${network}.${1 + draws.below(254)}`;
    const facts = ips.lookup(isByNetwork ? `${network}.7` : drawn);
    // Both ends of the /24: a range may end within it.
    if (facts === undefined || (isByNetwork && ips.lookup(`${network}.250`)?.asn !== facts.asn)) continue;
    const kind = facts.network === 'hosting' ? 'hosting' : `${facts.network} ${facts.country}`;
    if (!wanted.has(kind) || full.has(kind)) continue;
    const known = found.get(kind) ?? [];
    found.set(kind, known);
    known.push(drawn);
    if (known.length === perKind) full.add(kind);
  }
  const from = (by: Draws, ...kinds: readonly string[]): string => {
    const kind = [...kinds, 'other DE'].find((each) => found.has(each));
    if (kind === undefined) throw new Error(`The IP table has no network of the kind ${kinds[0]}`);
    const one = by.pick(found.get(kind) as string[]);
    return isByNetwork ? `${one}.${1 + by.below(250)}` : one;
  };
  return {
    home: (country, by) => from(by, `other ${country}`),
    mobile: (country, by) => from(by, `mobile ${country}`, `other ${country}`),
    hosting: (by) => from(by, 'hosting'),
  };
}

export function newPerson(world: World, user_id: string, joinedMs = 0): Person {
  const { draws, addresses, habits, merchants } = world;
  const country = draws.pick(COUNTRIES);
  const { home, mobile } = addresses;
  return {
    user_id,
    kind: 'plain',
    country,
    devices: [`${user_id}-phone`, `${user_id}-laptop`].slice(0, 1 + draws.below(2)),
    addresses: [home(country, draws), (draws.chance(0.5) ? mobile : home)(country, draws)],
    card: world.cardOf(user_id),
    email: `${user_id}@mail.example`,
    usual: draws.around(45, 0.6),
    spread: draws.between(...habits.spread),
    perDay: draws.between(...habits.perDay),
    peakHour: draws.between(...habits.peakHour),
    merchants: Array.from({ length: 4 + draws.below(12) }, () => draws.below(Math.max(1, merchants.length))),
    joinedMs,
  };
}

export interface Over {
  readonly user_id?: string;
  readonly amount?: number;
  readonly merchant?: number;
  readonly device_fingerprint?: string;
  readonly ip_address?: string;
  readonly card?: string;
  readonly email?: string;
  readonly country?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly without?: ReadonlyArray<'device_fingerprint' | 'ip_address'>;
  readonly outcome?: EventBody['outcome'];
  readonly label?: 0 | 1;
}

/** Where and on what an attempt is made; draws of what is left out are made all the same. */
function origin({ draws }: World, person: Person, over: Over): Pick<PaymentBody, 'ip_address' | 'device_fingerprint'> {
  const from: { ip_address?: string; device_fingerprint?: string } = {
    ip_address: over.ip_address ?? draws.pick(person.addresses),
    device_fingerprint: over.device_fingerprint ?? draws.pick(person.devices),
  };
  for (const member of over.without ?? []) delete from[member];
  return from;
}

export function paymentBy(world: World, person: Person, over: Over = {}): PaymentBody {
  const { draws, merchants } = world;
  const merchant = merchants.length > 0 ? merchants[over.merchant ?? draws.pick(person.merchants)] : undefined;
  const middle = merchant === undefined ? person.usual : Math.sqrt(person.usual * merchant.price);
  const amount = over.amount ?? draws.around(middle, person.spread);
  return {
    user_id: over.user_id ?? person.user_id,
    amount: Math.max(0.5, Math.round(100 * amount) / 100),
    currency: CURRENCY[person.country],
    payment_method: 'card',
    ...origin(world, person, over),
    billing_address: { country: over.country ?? person.country },
    custom_attributes: {
      card_fingerprint: over.card ?? person.card,
      ...(merchant && { merchant_id: merchant.id, category: merchant.category }),
      email: over.email ?? person.email,
      ...over.attributes,
    },
  };
}

export function eventBy(world: World, person: Person, event_type: EventBody['event_type'], over: Over = {}): EventBody {
  return {
    event_type,
    user_id: over.user_id ?? person.user_id,
    ...(over.outcome === undefined ? {} : { outcome: over.outcome }),
    ...origin(world, person, over),
    custom_attributes: { email: over.email ?? person.email },
  };
}

export const pays = (world: World, person: Person, t: number, over: Over = {}): TimedAttempt =>
  timed(person, t, { kind: 'payment', body: paymentBy(world, person, over) }, over);

export const acts = (
  world: World,
  person: Person,
  t: number,
  { type, ...over }: Over & { readonly type: EventBody['event_type'] },
): TimedAttempt => timed(person, t, { kind: 'event', body: eventBy(world, person, type, over) }, over);

const timed = (person: Person, t: number, attempt: Attempt, { label = 0 }: Over): TimedAttempt => ({
  at_ms: Math.round(t),
  person,
  attempt,
  label,
});

export const inOrder = (attempts: TimedAttempt[]): TimedAttempt[] => attempts.sort((a, b) => a.at_ms - b.at_ms);
