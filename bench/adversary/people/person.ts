import type { Draws } from '../../../training/simulation/random-draws';
import type { EventBody, PaymentBody } from '../target/target';
import { type Addresses, COUNTRIES, type Country, CURRENCY } from './address-book';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** An honest customer with habits. */
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
}

/** How an attempt differs from what the person usually does. */
export interface Over {
  readonly user_id?: string;
  readonly amount?: number;
  readonly device_fingerprint?: string;
  readonly ip_address?: string;
  readonly card?: string;
  readonly email?: string;
  readonly country?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Somebody without anything special about them. */
export function newPerson(user_id: string, draws: Draws, addresses: Addresses): Person {
  const country = draws.pick(COUNTRIES);
  return {
    user_id,
    kind: 'plain',
    country,
    devices: [`${user_id}-phone`, `${user_id}-laptop`].slice(0, 1 + draws.below(2)),
    addresses: [addresses.home(country, draws)],
    card: `${user_id}-card`,
    email: `${user_id}@mail.example`,
    usual: draws.around(45, 0.6),
    spread: draws.between(0.3, 0.7),
    perDay: draws.between(0.06, 0.25),
    peakHour: draws.between(8, 21),
  };
}

/** A payment by this person; whatever is not given is as usual. */
export function paymentOf(person: Person, draws: Draws, over: Over = {}): PaymentBody {
  const amount = over.amount ?? draws.around(person.usual, person.spread);
  return {
    user_id: over.user_id ?? person.user_id,
    amount: Math.max(1, Math.round(100 * amount) / 100),
    currency: CURRENCY[person.country],
    payment_method: 'card',
    ip_address: over.ip_address ?? draws.pick(person.addresses),
    device_fingerprint: over.device_fingerprint ?? draws.pick(person.devices),
    billing_address: { country: over.country ?? person.country },
    custom_attributes: {
      card_fingerprint: over.card ?? person.card,
      email: over.email ?? person.email,
      ...over.attributes,
    },
  };
}

/** Something else that this person does. */
export function eventOf(
  person: Person,
  draws: Draws,
  event_type: EventBody['event_type'],
  { outcome = 'succeeded', ...over }: Over & { readonly outcome?: EventBody['outcome'] } = {},
): EventBody {
  return {
    event_type,
    outcome,
    user_id: over.user_id ?? person.user_id,
    ip_address: over.ip_address ?? draws.pick(person.addresses),
    device_fingerprint: over.device_fingerprint ?? draws.pick(person.devices),
    custom_attributes: { email: over.email ?? person.email },
  };
}
