import { NO_DECLINES } from '../entities/declines';
import type { EntityHistory, EntityKind } from '../entities/entity-history';
import { KIND } from '../entities/kind-spec';
import {
  AMOUNT_FEATURES,
  EXPOSURE_FEATURES,
  RELATIVE_AMOUNT_FEATURES,
  USUAL_AMOUNT_FEATURES,
} from './features/amount-features';
import {
  AGENT_FEATURES,
  AGENT_IDENTITY_FEATURES,
  ATTRIBUTE_AGGREGATES,
  ATTRIBUTE_FEATURES,
  ATTRIBUTE_SLOTS,
  DEVICE_COUNTERPARTS,
  FAMILIARITY_FEATURES,
  IP_COUNTERPARTS,
  REPEAT_FEATURES,
  USER_COUNTERPARTS,
} from './features/counterpart-features';
import { DECLINE_FEATURES, LONE_DECLINE_FEATURES, WRONG_CVC_FEATURES } from './features/decline-features';
import {
  ENTITY_FEATURES,
  type EntityFeatureName,
  HABIT_FEATURES,
  STOPPED_FEATURES,
  TRIED_FEATURES,
} from './features/entity-features';
import {
  type AttemptContext,
  type AttemptFeature,
  attemptContext,
  type EntityFeature,
  explainedOf,
  MISSING,
  type Words,
  wordsOf,
} from './features/feature-table';
import {
  isUnlabelled,
  LABEL_AGGREGATES,
  LABEL_FEATURES,
  LAST_LABEL_AGGREGATES,
  LAST_LABEL_FEATURES,
  STREAK_AGGREGATES,
  STREAK_FEATURES,
  WITHOUT_ATTRIBUTE_LABELS,
  WITHOUT_LABELS,
} from './features/label-features';
import {
  ASN_FEATURES,
  EMAIL_PATTERN_FEATURES,
  INTELLIGENCE_FEATURES,
  LOCATION_FEATURES,
  NETWORK_FEATURES,
  SPRAY_FEATURES,
} from './features/location-features';
import { ACTION_FEATURES, TIME_FEATURES } from './features/time-features';
import type { ScreeningFacts } from './screening-facts';

/**
 * Incremented whenever a slot is added or its meaning changes. Slots are only ever appended: stored vectors
 * and trained models stay readable forever.
 */
export const FEATURE_VERSION = 14;

type AttributeSlot = (typeof ATTRIBUTE_SLOTS)[number];
type LabelFeature = keyof typeof LABEL_FEATURES | keyof typeof STREAK_FEATURES | keyof typeof LAST_LABEL_FEATURES;

/** Every feature by name; TypeScript checks those that signals use. */
export type FeatureName =
  | `${'user' | 'device' | 'ip'}_${EntityFeatureName}`
  | `user_${keyof typeof USER_COUNTERPARTS}`
  | `device_${keyof typeof DEVICE_COUNTERPARTS}`
  | `ip_${keyof typeof IP_COUNTERPARTS}`
  | `${AttributeSlot}_${keyof typeof ATTRIBUTE_FEATURES}`
  | `${'user' | 'device' | 'ip' | AttributeSlot}_${LabelFeature}`
  | `user_${keyof typeof FAMILIARITY_FEATURES}`
  | keyof typeof REPEAT_FEATURES
  | keyof typeof ATTRIBUTE_AGGREGATES
  | keyof typeof LABEL_AGGREGATES
  | keyof typeof STREAK_AGGREGATES
  | keyof typeof LAST_LABEL_AGGREGATES
  | keyof typeof AMOUNT_FEATURES
  | keyof typeof TIME_FEATURES
  | keyof typeof LOCATION_FEATURES
  | keyof typeof ACTION_FEATURES
  | `network_${keyof typeof NETWORK_FEATURES}`
  | `asn_${keyof typeof ASN_FEATURES}`
  | `${'network' | 'device' | 'ip'}_${keyof typeof SPRAY_FEATURES}`
  | keyof typeof USUAL_AMOUNT_FEATURES
  | keyof typeof RELATIVE_AMOUNT_FEATURES
  | keyof typeof AGENT_IDENTITY_FEATURES
  | `agent_${keyof typeof AGENT_FEATURES}`
  | `email_pattern_${keyof typeof EMAIL_PATTERN_FEATURES}`
  | `${'user' | 'card_fingerprint'}_${keyof typeof HABIT_FEATURES}`
  | `user_${keyof typeof TRIED_FEATURES | keyof typeof STOPPED_FEATURES}`
  | keyof typeof EXPOSURE_FEATURES
  | `${'user' | 'device' | 'ip' | 'network' | AttributeSlot}_${keyof typeof DECLINE_FEATURES}`
  | `${'user' | 'device' | 'ip'}_${keyof typeof LONE_DECLINE_FEATURES}`
  | `card_fingerprint_${keyof typeof WRONG_CVC_FEATURES}`
  | keyof typeof INTELLIGENCE_FEATURES;

