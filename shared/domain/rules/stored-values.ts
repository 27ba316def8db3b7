import type { AccountSettings } from '../accounts/account';
import { readAttribute } from '../declarations/read-attribute';
import { canonicalText, formOf } from '../entities/canonical-value';
import { entityNames, kindOfKey } from '../entities/entity-ref';
import type { Pseudonyms } from '../entities/pseudonyms';
import { observationOf, observeAttributes } from '../screening/attributes/observe-attributes';
import type { ObservedAttribute } from '../screening/attributes/observed-attribute';
import {
  BUILT_IN,
  CUSTOM_PREFIX,
  fromRoughBits,
  isKeyed,
  MAX_OBSERVED_BYTES,
  observedBytes,
  roughBits,
  unpackObserved,
} from '../screening/attributes/observed-codec';
import type { PaymentMethod } from '../screening/screening-facts';
import type { Subject } from '../screening/subjects/attempt-of';
import type { ScreeningRecord } from '../screening/subjects/screening-record';
import { ATTRIBUTE, type AttributeTypes, type RuleFacts } from './rule-facts';
import { storedFacts } from './stored-screening';

/**
 * How sure a stored screening is of a condition: 0 no, 1 probably not, 2 probably, 3 yes. So `and` is the least of two,
 * `or` the most, and a negation counts from the other end.
 */
export type Sureness = 0 | 1 | 2 | 3;

/** The account whose traffic is tested: how it names its values and reads its attributes. */
export interface StoredBy {
  readonly accountId: string;
  readonly pseudonyms: Pseudonyms;
  readonly settings: Pick<AccountSettings, 'tracked_attributes' | 'never_observed'>;
  readonly typeOf: AttributeTypes;
}

/** A stored screening, unpacked. */
export interface StoredRow {
  readonly record: ScreeningRecord;
  readonly facts: RuleFacts;
  /** How many screenings it stands for. */
  readonly weight: number;
  /** By name; undefined if they were not stored, or under another key. */
  readonly observed: ReadonlyMap<string, ObservedAttribute> | undefined;
  /** Under the current key. */
  readonly entities: readonly string[];
  readonly freeBytes: number;
}

/** Unpacks screenings. Those from before the current key hold buckets that mean other values: these are not known. */
export function storedRows(
  { pseudonyms }: Pick<StoredBy, 'pseudonyms'>,
  records: ReadonlyArray<{ readonly record: ScreeningRecord; readonly weight: number }>,
): StoredRow[] {
  let keyedSinceMs = 0;
  const rows = records.map(({ record, weight }): StoredRow => {
    const { observed: packed, currency, screened_at_ms: atMs } = record;
    const observed = new Map(packed && isKeyed(packed) ? unpackObserved(packed).map((each) => [each.name, each]) : []);
    // A payment's currency is stored both ways, and so tells which key its buckets were made with.
    const isOld =
      (packed !== undefined && !isKeyed(packed)) ||
      (record.subject_type === 'transaction' &&
        currency !== undefined &&
        observed.get(BUILT_IN.currency)?.bucket !== pseudonyms.bucketOf(BUILT_IN.currency, canonicalText(currency)));
    if (isOld) keyedSinceMs = Math.max(keyedSinceMs, atMs + 1);
    const freeBytes = MAX_OBSERVED_BYTES - (packed?.length ?? 0);
    const entities = record.entities.map((key) => renewed(pseudonyms, key));
    return { record, facts: storedFacts(record), weight, observed: isOld ? undefined : observed, entities, freeBytes };
  });
  return rows.map((row) => (row.record.screened_at_ms < keyedSinceMs ? { ...row, observed: undefined } : row));
}

const renewed = (pseudonyms: Pseudonyms, key: string): string => {
  const at = key.lastIndexOf('#') + 1;
  return key.slice(0, at) + pseudonyms.renewed(key.slice(at));
};

/** A value that is stored as a hash or a rough number. */
export interface StoredValue {
  /** Whether it was sent, and could be read as its type. */
  readonly sent: Sureness;
  is(text: string): Sureness;
  /** The least, the stored and the largest number that it may be. @default it is not a number */
  readonly range?: readonly [number, number, number] | undefined;
  /** The bucket that other values may share. @default none may */
  readonly bucket?: number | undefined;
}

const NOT_SENT: StoredValue = { sent: 0, is: () => 0 };

/** Reads one name from stored screenings; undefined from one that does not hold it. */
export type StoredReader = (row: StoredRow) => StoredValue | undefined;

type Sent = Partial<Subject> & { readonly ip?: RuleFacts['ip'] };

