import { canonicalText } from '../../entities/canonical-value';
import { type Pseudonyms, PUBLIC_PSEUDONYMS } from '../../entities/pseudonyms';
import { countryCircle } from '../../ip/country-centroids';
import type { IpFacts } from '../../ip/ip-table';
import type { Subject } from '../subjects/attempt-of';
import { observationOf } from './attribute-privacy';
import type { ObservedAttribute } from './observed-attribute';
import { BUILT_IN, CUSTOM_PREFIX, MAX_OBSERVED_BYTES, OBSERVED_HEAD_BYTES, observedBytes } from './observed-codec';
import { fromRoughBits, roughBits } from './rough-number';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/**
 * At most five digits before the point and no leading zero: longer ones are somebody's (a tax id, a date of birth, a
 * card, a phone) and would be recognised from their first digits.
 */
const NUMBER = /^[+-]?(?:0|[1-9]\d{0,4})(?:\.\d{1,9})?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|$)/;
/** Dates further away than this are not about the purchase: most of them are birthdays. */
const MOST_DAYS = 5 * 365;
const EMAIL = /^([^@\s]{1,64})@([^@\s]{1,189})$/;

/** How values are named, and the custom attributes that this account wants left alone. */
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
 * What a model may learn from besides the feature vector: every custom attribute, the billing address, currency,
 * payment method, country and network of the IP address, and the local hour. Each is a category or a number, never
 * both, since either narrows down the other. It is made at screening time, scored and stored unchanged; training reads
 * what was stored, so the two can never differ. What exceeds the size limit is not observed at all.
 */
export function observeAttributes(
  subject: Subject,
  atMs: number,
  ip: IpFacts | undefined,
  { pseudonyms, never_observed = [] }: ObservedBy = { pseudonyms: PUBLIC_PSEUDONYMS },
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
  // Digits, or a sign before them: this one check dismisses most values.
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
