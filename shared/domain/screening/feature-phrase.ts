import { aboutDollars, count, duration, percent, times } from './sentence';

/** A feature in words: its label if the value is missing, and what a value says. */
type Phrase = readonly [label: string, says: (value: number) => string];
type EntityPhrase = readonly [label: string, says: (value: number, entity: string) => string];

const ENTITIES: Readonly<Record<string, string>> = {
  user: 'user',
  device: 'device',
  ip: 'IP address',
  network: 'network',
  asn: 'internet provider',
  card_fingerprint: 'card',
  card_bin: 'card BIN',
  email: 'email address',
  phone: 'phone number',
  merchant_id: 'merchant',
  terminal_id: 'terminal',
  category: 'category',
  attribute: 'tracked attribute',
};

const SPANS: Readonly<Record<string, string>> = {
  '5m': '5 minutes',
  '10m': '10 minutes',
  '1h': 'an hour',
  '24h': '24 hours',
  '1d': 'a day',
  '7d': '7 days',
  '30d': '30 days',
};

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MOMENT_SECONDS = 60;

const ago = (seconds: number): string => (seconds < MOMENT_SECONDS ? 'moments ago' : `${duration(seconds)} ago`);
const either =
  (yes: string, no: string) =>
  (value: number): string =>
    value >= 0.5 ? yes : no;

function surprise(value: number): string {
  if (Math.abs(value) < 1) return 'usual amount';
  return value > 0 ? 'unusually high amount' : 'unusually low amount';
}

const counted = (singular: string): EntityPhrase => [
  `${singular}s`,
  (value, entity) => `${count(value, singular)} (${entity})`,
];
const seen = (counterpart: string): EntityPhrase => [
  `known ${counterpart}`,
  (value, entity) => `${value >= 0.5 ? 'known' : 'new'} ${counterpart} for this ${entity}`,
];

/** By what follows the entity in a feature's name, without a time span. */
const OF_ENTITY: Readonly<Record<string, EntityPhrase>> = {
  tx_established: ['earlier transactions', (value, entity) => `${count(value, 'earlier transaction')} (${entity})`],
  age_days: ['age', (value, entity) => `${entity} first seen ${ago(value * 86_400)}`],
  age_days_min: ['age', (value, entity) => `newest ${entity} first seen ${ago(value * 86_400)}`],
  idle_hours: ['last activity', (value, entity) => `${entity} last seen ${ago(value * 3_600)}`],
  fraud_labels: ['confirmed fraud', (value, entity) => `${count(value, 'confirmed fraud')} (${entity})`],
  personal_fraud_labels: ['confirmed fraud', (value) => `${count(value, 'confirmed fraud')} (card, email or phone)`],
  legitimate_labels: ['confirmed attempts', (value, entity) => `${Math.round(value)} confirmed legitimate (${entity})`],
  fraud_share: ['reviews', (value, entity) => `about ${percent(value)} of reviews were fraud (${entity})`],
  fraud_rate: ['fraud rate', (value, entity) => `about ${percent(value)} fraud (${entity})`],
  fraud_last: [
    'last review',
    (value, entity) => `last review of this ${entity}: ${value >= 0.5 ? 'fraud' : 'legitimate'}`,
  ],
  fraud_freshness: [
    'recent fraud',
    (value, entity) =>
      value <= 0 ? `no recent fraud (${entity})` : `fraud first confirmed ${ago((1 / value - 1) * 86_400)} (${entity})`,
  ],
  flagged_share: ['flagged transactions', (value, entity) => `${percent(value)} of transactions flagged (${entity})`],
  amount_surprise: ['usual amounts', (value, entity) => `${surprise(value)} for this ${entity}`],
  amount_ratio: ['usual amounts', (value, entity) => `${times(Math.exp(value))} the usual amount (${entity})`],
  device_days: ['familiar device', (value) => `device used by this user for ${duration(value * 86_400)}`],
  earned_devices: ['devices', (value, entity) => `${count(value, 'familiar device')} (${entity})`],
  hour_share: ['usual hours', (value) => `${percent(value)} of activity at this time of day`],
  since_spray_s: ['password spray', (value, entity) => `password spray ${ago(value)} (${entity})`],
  young_users: ['users', (value, entity) => `${count(value, 'user')} (${entity} first seen within 2 days)`],
  users: counted('user'),
  devices: counted('device'),
  ips: ['IP addresses', (value, entity) => `${count(value, 'IP address', 'IP addresses')} (${entity})`],
  cards: counted('card'),
  countries: ['countries', (value, entity) => `${count(value, 'country', 'countries')} (${entity})`],
  user_seen: seen('user'),
  device_seen: seen('device'),
  ip_seen: seen('IP address'),
  country_seen: seen('country'),
  card_seen: seen('card'),
};

