import type { Counterpart, EntityHistory } from '../../entities/entity-history';
import { count, duration } from '../sentence';
import { amountSurprise } from './amount-features';
import { ENTITY_FEATURES } from './entity-features';
import {
  type AttemptContext,
  type AttemptFeature,
  ago,
  counted,
  type EntityFeature,
  either,
  explainedOf,
  flag,
  known,
  MISSING,
  surprising,
  wordsOf,
} from './feature-table';

const DAY_MS = 86_400_000;

/** Features of the user's familiarity (docs/entities.md). */
export const FAMILIARITY_FEATURES = {
  device_days: {
    description: 'days since it earned this device (0: not earned; missing: no device)',
    words: ['familiar device', (value) => `device used by this user for ${duration(value * 86_400)}`],
    explains: 'new_device',
    read: ({ own_device, seen }, { attempt }) => {
      if (own_device === undefined) return seen.devices === false ? 0 : MISSING;
      return Math.max(0, attempt.at_ms - own_device.since_ms) / DAY_MS;
    },
  },
  earned_devices: {
    description: 'devices earned in the last 30 to 60 days',
    words: ['devices', (value, entity) => `${count(value, 'familiar device')} (${entity})`],
    explains: 'new_device',
    read: ({ earned }) => earned.devices,
  },
} as const satisfies Record<string, EntityFeature>;

export const REPEAT_FEATURES = {
  repeats_stopped_score: {
    description: 'highest score of a stopped attempt of this user that this one repeats (0: none)',
    words: [
      'stopped attempts',
      (value) => (value > 0 ? `repeats an attempt stopped at ${Math.round(value)}` : 'repeats no stopped attempt'),
    ],
    explains: 'repeats_stopped_attempt',
    read: ({ facts: { repeats_score = 0 } }) => repeats_score,
  },
} as const satisfies Record<string, AttemptFeature>;

/** Whether the user has earned the device or address: asked of the user, since anyone can be seen on either. */
export const earnedBy = (counterpart: 'devices' | 'ips', explains: string): EntityFeature => ({
  description: '1 when this user was seen with it before',
  words: known('user'),
  explains,
  read: (_, { facts: { user } }) => flag(user?.seen[counterpart]),
});

/**
 * How many different counterparts an entity has, including this attempt's. An attempt without the
 * counterpart (`seen` undefined) does not add one.
 */
export function distinctNow({ distinct, seen, tried }: EntityHistory, counterpart: Counterpart): number {
  const before = distinct[counterpart];
  const isNew = (tried[counterpart] ?? seen[counterpart]) === false ? 1 : 0;
  return before === undefined && seen[counterpart] === undefined ? MISSING : (before ?? 0) + isNew;
}

const SINGULAR: Readonly<Record<Counterpart, string>> = {
  users: 'user',
  devices: 'device',
  ips: 'IP address',
  countries: 'country',
  cards: 'card',
};
const PLURAL: Readonly<Partial<Record<Counterpart, string>>> = { ips: 'IP addresses', countries: 'countries' };

const distinct = (counterpart: Counterpart, explains?: string): EntityFeature => ({
  description: `different ${counterpart} in the last 30 to 60 days, this one included`,
  words: counted(SINGULAR[counterpart], '', PLURAL[counterpart]),
  explains,
  read: (history) => distinctNow(history, counterpart),
});

const seen = (counterpart: Counterpart, explains?: string): EntityFeature => ({
  description: `1 when this ${SINGULAR[counterpart]} was seen with it before`,
  // A country is not sent, but looked up by the address.
  words: known(SINGULAR[counterpart], counterpart === 'countries' ? 'unknown country' : undefined),
  explains,
  read: (history) => flag(history.seen[counterpart]),
});

/** Counterparts of a user. */
export const USER_COUNTERPARTS = {
  devices: distinct('devices', 'device_switching'),
  ips: distinct('ips'),
  countries: distinct('countries', 'ip_mismatch'),
  cards: distinct('cards', 'card_testing_pattern'),
  device_seen: seen('devices', 'new_device'),
  ip_seen: seen('ips'),
  country_seen: seen('countries', 'ip_mismatch'),
  card_seen: seen('cards', 'card_testing_pattern'),
} as const satisfies Record<string, EntityFeature>;

/** Counterparts of a device. */
export const DEVICE_COUNTERPARTS = {
  users: distinct('users', 'shared_device'),
  ips: distinct('ips', 'shared_device'),
  cards: distinct('cards', 'card_testing_pattern'),
  user_seen: earnedBy('devices', 'shared_device'),
} as const satisfies Record<string, EntityFeature>;