/** A request with one value, for observing that value exactly as screenings do. */
const SENT: Readonly<Record<string, (text: string) => Sent>> = {
  payment_method: (text) => ({ payment_method: text as PaymentMethod }),
  'billing.country': (country) => ({ billing_address: { country } }),
  'billing.postal_code': (postal_code) => ({ billing_address: { postal_code } }),
  'ip.country': (country) => ({ ip: { country, network: 'other' } }),
  'ip.asn': (asn) => ({ ip: { asn: Number(asn), network: 'other' } }),
};

const LOOKS_LIKE_DATE = /^\d{4}-/;

export const MOST_SPELLINGS = 5;

/** A text as people usually write it: comparisons ignore case, hashes do not. */
export function usualSpellings(text: string): string[] {
  const written = canonicalText(text);
  const lower = written.toLowerCase();
  const capital = lower.replace(/^\p{L}/u, (first) => first.toUpperCase());
  const title = lower.replace(/(?<![\p{L}\p{N}])\p{L}/gu, (first) => first.toUpperCase());
  return [...new Set([written, lower, lower.toUpperCase(), capital, title])];
}

/** Most numbers below this are stored exactly, if they are whole. */
const EXACT_BELOW = 256;
const TELLING_BELOW = 64;
const FEWEST_TELLING = 5;

/** The reader of a name whose values are stored as hashes or rough numbers; undefined if they are not stored at all. */
export function storedReader(by: StoredBy, rows: readonly StoredRow[], name: string): StoredReader | undefined {
  if (name === 'device_fingerprint') return entityReader(by, 'device');
  if (name === 'user_id') return entityReader(by, 'user');
  if (name.startsWith(ATTRIBUTE)) return attributeReader(by, rows, name.slice(ATTRIBUTE.length));
  const send = SENT[name];
  if (send === undefined) return undefined;
  const observedAs = name === 'ip.asn' ? BUILT_IN.ip_network : name;
  const prints = printsOf(by, send, (each) => each.name === observedAs);
  return (row) => {
    const stored = row.observed?.get(observedAs);
    if (stored === undefined) return absent(row, observedAs);
    return { sent: 3, bucket: stored.bucket, is: (text) => (prints(text, 0).some(isLike(row)) ? 3 : 0) };
  };
}

/** A value that is not stored was not sent, unless it may have been left out for its size. */
const absent = ({ observed, freeBytes }: StoredRow, name: string): StoredValue | undefined =>
  observed !== undefined && observedBytes({ name, bucket: 0, number: Number.NaN }) <= freeBytes ? NOT_SENT : undefined;

type Print = readonly ObservedAttribute[];

const isLike =
  ({ observed }: StoredRow) =>
  (print: Print): boolean =>
    print.length > 0 &&
    print.every(({ name, bucket, number }) => {
      const stored = observed?.get(name);
      return stored?.bucket === bucket && Number.isNaN(stored.number) === Number.isNaN(number);
    });

/** Makes something of a text for each of its usual spellings, once. */
function spelled<Of>(make: (text: string) => Of): (text: string) => readonly Of[] {
  const known = new Map<string, readonly Of[]>();
  return (text) => {
    const found = known.get(text) ?? usualSpellings(text).map(make);
    known.set(text, found);
    return found;
  };
}

/** The forms in which screening would have stored a text; that of a date depends on the time. */
function printsOf(
  { pseudonyms }: StoredBy,
  send: (text: string) => Sent,
  isOfName: (observed: ObservedAttribute) => boolean,
): (text: string, atMs: number) => readonly Print[] {
  const printAt = (text: string, atMs: number): Print => {
    const { ip, ...sent } = send(text);
    return observeAttributes(sent as Subject, atMs, ip, { pseudonyms }).filter(isOfName);
  };
  const prints = spelled((text) => printAt(text, 0));
  return (text, atMs) =>
    LOOKS_LIKE_DATE.test(text) ? usualSpellings(text).map((each) => printAt(each, atMs)) : prints(text);
}

function entityReader({ accountId, pseudonyms }: StoredBy, kind: 'device' | 'user'): StoredReader {
  const names = entityNames(accountId, pseudonyms);
  const keysOf = spelled((text) => names[kind](text)?.key);
  return ({ entities }) => {
    const key = entities.find((each) => kindOfKey(each) === kind);
    return key === undefined ? NOT_SENT : { sent: 3, is: (text) => (keysOf(text).includes(key) ? 3 : 0) };
  };
}

/** Types that are compared in a canonical form, not as they were sent. */
const CANONICAL: ReadonlySet<string | undefined> = new Set(['email', 'phone', 'ip_address', 'country']);
const INTERNATIONAL = /^(?:\+|00)/;