/** A slot of the vector, for people and for reports. */
export interface FeatureDescription {
  readonly name: FeatureName;
  readonly group: string;
  readonly description: string;
  readonly words: Words;
  /** The signal under which a model's share of it is shown; undefined if only a model uses it. */
  readonly explains: string | undefined;
}

interface FeatureGroup {
  readonly slots: readonly FeatureDescription[];
  fill(vector: Float32Array, from: number, context: AttemptContext): void;
  /** One of its slots. */
  read(at: number, context: AttemptContext): number;
}

type EntityPrefix = 'user' | 'device' | 'ip' | 'network' | 'asn' | 'agent' | 'email_pattern' | AttributeSlot;

const kindOf = (prefix: EntityPrefix): EntityKind => {
  if (prefix === 'asn' || prefix === 'email_pattern') return 'network';
  return prefix in KIND ? (prefix as EntityKind) : 'attribute';
};

const ENTITY_WORDS: Readonly<Record<EntityPrefix, string>> = {
  user: 'user',
  device: 'device',
  ip: 'IP address',
  network: 'network',
  asn: 'internet provider',
  agent: 'agent',
  email_pattern: 'addresses like this one',
  card_fingerprint: 'card',
  card_bin: 'card BIN',
  email: 'email address',
  phone: 'phone number',
  merchant_id: 'merchant',
  terminal_id: 'terminal',
  category: 'category',
};

/** What is said of a slot is put together when somebody asks: a function starts with hundreds, and needs the words of a few. */
class EntitySlot implements FeatureDescription {
  readonly name: FeatureName;
  readonly group: EntityPrefix;
  readonly #feature: EntityFeature;

  constructor(prefix: EntityPrefix, name: string, feature: EntityFeature) {
    this.name = `${prefix}_${name}` as FeatureName;
    this.group = prefix;
    this.#feature = feature;
  }

  get description(): string {
    return `${this.group}: ${this.#feature.description}`;
  }