/** Counterparts of an IP address. */
export const IP_COUNTERPARTS = {
  users: distinct('users', 'shared_ip'),
  devices: distinct('devices', 'shared_ip'),
  cards: distinct('cards', 'card_testing_pattern'),
  user_seen: earnedBy('ips', 'shared_ip'),
} as const satisfies Record<string, EntityFeature>;

const { age_days, burst_10m, fraud_labels, fraud_rate } = ENTITY_FEATURES;

/** Features of an agent; it shops for many people, so numbers of transactions alone say nothing. */
export const AGENT_FEATURES = { age_days, burst_10m, fraud_labels, fraud_rate } as const satisfies Record<
  string,
  EntityFeature
>;

/** Whether software acts for the user. */
export const AGENT_IDENTITY_FEATURES = {
  agent_verified: {
    description: '1 when an agent that proved its identity acts for the user, 0 when it did not (missing: no agent)',
    words: either('agent', 'verified agent', 'agent of unproven identity'),
    explains: 'unverified_agent',
    read: ({ facts: { agent_verified } }) => flag(agent_verified),
  },
} as const satisfies Record<string, AttemptFeature>;

/** The keys with their own slots: the default tracked attributes. Any other key counts in the worst-of features. */
export const ATTRIBUTE_SLOTS = [
  'card_fingerprint',
  'card_bin',
  'email',
  'phone',
  'merchant_id',
  'terminal_id',
  'category',
] as const;

/** Features of every key in ATTRIBUTE_SLOTS. */
export const ATTRIBUTE_FEATURES = {
  // It does not explain a signal: velocity_spike uses the worst of all keys.
  tx_24h: {
    description: ENTITY_FEATURES.tx_24h.description,
    words: ENTITY_FEATURES.tx_24h.words,
    read: ENTITY_FEATURES.tx_24h.read,
  },
  fraud_share: ENTITY_FEATURES.fraud_share,
  users: {
    description: 'different users in the last 30 to 60 days, this one included',
    words: counted('user'),
    read: (history) => distinctNow(history, 'users'),
  },
  amount_surprise: {
    description: 'how far the amount lies from those seen with it, in standard deviations of the logarithm',
    words: surprising,
    explains: 'amount_anomaly',
    read: (history, { ln_usd }) => amountSurprise(ln_usd, history.amounts_usd),
  },
} as const satisfies Record<string, EntityFeature>;

/** Values that belong to one person: a single confirmed fraud says something about the next use. */
export const PERSONAL_KEYS: ReadonlySet<string> = new Set(['card_fingerprint', 'email', 'phone']);

const extreme = (
  context: AttemptContext,
  read: EntityFeature['read'],
  isWorse: (a: number, b: number) => boolean,
  counts: (key: string) => boolean = () => true,
): number => {
  let worst = MISSING;
  for (const { key, history } of context.facts.attributes) {
    if (history === undefined || !counts(key)) continue;
    const value = read(history, context);
    if (Number.isNaN(worst) || isWorse(value, worst)) worst = value;
  }
  return worst;
};

const above = (a: number, b: number): boolean => a > b;
const below = (a: number, b: number): boolean => a < b;
/** A feature's highest value among the tracked attributes. */
export const highestOfAttributes = (feature: EntityFeature, counts?: (key: string) => boolean): AttemptFeature => ({
  description: `highest over the tracked attributes: ${feature.description}`,
  words: wordsOf(feature, 'tracked attribute'),
  explains: explainedOf(feature, 'attribute'),
  read: (context) => extreme(context, feature.read, above, counts),
});

/** The worst of all tracked attributes, whatever their keys. */
export const ATTRIBUTE_AGGREGATES = {
  attribute_tx_10m: highestOfAttributes(ENTITY_FEATURES.tx_10m),
  attribute_burst_10m: highestOfAttributes(ENTITY_FEATURES.burst_10m),
  attribute_fraud_labels: highestOfAttributes(ENTITY_FEATURES.fraud_labels),
  attribute_fraud_share: highestOfAttributes(ENTITY_FEATURES.fraud_share),
  attribute_personal_fraud_labels: highestOfAttributes(
    {
      ...ENTITY_FEATURES.fraud_labels,
      description: 'attempts confirmed as fraud (card_fingerprint, email and phone only)',
      words: ['confirmed fraud', (value) => `${count(value, 'confirmed fraud')} (card, email or phone)`],
    },
    (key) => PERSONAL_KEYS.has(key),
  ),
  attribute_age_days_min: {
    description: 'lowest over the tracked attributes: days since an attempt with it was first allowed',
    words: [
      'age (tracked attribute)',
      (value) => `newest tracked attribute first seen ${ago(value * 86_400)}`,
      'no tracked attribute data',
    ],
    read: (context) => extreme(context, ENTITY_FEATURES.age_days.read, below),
  },
} as const satisfies Record<string, AttemptFeature>;
