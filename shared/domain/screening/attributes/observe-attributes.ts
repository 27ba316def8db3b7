import { hash32 } from '../../entities/short-hash';
import { countryCircle } from '../../ip/country-centroids';
import type { IpFacts } from '../../ip/ip-table';
import type { Subject } from '../subjects/attempt-of';
import type { ObservedAttribute } from './observed-attribute';
import { BUILT_IN, CUSTOM_PREFIX, MAX_OBSERVED_BYTES, observedBytes } from './observed-codec';
import { roughNumber } from './rough-number';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const BUCKET_SALT = 0x6f627376;
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,9})?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|$)/;
const EMAIL = /^([^@\s]{1,64})@([^@\s]{1,189})$/;

/** Values that belong to one person and have their own history: nothing is learnt from their spelling. */
const PERSONAL: ReadonlySet<string> = new Set(['card_fingerprint', 'phone']);

/** 16 bits of a text: about as many as there are categories worth learning, and far fewer than there are people. */
export const bucketOf = (text: string): number => hash32(text, BUCKET_SALT) >>> 16;

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
 * payment method, country and network of the IP address, and the local hour. It is made at screening time, scored and
 * stored unchanged; training reads what was stored, so the two can never differ. What exceeds the size limit is
 * not observed at all.
 */
export function observeAttributes(subject: Subject, atMs: number, ip: IpFacts | undefined): ObservedAttribute[] {
  const observed: ObservedAttribute[] = [];
  let bytes = 0;
  const add = (name: string, bucket: number, number: number): void => {
    const attribute = { name, bucket, number };
    const size = observedBytes(attribute);
    if (bytes + size > MAX_OBSERVED_BYTES) return;
    bytes += size;
    observed.push(attribute);
  };
  const category = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') add(name, bucketOf(value), numberIn(value, atMs));
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
  if (ip?.asn !== undefined) add(BUILT_IN.ip_network, bucketOf(String(ip.asn)), Number.NaN);
  const hour = localHour(billing?.country ?? ip?.country, atMs);
  if (hour !== undefined) add(BUILT_IN.local_hour, 0, roughNumber(hour));

  const attributes = subject.custom_attributes ?? {};
  for (const key of Object.keys(attributes)) {
    const value = attributes[key] as string;
    if (value === '' || PERSONAL.has(key)) continue;
    const name = customName(key);
    const email = value.includes('@') ? EMAIL.exec(value) : null;
    if (email === null) add(name, bucketOf(value), numberIn(value, atMs));
    else observeEmail(name, email[1] as string, email[2] as string, add);
  }
  return observed;
}

/** An address belongs to one person; many people share its domain, its first letters and its share of digits. */
function observeEmail(
  name: string,
  local: string,
  domain: string,
  add: (name: string, bucket: number, number: number) => void,
): void {
  const word = /^[a-z]*/i.exec(local)?.[0] ?? '';
  add(`${name}.domain`, bucketOf(domain.toLowerCase()), local.replace(/\D/g, '').length);
  add(`${name}.word`, bucketOf(word.toLowerCase()), local.length);
}

/** A number as is, a date as the days before the attempt; NaN for anything else. */
function numberIn(value: string, atMs: number): number {
  const first = value.charCodeAt(0);
  // Digits, or a sign before them: this one check dismisses most values.
  if (!((first >= 48 && first <= 57) || first === 43 || first === 45)) return Number.NaN;
  if (NUMBER.test(value)) return roughNumber(Number(value));
  if (!DATE.test(value)) return Number.NaN;
  return roughNumber((atMs - Date.parse(value)) / DAY_MS);
}

/** The hour of day where the person probably is, by the longitude of the country; imprecise in large countries. */
function localHour(country: string | undefined, atMs: number): number | undefined {
  const circle = country === undefined ? undefined : countryCircle(country);
  if (circle === undefined) return undefined;
  return ((((atMs % DAY_MS) / HOUR_MS + circle.lon / 15) % 24) + 24) % 24;
}
