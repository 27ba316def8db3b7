import { count } from '../sentence';
import { amountSurprise } from './amount-surprise';
import { distinctNow } from './counterpart-features';
import { ENTITY_FEATURES } from './entity-features';
import { type AttemptContext, type AttemptFeature, type EntityFeature, explainedOf, MISSING } from './feature-table';
import { ago, counted, surprising, wordsOf } from './feature-words';

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

/** The same for every key of ATTRIBUTE_SLOTS. */
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
      'no tracked attribute sent',
    ],
    read: (context) => extreme(context, ENTITY_FEATURES.age_days.read, below),
  },
} as const satisfies Record<string, AttemptFeature>;
