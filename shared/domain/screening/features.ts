import type { EntityHistory } from '../entities/entity-history';
import { ACTION_FEATURES } from './features/action-features';
import { AMOUNT_FEATURES } from './features/amount-features';
import { ATTRIBUTE_AGGREGATES, ATTRIBUTE_FEATURES, ATTRIBUTE_SLOTS } from './features/attribute-features';
import { DEVICE_COUNTERPARTS, IP_COUNTERPARTS, USER_COUNTERPARTS } from './features/counterpart-features';
import { ENTITY_FEATURES, type EntityFeatureName } from './features/entity-features';
import { type AttemptFeature, attemptContext, type EntityFeature, MISSING } from './features/feature-table';
import { PLACE_FEATURES } from './features/place-features';
import { TIME_FEATURES } from './features/time-features';
import type { ScreeningFacts } from './screening-facts';

/**
 * Goes up whenever a slot is added or its meaning changes. Slots are only ever appended: a stored vector
 * and a trained model stay readable for ever.
 */
export const FEATURE_VERSION = 1;

type AttributeSlot = (typeof ATTRIBUTE_SLOTS)[number];

/** Every feature by its name, checked when a signal is compiled by TypeScript. */
export type FeatureName =
  | `${'user' | 'device' | 'ip'}_${EntityFeatureName}`
  | `user_${keyof typeof USER_COUNTERPARTS}`
  | `device_${keyof typeof DEVICE_COUNTERPARTS}`
  | `ip_${keyof typeof IP_COUNTERPARTS}`
  | `${AttributeSlot}_${keyof typeof ATTRIBUTE_FEATURES}`
  | keyof typeof ATTRIBUTE_AGGREGATES
  | keyof typeof AMOUNT_FEATURES
  | keyof typeof TIME_FEATURES
  | keyof typeof PLACE_FEATURES
  | keyof typeof ACTION_FEATURES;

/** A slot of the vector, for people and for reports. */
export interface FeatureDescription {
  readonly name: FeatureName;
  readonly group: string;
  readonly description: string;
}

/** One entity's run of slots: all filled from its history, or all missing. */
interface EntityGroup {
  readonly prefix: string;
  readonly features: ReadonlyArray<readonly [string, EntityFeature]>;
  pick(facts: ScreeningFacts): EntityHistory | undefined;
}

const entityGroup = (
  prefix: string,
  table: Readonly<Record<string, EntityFeature>>,
  pick: EntityGroup['pick'],
): EntityGroup => ({ prefix, features: Object.entries(table), pick });

function attributeHistory(facts: ScreeningFacts, key: string): EntityHistory | undefined {
  for (const attribute of facts.attributes) if (attribute.key === key) return attribute.history;
  return undefined;
}

const ENTITY_GROUPS: readonly EntityGroup[] = [
  entityGroup('user', { ...ENTITY_FEATURES, ...USER_COUNTERPARTS }, ({ user }) => user),
  entityGroup('device', { ...ENTITY_FEATURES, ...DEVICE_COUNTERPARTS }, ({ device }) => device),
  entityGroup('ip', { ...ENTITY_FEATURES, ...IP_COUNTERPARTS }, ({ ip_history }) => ip_history),
  ...ATTRIBUTE_SLOTS.map((key) => entityGroup(key, ATTRIBUTE_FEATURES, (facts) => attributeHistory(facts, key))),
];

const ATTEMPT_GROUPS: ReadonlyArray<readonly [string, Readonly<Record<string, AttemptFeature>>]> = [
  ['attributes', ATTRIBUTE_AGGREGATES],
  ['amount', AMOUNT_FEATURES],
  ['time', TIME_FEATURES],
  ['place', PLACE_FEATURES],
  ['action', ACTION_FEATURES],
];

const ATTEMPT_FEATURES: readonly AttemptFeature[] = ATTEMPT_GROUPS.flatMap(([, table]) => Object.values(table));

/** The vector's slots in their order. */
export const FEATURES: readonly FeatureDescription[] = [
  ...ENTITY_GROUPS.flatMap(({ prefix, features }) =>
    features.map(([name, { description }]) => ({
      name: `${prefix}_${name}` as FeatureName,
      group: prefix,
      description: `${prefix}: ${description}`,
    })),
  ),
  ...ATTEMPT_GROUPS.flatMap(([group, table]) =>
    Object.entries(table).map(([name, { description }]) => ({ name: name as FeatureName, group, description })),
  ),
];

export const FEATURE_NAMES: readonly FeatureName[] = FEATURES.map(({ name }) => name);

const slots: ReadonlyMap<string, number> = new Map(FEATURE_NAMES.map((name, slot) => [name, slot]));

/** The slot of a feature. */
export function featureSlot(name: FeatureName): number {
  const slot = slots.get(name);
  if (slot === undefined) throw new Error(`no feature is called ${name}`);
  return slot;
}

/** The vector that signals and model read, and that is stored with the result; NaN is missing. */
export function extractFeatures(facts: ScreeningFacts): Float32Array {
  const vector = new Float32Array(FEATURE_NAMES.length);
  const context = attemptContext(facts);
  let slot = 0;
  for (const { features, pick } of ENTITY_GROUPS) {
    const history = pick(facts);
    if (history === undefined) {
      vector.fill(MISSING, slot, slot + features.length);
      slot += features.length;
      continue;
    }
    for (const [, feature] of features) vector[slot++] = feature.read(history, context);
  }
  for (const feature of ATTEMPT_FEATURES) vector[slot++] = feature.read(context);
  return vector;
}
