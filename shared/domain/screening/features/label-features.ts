import { type EntityHistory, LABEL_WINDOWS, type LabelWindow, type Window } from '../../entities/entity-history';
import { highestOfAttributes } from './counterpart-features';
import { REPUTATION, smoothedShare } from './entity-features';
import { type AttemptFeature, ago, counted, type EntityFeature, MISSING, share as shareOf } from './feature-table';

/*
 * Recent labels of an entity. A compromised card terminal is bad for some days, which lifetime totals
 * hide. Windows end now and hold labels by the time a person recorded them, so that nothing is known too early.
 */
const SPAN: Readonly<Record<LabelWindow, string>> = { '1d': '24 hours', '7d': '7 days', '30d': '30 days' };
const TRANSACTIONS: Readonly<Record<LabelWindow, Window>> = { '1d': '24h', '7d': '7d', '30d': '30d' };

/** Without a label, nothing is known about the share of fraud: it is missing, rather than equal to the prior. */
function share(history: EntityHistory, window: LabelWindow): number {
  const { fraud, labelled } = history.recent_labels[window];
  return labelled > 0 ? smoothedShare(fraud, labelled) : MISSING;
}

/** If only fraud is ever labelled, the share is misleading; all activity in the window is a better denominator. */
function rate(history: EntityHistory, window: LabelWindow): number {
  const { fraud, labelled } = history.recent_labels[window];
  const transactions = history.transactions.windows[TRANSACTIONS[window]].count;
  return labelled > 0 ? smoothedShare(fraud, Math.max(labelled, transactions)) : MISSING;
}

type LabelFeatureName = `${'fraud_labels' | 'labels' | 'fraud_share' | 'fraud_rate'}_${LabelWindow}`;

const features = (window: LabelWindow): ReadonlyArray<readonly [LabelFeatureName, EntityFeature]> => [
  [
    `fraud_labels_${window}`,
    {
      description: `attempts confirmed as fraud in the last ${SPAN[window]}`,
      words: counted('confirmed fraud', ` in ${SPAN[window]}`),
      explains: REPUTATION,
      read: (history) => history.recent_labels[window].fraud,
    },
  ],
  [
    `labels_${window}`,
    {
      description: `attempts labelled, as fraud or legitimate, in the last ${SPAN[window]}`,
      words: counted('review', ` in ${SPAN[window]}`),
      explains: REPUTATION,
      read: (history) => history.recent_labels[window].labelled,
    },
  ],
  [
    `fraud_share_${window}`,
    {
      description: `share of fraud among the labels of the last ${SPAN[window]}, smoothed (missing: no label)`,
      words: shareOf('reviews', `of reviews in ${SPAN[window]} were fraud`),
      explains: REPUTATION,
      read: (history) => share(history, window),
    },
  ],
  [
    `fraud_rate_${window}`,
    {
      description: `fraud labels divided by its labels or its transactions, whichever are more, in the last ${SPAN[window]}; smoothed (missing: no label)`,
      words: shareOf('fraud rate', `fraud in ${SPAN[window]}`),
      explains: REPUTATION,
      read: (history) => rate(history, window),
    },
  ],
];

/** Features of user, device, IP and every key of ATTRIBUTE_SLOTS. */
export const LABEL_FEATURES = Object.fromEntries(LABEL_WINDOWS.flatMap(features)) as Readonly<
  Record<LabelFeatureName, EntityFeature>
>;

/** Whether an entity has no label in any window, which is true of most. */
export function isUnlabelled({ recent_labels }: Pick<EntityHistory, 'recent_labels'>): boolean {
  for (const window of LABEL_WINDOWS) {
    const { labelled, fraud } = recent_labels[window];
    if (labelled !== 0 || fraud !== 0) return false;
  }
  return true;
}

/** The feature values of such an entity: counts are 0, shares and rates are unknown. */
export const WITHOUT_LABELS = withoutLabels(LABEL_FEATURES);

function withoutLabels(features: object): Float32Array {
  return Float32Array.from(Object.keys(features), (name) => (/labels_/.test(name) ? 0 : MISSING));
}

const DAY_MS = 86_400_000;

/** How recent an entity's fraud is. No fraud is 0, not missing, so that a confirmed fraud can only ever raise it. */
export const STREAK_FEATURES = {
  fraud_freshness: {
    description:
      '1 when the first fraud of the last 30 to 60 days was confirmed just now, falling to 1/(1 + days); 0: none',
    words: [
      'recent fraud',
      (value, entity) =>
        value <= 0
          ? `no recent fraud (${entity})`
          : `fraud first confirmed ${ago((1 / value - 1) * 86_400)} (${entity})`,
    ],
    explains: REPUTATION,
    read: ({ fraud_since_ms }, { attempt }) =>
      fraud_since_ms === undefined ? 0 : 1 / (1 + Math.max(0, attempt.at_ms - fraud_since_ms) / DAY_MS),
  },
} as const satisfies Record<string, EntityFeature>;

export const STREAK_AGGREGATES = {
  attribute_fraud_freshness: highestOfAttributes(STREAK_FEATURES.fraud_freshness),
} as const satisfies Record<string, AttemptFeature>;

/** The most recent label: with the age of the fraud, it shows sooner than any share whether the trouble is over. */
export const LAST_LABEL_FEATURES = {
  fraud_last: {
    description: '1 when the last label is fraud, 0 when it is legitimate (missing: no label)',
    words: [
      'last review',
      (value, entity) => `last review of this ${entity}: ${value >= 0.5 ? 'fraud' : 'legitimate'}`,
    ],
    explains: REPUTATION,
    read: ({ last_label }) => (last_label === undefined ? MISSING : last_label === 'fraud' ? 1 : 0),
  },
} as const satisfies Record<string, EntityFeature>;

export const LAST_LABEL_AGGREGATES = {
  attribute_fraud_last: highestOfAttributes(LAST_LABEL_FEATURES.fraud_last),
} as const satisfies Record<string, AttemptFeature>;

type LabelAggregateName = `attribute_${'fraud_labels' | 'fraud_share' | 'fraud_rate'}_${LabelWindow}`;

/** The worst of all tracked attributes, whatever their keys. */
export const LABEL_AGGREGATES = Object.fromEntries(
  LABEL_WINDOWS.flatMap((window) =>
    (['fraud_labels', 'fraud_share', 'fraud_rate'] as const).map(
      (name) => [`attribute_${name}_${window}`, highestOfAttributes(LABEL_FEATURES[`${name}_${window}`])] as const,
    ),
  ),
) as Readonly<Record<LabelAggregateName, AttemptFeature>>;

/** Their values if at least one attribute has a history, and none has a label. */
export const WITHOUT_ATTRIBUTE_LABELS = withoutLabels(LABEL_AGGREGATES);