  get words(): Words {
    return wordsOf(this.#feature, ENTITY_WORDS[this.group]);
  }

  get explains(): string | undefined {
    return explainedOf(this.#feature, kindOf(this.group));
  }
}

/** All filled from the entity's history, or all missing. */
function entityGroup(
  prefix: EntityPrefix,
  table: Readonly<Record<string, EntityFeature>>,
  pick: (facts: ScreeningFacts) => EntityHistory | undefined,
): FeatureGroup {
  const features = Object.values(table);
  return {
    slots: Object.entries(table).map(([name, feature]) => new EntitySlot(prefix, name, feature)),
    fill(vector, from, context) {
      const history = pick(context.facts);
      if (history === undefined) return;
      for (let at = 0; at < features.length; at++) {
        vector[from + at] = (features[at] as EntityFeature).read(history, context);
      }
    },
    read(at, context) {
      const history = pick(context.facts);
      return history === undefined ? MISSING : (features[at] as EntityFeature).read(history, context);
    },
  };
}

function attemptGroup(group: string, table: Readonly<Record<string, AttemptFeature>>): FeatureGroup {
  const features = Object.values(table);
  return {
    slots: Object.entries(table).map(([name, { description, words, explains }]) => ({
      name: name as FeatureName,
      group,
      description,
      words,
      explains,
    })),
    fill(vector, from, context) {
      for (let at = 0; at < features.length; at++) vector[from + at] = (features[at] as AttemptFeature).read(context);
    },
    read: (at, context) => (features[at] as AttemptFeature).read(context),
  };
}

/** The slots of what most entities do not have: then the values are always the same, and are copied, not computed. */
function quietGroup(
  prefix: EntityPrefix,
  table: Readonly<Record<string, EntityFeature>>,
  pick: (facts: ScreeningFacts) => EntityHistory | undefined,
  { isQuiet, quiet }: { isQuiet(history: EntityHistory): boolean; readonly quiet: Float32Array },
): FeatureGroup {
  const group = entityGroup(prefix, table, pick);
  return {
    ...group,
    fill(vector, from, context) {
      const history = pick(context.facts);
      if (history === undefined) return;
      if (isQuiet(history)) vector.set(quiet, from);
      else group.fill(vector, from, context);
    },
  };
}

const labelGroup = (prefix: EntityPrefix, pick: (facts: ScreeningFacts) => EntityHistory | undefined): FeatureGroup =>
  quietGroup(prefix, LABEL_FEATURES, pick, { isQuiet: isUnlabelled, quiet: WITHOUT_LABELS });

const isWithoutDeclines = ({ declines }: EntityHistory): boolean => declines === undefined || declines === NO_DECLINES;

const declineGroup = (
  prefix: EntityPrefix,
  table: Readonly<Record<string, EntityFeature>>,
  pick: (facts: ScreeningFacts) => EntityHistory | undefined,
): FeatureGroup =>
  quietGroup(prefix, table, pick, {
    isQuiet: isWithoutDeclines,
    quiet: new Float32Array(Object.keys(table).length),
  });

/** Labels of attributes; most have none. */
function labelAggregates(): FeatureGroup {
  const group = attemptGroup('attributes', LABEL_AGGREGATES);
  return {
    ...group,
    fill(vector, from, context) {
      let isKnown = false;
      for (const { history } of context.facts.attributes) {
        if (history === undefined) continue;
        if (!isUnlabelled(history)) return group.fill(vector, from, context);
        isKnown = true;
      }
      if (isKnown) vector.set(WITHOUT_ATTRIBUTE_LABELS, from);
    },
  };
}

const ofUser = ({ user }: ScreeningFacts) => user;
const ofDevice = ({ device }: ScreeningFacts) => device;
const ofIp = ({ ip_history }: ScreeningFacts) => ip_history;
const ofNetwork = ({ network_history }: ScreeningFacts) => network_history;
const ofAsn = ({ asn_history }: ScreeningFacts) => asn_history;
const ofAgent = ({ agent_history }: ScreeningFacts) => agent_history;
const ofEmailPattern = ({ email_pattern_history }: ScreeningFacts) => email_pattern_history;
const ofAttribute =
  (key: string) =>
  ({ attributes }: ScreeningFacts): EntityHistory | undefined => {
    for (const attribute of attributes) if (attribute.key === key) return attribute.history;
    return undefined;
  };

const GROUPS: readonly FeatureGroup[] = [
  entityGroup('user', { ...ENTITY_FEATURES, ...USER_COUNTERPARTS }, ofUser),
  entityGroup('device', { ...ENTITY_FEATURES, ...DEVICE_COUNTERPARTS }, ofDevice),
  entityGroup('ip', { ...ENTITY_FEATURES, ...IP_COUNTERPARTS }, ofIp),
  ...ATTRIBUTE_SLOTS.map((key) => entityGroup(key, ATTRIBUTE_FEATURES, ofAttribute(key))),
  attemptGroup('attributes', ATTRIBUTE_AGGREGATES),
  attemptGroup('amount', AMOUNT_FEATURES),
  attemptGroup('time', TIME_FEATURES),
  attemptGroup('location', LOCATION_FEATURES),
  attemptGroup('action', ACTION_FEATURES),
  // Since version 2.
  labelGroup('user', ofUser),
  labelGroup('device', ofDevice),
  labelGroup('ip', ofIp),
  ...ATTRIBUTE_SLOTS.map((key) => labelGroup(key, ofAttribute(key))),
  labelAggregates(),
  // Since version 3.
  entityGroup('user', STREAK_FEATURES, ofUser),
  entityGroup('device', STREAK_FEATURES, ofDevice),
  entityGroup('ip', STREAK_FEATURES, ofIp),
  ...ATTRIBUTE_SLOTS.map((key) => entityGroup(key, STREAK_FEATURES, ofAttribute(key))),
  attemptGroup('attributes', STREAK_AGGREGATES),
  // Since version 4.
  entityGroup('user', LAST_LABEL_FEATURES, ofUser),
  entityGroup('device', LAST_LABEL_FEATURES, ofDevice),
  entityGroup('ip', LAST_LABEL_FEATURES, ofIp),
  ...ATTRIBUTE_SLOTS.map((key) => entityGroup(key, LAST_LABEL_FEATURES, ofAttribute(key))),
  attemptGroup('attributes', LAST_LABEL_AGGREGATES),
  // Since version 5.
  entityGroup('network', { ...NETWORK_FEATURES, ...SPRAY_FEATURES }, ofNetwork),
  entityGroup('asn', ASN_FEATURES, ofAsn),
  entityGroup('device', SPRAY_FEATURES, ofDevice),
  entityGroup('ip', SPRAY_FEATURES, ofIp),
  attemptGroup('amount', USUAL_AMOUNT_FEATURES),
  entityGroup('user', FAMILIARITY_FEATURES, ofUser),
  attemptGroup('action', REPEAT_FEATURES),
  // Since version 6.
  attemptGroup('amount', RELATIVE_AMOUNT_FEATURES),
  // Since version 7.
  attemptGroup('agent', AGENT_IDENTITY_FEATURES),
  entityGroup('agent', AGENT_FEATURES, ofAgent),
  // Since version 8.
  entityGroup('email_pattern', EMAIL_PATTERN_FEATURES, ofEmailPattern),
  // Since version 9.
  entityGroup('user', HABIT_FEATURES, ofUser),
  entityGroup('card_fingerprint', HABIT_FEATURES, ofAttribute('card_fingerprint')),
  // Since version 10.
  attemptGroup('amount', EXPOSURE_FEATURES),
  // Since version 11.
  declineGroup('user', { ...DECLINE_FEATURES, ...LONE_DECLINE_FEATURES }, ofUser),
  declineGroup('device', { ...DECLINE_FEATURES, ...LONE_DECLINE_FEATURES }, ofDevice),
  declineGroup('ip', { ...DECLINE_FEATURES, ...LONE_DECLINE_FEATURES }, ofIp),
  declineGroup('network', DECLINE_FEATURES, ofNetwork),
  ...ATTRIBUTE_SLOTS.map((key) => declineGroup(key, DECLINE_FEATURES, ofAttribute(key))),
  declineGroup('card_fingerprint', WRONG_CVC_FEATURES, ofAttribute('card_fingerprint')),
  // Since version 12.
  attemptGroup('location', INTELLIGENCE_FEATURES),
  // Since version 13.
  entityGroup('user', TRIED_FEATURES, ofUser),
  // Since version 14.
  entityGroup('user', STOPPED_FEATURES, ofUser),
];

/** The vector's slots in order. */
export const FEATURES: readonly FeatureDescription[] = GROUPS.flatMap((group) => group.slots);

export const FEATURE_NAMES: readonly FeatureName[] = FEATURES.map(({ name }) => name);

const slots: ReadonlyMap<string, number> = new Map(FEATURE_NAMES.map((name, slot) => [name, slot]));

/** Whether this version has a feature of that name. */
export const isFeature = (name: string): name is FeatureName => slots.has(name);

/** The slot of a feature. */
export function featureSlot(name: FeatureName): number {
  const slot = slots.get(name);
  if (slot === undefined) throw new Error(`no feature is called ${name}`);
  return slot;
}

/** The signal that a feature explains; undefined if only a model uses it, or if there is no such feature. */
export const explainedSignal = (feature: string): string | undefined => FEATURES[slots.get(feature) ?? -1]?.explains;

/** The words of a feature; undefined if there is no such feature. */
export const featureWords = (feature: string): Words | undefined => FEATURES[slots.get(feature) ?? -1]?.words;

/** From the pool of buffers: V8 takes most of a microsecond to make an array of this size. */
function newVector(): Float32Array {
  const { buffer, byteOffset } = Buffer.allocUnsafe(4 * FEATURE_NAMES.length);
  return new Float32Array(buffer, byteOffset, FEATURE_NAMES.length);
}

/** The vector that signals and the model read, and that is stored with the result; NaN is missing. */
export function extractFeatures(facts: ScreeningFacts, context = attemptContext(facts)): Float32Array {
  const vector = newVector().fill(MISSING);
  let from = 0;
  for (const group of GROUPS) {
    group.fill(vector, from, context);
    from += group.slots.length;
  }
  return vector;
}

/** Features that change with the amount of a payment, by their names. */
export const isOfAmount = (feature: FeatureName): boolean => /amount|spending|_usd$/.test(feature);

/**
 * Makes the vector of facts that differ in the amount alone from those of another vector. Of the features that change with
 * it, only those that are read are computed.
 */
export function otherAmountVector(isRead: (feature: FeatureName) => boolean = () => true) {
  const read = GROUPS.flatMap((group) =>
    group.slots.flatMap(({ name }, at) =>
      isOfAmount(name) && isRead(name) ? [{ slot: featureSlot(name), group, at }] : [],
    ),
  );
  return (vector: Float32Array, facts: ScreeningFacts): Float32Array => {
    const other = newVector();
    other.set(vector);
    const context = attemptContext(facts);
    for (const { slot, group, at } of read) other[slot] = group.read(at, context);
    return other;
  };
}