/** The same with a time span at the end of the name. */
const OF_SPAN: Readonly<Record<string, (span: string) => EntityPhrase>> = {
  tx: (span) => ['transactions', (value, entity) => `${count(value, 'transaction')} in ${span} (${entity})`],
  burst: (span) => [
    'usual activity',
    (value, entity) => `as many transactions in ${span} as in ${count(value, 'usual day')} (${entity})`,
  ],
  failed_logins: (span) => [
    'failed logins',
    (value, entity) => `${count(value, 'failed login')} in ${span} (${entity})`,
  ],
  failing_users: (span) => [
    'failed logins',
    (value, entity) => `${count(value, 'user')} with a failed login in ${span} (${entity})`,
  ],
  fraud_labels: (span) => ['fraud', (value, entity) => `${count(value, 'confirmed fraud')} in ${span} (${entity})`],
  labels: (span) => ['reviews', (value, entity) => `${count(value, 'review')} in ${span} (${entity})`],
  fraud_share: (span) => [
    'reviews',
    (value, entity) => `about ${percent(value)} of reviews in ${span} were fraud (${entity})`,
  ],
  fraud_rate: (span) => ['fraud rate', (value, entity) => `about ${percent(value)} fraud in ${span} (${entity})`],
};

const WHOLE: Readonly<Record<string, Phrase>> = {
  ip_hosting: ['network', either('data-centre IP', 'not a data-centre IP')],
  ip_mobile: ['network', either('mobile network', 'not a mobile network')],
  ip_country_differs: ['country', either('IP and billing countries differ', 'IP and billing countries match')],
  travel_kmh: [
    'last location',
    (value) => (value < 1 ? 'same location as before' : `travel at ${Math.round(value)} km/h`),
  ],
  travel_evidence: [
    'last location',
    (value) => (value >= 2 ? 'impossible travel' : value >= 1 ? 'unlikely travel' : 'plausible location'),
  ],
  repeats_stopped_score: [
    'stopped attempts',
    (value) => (value > 0 ? `repeats an attempt stopped at ${Math.round(value)}` : 'repeats no stopped attempt'),
  ],
  since_signup_s: ['signup', (value) => `signed up ${ago(value)}`],
  since_password_reset_s: ['password reset', (value) => `password reset ${ago(value)}`],
  since_contact_change_s: ['contact change', (value) => `contact details changed ${ago(value)}`],
  since_payout_change_s: ['payout change', (value) => `payout details changed ${ago(value)}`],
  amount_ln_usd: ['amount', (value) => aboutDollars(value)],
  amount_ln: ['amount', (value) => `amount ${Number(Math.exp(value).toPrecision(3))} in its own currency`],
  user_amount_24h_usd: ['amounts', (value) => `${aboutDollars(Math.log(value))} in 24 hours (user)`],
  device_amount_24h_usd: ['amounts', (value) => `${aboutDollars(Math.log(value))} in 24 hours (device)`],
  ip_amount_24h_usd: ['amounts', (value) => `${aboutDollars(Math.log(value))} in 24 hours (IP address)`],
  amount_least_surprise: ['usual amounts', surprise],
  has_billing_address: ['billing address', either('billing address given', 'no billing address')],
  hour_utc: ['hour', (value) => `${Math.floor(value)}:00 UTC`],
  weekday: ['weekday', (value) => WEEKDAYS[Math.round(value)] ?? 'weekday'],
  is_failed: ['result', either('failed', 'not failed')],
  is_transaction: ['kind', either('payment', 'not a payment')],
  rules_log_odds: ['signals', (value) => (value > 0 ? 'signals together' : 'no strong signals')],
};

/** Finds the words for a feature of the vector; undefined for an attribute that only the model knows. */
function phraseOf(name: string): Phrase | undefined {
  const whole = WHOLE[name];
  if (whole) return whole;
  const [, method] = /^paid_by_(\w+)$/.exec(name) ?? [];
  if (method) return ['payment method', either(`paid by ${method}`, `not paid by ${method}`)];
  const [, kind] = /^is_(\w+)$/.exec(name) ?? [];
  if (kind) return ['kind', either(kind.replaceAll('_', ' '), `not a ${kind.replaceAll('_', ' ')}`)];
  for (const [prefix, entity] of Object.entries(ENTITIES)) {
    if (!name.startsWith(`${prefix}_`)) continue;
    const rest = name.slice(prefix.length + 1);
    const at = rest.lastIndexOf('_');
    const found = OF_ENTITY[rest] ?? OF_SPAN[rest.slice(0, at)]?.(SPANS[rest.slice(at + 1)] ?? '');
    if (found) return [`${found[0]} (${entity})`, (value) => found[1](value, entity)];
  }
  return undefined;
}

/** An attribute that the model learned about: its number, its share of fraud, or how common its value is. */
function learnedPhrase(name: string, value: number): string {
  const [, attribute = name, kind] = /^(.*)_(number|rate|rank)$/.exec(name) ?? [];
  const words = attribute.replaceAll('_', ' ');
  if (Number.isNaN(value)) return `unknown ${words}`;
  if (kind === 'number') return `${words} ${Number(value.toPrecision(3))}`;
  return kind === 'rate' ? `about ${percent(value)} fraud for this ${words}` : `how common this ${words} is`;
}

const known = new Map<string, Phrase | undefined>();

/** One feature and its value in words, for a model's sentence: `device first seen moments ago`. */
export function featurePhrase(name: string, value: number): string {
  if (!known.has(name)) known.set(name, phraseOf(name));
  const phrase = known.get(name);
  if (phrase === undefined) return learnedPhrase(name, value);
  const [label, says] = phrase;
  return Number.isNaN(value) ? `unknown ${label}` : says(value);
}
