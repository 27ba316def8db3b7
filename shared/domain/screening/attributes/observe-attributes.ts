import { canonicalText, formOf, wordsOf } from '../../entities/canonical-value';
import type { Pseudonyms } from '../../entities/pseudonyms';
import type { IpFacts } from '../../ip/ip-table';
import { countryCircle } from '../../ip/travel';
import type { Subject } from '../subjects/attempt-of';
import type { ObservedAttribute } from './observed-attribute';
import {
  BUILT_IN,
  CUSTOM_PREFIX,
  fromRoughBits,
  MAX_OBSERVED_BYTES,
  OBSERVED_HEAD_BYTES,
  observedBytes,
  roughBits,
} from './observed-codec';

/*
 * How an attribute may be observed, by its key. Anyone may send anything under any key, so the values have their
 * own fences (`observe-attributes.ts`); this one knows the names that people give to what is personal.
 */

/** Never observed, whatever else the key says. */
const PERSONAL: ReadonlySet<string> = new Set(
  'ssn sin nino itin tin passport licence license dob birth birthday birthdate birthyear born cvv cvc pin iban pan otp password passcode secret'.split(
    ' ',
  ),
);
/** Nor is the number, fingerprint or id of one of these. */
const HOLDERS: ReadonlySet<string> = new Set('card account tax national social identity driver drivers'.split(' '));
const IDENTIFIERS: ReadonlySet<string> = new Set(
  'number no nr fingerprint id hash token security insurance'.split(' '),
);
/** Digits under such a key are a code and not an amount: 5411 is not more than 5410. */
const CODES: ReadonlySet<string> = new Set(
  'id code bin number no nr zip postcode postal postal_code key ref reference terminal merchant category mcc sku plz'.split(
    ' ',
  ),
);

/** How an attribute may be observed: not at all, as a category only, or as a number if it looks like one. */
export type Observation = 'never' | 'category' | 'any';

const known = new Map<string, Observation>();
const MOST_KNOWN = 1_000;

/** How the key of an attribute lets it be observed; found once per key. */
export function observationOf(key: string): Observation {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MOST_KNOWN) known.clear();
  const observation = findObservation(key);
  known.set(key, observation);
  return observation;
}

function findObservation(key: string): Observation {
  if (formOf(key) === 'phone') return 'never';
  const words = wordsOf(key);
  const last = words.at(-1) ?? '';
  if (words.some((word) => PERSONAL.has(word))) return 'never';
  if (IDENTIFIERS.has(last) && words.some((word) => HOLDERS.has(word))) return 'never';
  return CODES.has(last) ? 'category' : 'any';
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/**
 * At most five digits before the point and no leading zero: longer ones are somebody's (a tax id, a date of birth, a
 * card, a phone) and would be recognised from their first digits.
 */
const NUMBER = /^[+-]?(?:0|[1-9]\d{0,4})(?:\.\d{1,9})?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|$)/;
/** Dates further away than this are not about the purchase: most are birthdays. */
const MOST_DAYS = 5 * 365;
const EMAIL = /^([^@\s]{1,64})@([^@\s]{1,189})$/;

/** How values are named, and the custom attributes that this account wants ignored. */
export interface ObservedBy {
  readonly pseudonyms: Pseudonyms;
  readonly never_observed?: readonly string[] | undefined;
}

/** Names are built once: callers keep sending the same few keys. Bounded, since anyone may send others. */
const names = new Map<string, string>();
const MOST_NAMES = 1_000;

function customName(key: string): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  if (names.size >= MOST_NAMES) names.clear();
  const name = CUSTOM_PREFIX + key;
  names.set(key, name);
  return name;
}

/**
 * Inputs that a model may learn from in addition to the feature vector: every custom attribute, the billing address, currency,
 * payment method, country and network of the IP address, and the local hour. Each is a category or a number, never
 * both, since either narrows down the other. It is made at screening time, scored and stored unchanged; training reads
 * what was stored, so the two can never differ. What exceeds the size limit is not observed at all.
 */
export function observeAttributes(
  subject: Subject,
  atMs: number,
  ip: IpFacts | undefined,
  { pseudonyms, never_observed = [] }: ObservedBy,
): ObservedAttribute[] {
  const observed: ObservedAttribute[] = [];
  let bytes = OBSERVED_HEAD_BYTES;
  const add = (attribute: ObservedAttribute): void => {
    const size = observedBytes(attribute);
    if (bytes + size > MAX_OBSERVED_BYTES) return;
    bytes += size;
    observed.push(attribute);
  };
  const category = (name: string, value: string | undefined): void => {
    const text = value === undefined ? '' : canonicalText(value);
    if (text !== '') add({ name, bucket: pseudonyms.bucketOf(name, text), number: Number.NaN });
  };
  const number = (name: string, value: number): void => {
    const bucket = roughBits(value);
    add({ name, bucket, number: fromRoughBits(bucket) });
  };

  category(BUILT_IN.currency, subject.currency);
  category(BUILT_IN.payment_method, subject.payment_method);
  const billing = subject.billing_address;
  if (billing !== undefined) {
    category(BUILT_IN.billing_country, billing.country);
    category(BUILT_IN.billing_state, billing.state);
    category(BUILT_IN.billing_city, billing.city);
    category(BUILT_IN.billing_postal_code, billing.postal_code);
  }
  category(BUILT_IN.ip_country, ip?.country);
  if (ip?.asn !== undefined) category(BUILT_IN.ip_network, String(ip.asn));
  const hour = localHour(billing?.country ?? ip?.country, atMs);
  if (hour !== undefined) number(BUILT_IN.local_hour, hour);

  const attributes = subject.custom_attributes ?? {};
  for (const key of Object.keys(attributes)) {
    const observation = observationOf(key);
    if (observation === 'never' || never_observed.includes(key)) continue;
    const value = canonicalText(attributes[key] as string);
    const name = customName(key);
    const email = value.includes('@') ? EMAIL.exec(value.toLowerCase()) : null;
    const counted = email === null && observation === 'any' ? numberIn(value, atMs) : Number.NaN;
    if (!Number.isNaN(counted)) number(name, counted);
    else if (email === null) category(name, value);
    else {
      // An address belongs to one person; many people share its domain, its first letters and its share of digits.
      const [, local = '', domain = ''] = email;
      category(`${name}.domain`, domain);
      category(`${name}.word`, /^[a-z]*/.exec(local)?.[0]);
      number(`${name}.digits`, local.replace(/\D/g, '').length);
      number(`${name}.length`, local.length);
    }
  }
  return observed;
}

/** A number as is, a date as the days before the attempt; NaN for anything else. */
function numberIn(value: string, atMs: number): number {
  const first = value.charCodeAt(0);
  // Digits, or a sign before them: this check alone dismisses most values.
  if (!((first >= 48 && first <= 57) || first === 43 || first === 45)) return Number.NaN;
  if (NUMBER.test(value)) return Number(value);
  if (!DATE.test(value)) return Number.NaN;
  const days = (atMs - Date.parse(value)) / DAY_MS;
  return Math.abs(days) <= MOST_DAYS ? days : Number.NaN;
}

/** The hour of day where the person probably is, by the longitude of the country; imprecise in large countries. */
function localHour(country: string | undefined, atMs: number): number | undefined {
  const circle = country === undefined ? undefined : countryCircle(country);
  if (circle === undefined) return undefined;
  return ((((atMs % DAY_MS) / HOUR_MS + circle.lon / 15) % 24) + 24) % 24;
}