function attributeReader(by: StoredBy, rows: readonly StoredRow[], key: string): StoredReader | undefined {
  const { settings, typeOf } = by;
  const type = typeOf(key);
  const form = formOf(key);
  const isTracked = settings.tracked_attributes.includes(key);
  const isObserved = observationOf(key) !== 'never' && settings.never_observed?.includes(key) !== true;
  if (!isObserved && !isTracked) return undefined;
  const name = CUSTOM_PREFIX + key;
  const shared = [`${name}.domain`, `${name}.word`];
  const parts = [name, ...shared, `${name}.digits`, `${name}.length`];
  const isOfName = (each: ObservedAttribute) => parts.includes(each.name);
  const prints = printsOf(by, (text) => ({ custom_attributes: { [key]: text } }), isOfName);
  const names = entityNames(by.accountId, by.pseudonyms);
  const keysOf = spelled((text) => names.attribute(key, text)?.key);
  const isWhole = areWhole(rows, name);

  /** By the observed value alone. */
  function seen(row: StoredRow): StoredValue | undefined {
    if (!isObserved) return undefined;
    if (row.observed?.has(`${name}.domain`)) return { sent: 3, is: (text) => emailIs(row, prints(text, 0)) };
    const stored = row.observed?.get(name);
    if (stored === undefined) return absent(row, name);
    const matches = (text: string) => prints(text, row.record.screened_at_ms).some(isLike(row));
    if (Number.isNaN(stored.number)) return { sent: 3, bucket: stored.bucket, is: (text) => (matches(text) ? 3 : 0) };
    const range = isWhole && isExact(stored.number) ? exactly(stored.number) : roughRange(stored);
    return { sent: 3, range, is: (text) => (!matches(text) ? 0 : range[0] === range[2] ? 3 : 2) };
  }

  /** An address is stored in parts that many share; a declared one may have been sent with a tag. */
  function emailIs(row: StoredRow, all: readonly Print[]): Sureness {
    if (all.some(isLike(row))) return 2;
    const hasSame = all.some((print) => isLike(row)(print.filter((each) => shared.includes(each.name))));
    return type === 'email' && hasSame ? 1 : 0;
  }

  function read(row: StoredRow): StoredValue | undefined {
    const path = `attribute.${key}#`;
    const entity = row.entities.find((each) => each.startsWith(path));
    const observed = seen(row);
    if (entity === undefined) return observed ?? (isTracked && !isObserved ? NOT_SENT : undefined);
    return {
      ...observed,
      sent: 3,
      bucket: undefined,
      is: (text) => {
        // Without its country code a number may be any country's.
        if (form === 'phone' && !INTERNATIONAL.test(text) && type !== 'phone') return 2;
        if (!keysOf(text).includes(entity)) return 0;
        // The entity is canonical: an address with a tag is the same one, and another text.
        if (form === 'text' || CANONICAL.has(type)) return 3;
        return observed === undefined ? 2 : observed.is(text) === 0 ? 0 : 3;
      },
    };
  }
  return type === undefined ? read : (row) => typed(read(row), type);
}

/** A value as its declared type reads it. */
function typed(value: StoredValue | undefined, type: NonNullable<ReturnType<AttributeTypes>>): StoredValue | undefined {
  if (value === undefined || value.sent === 0) return value;
  // Too large for a rough number, or not a number: only its text is known.
  if (type === 'number') return value.range === undefined ? { ...value, sent: 2 } : value;
  if (type === 'boolean') return { ...value, sent: Math.max(value.is('true'), value.is('false')) as Sureness };
  if (!CANONICAL.has(type)) return value;
  const isCanonical = (text: string): boolean =>
    String(readAttribute(type, text, undefined)).toLowerCase() === canonicalText(text).toLowerCase();
  return { ...value, is: (text) => (isCanonical(text) ? value.is(text) : 0) };
}

/** All numbers that are stored like this one. */
function roughRange({ bucket, number }: ObservedAttribute): readonly [number, number, number] {
  if (number === 0) return exactly(0);
  const [inner, outer] = [fromRoughBits(bucket - 1), fromRoughBits(bucket + 1)].map((next) => (number + next) / 2);
  return [Math.min(inner as number, outer as number), number, Math.max(inner as number, outer as number)];
}

const exactly = (number: number): readonly [number, number, number] => [number, number, number];

/**
 * Whether stored numbers are exact. If no stored value of an attribute has a fraction, its values are taken to be whole: of
 * others below 64 at least three in four would be stored with one.
 */
function areWhole(rows: readonly StoredRow[], name: string): boolean {
  const numbers = rows
    .flatMap(({ observed }) => observed?.get(name)?.number ?? [])
    .filter((each) => !Number.isNaN(each));
  const telling = numbers.filter((each) => each !== 0 && Math.abs(each) < TELLING_BELOW);
  return telling.length >= FEWEST_TELLING && numbers.every(Number.isInteger);
}

/** Whether a whole number is stored as it is. */
const isExact = (number: number): boolean =>
  Math.abs(number) <= EXACT_BELOW && fromRoughBits(roughBits(number)) === number;
