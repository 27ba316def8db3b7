import { isBuiltInType } from '../declarations/declaration';
import type { EventAction } from '../entities/entity-history';
import { ownTypeName } from './afd-types';

/** The decisions that outcomes of a detector stand for. */
export type AfdDecision = 'allow' | 'challenge' | 'review' | 'block';

/** The kind of screening that an event of Amazon Fraud Detector becomes. */
export type AfdKind = 'transaction' | EventAction;

/** An event type of Amazon Fraud Detector; everything has a default. */
export interface AfdEventType {
  /** @default by its name if that is a usual one, else a payment, which needs an amount */
  readonly kind?: AfdKind | undefined;
  /** The detector that decides it. @default the mapping's */
  readonly detector?: string | undefined;
  /** The entity types that it may name, for lists. @default customer */
  readonly entity_types?: readonly string[] | undefined;
  /** Targets of its variables; take precedence over those of the mapping. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
}

/** How to read events of Amazon Fraud Detector, from a file or from its client; everything has a default. */
export interface AfdMapping {
  /** The kind of event when nothing else says so. @default transaction where there is an amount, else signup */
  readonly kind?: string | undefined;
  /** @default USD */
  readonly currency: string;
  /** Labels, in lower case, that mean fraud and that mean legitimate; any other is a fault; an empty one means no label. */
  readonly fraud_labels: readonly string[];
  readonly legitimate_labels: readonly string[];
  /** Variables by name; these take precedence over the defaults. */
  readonly columns: Readonly<Record<string, string>>;
  /** Event types in addition to the declared ones. @default those with usual names */
  readonly event_types?: Readonly<Record<string, AfdEventType>> | undefined;
  /** The names of outcomes. @default those of our decisions */
  readonly outcomes: Readonly<Record<AfdDecision, string>>;
  /** The known detectors. @default any name is accepted */
  readonly detectors?: readonly string[] | undefined;
  /** The model whose score answers carry, as `<model>_insightscore`. @default fraud_screening */
  readonly model: string;
}

export const DEFAULT_DETECTOR = 'fraud_screening';

export const DEFAULT_MAPPING: AfdMapping = {
  currency: 'USD',
  fraud_labels: ['1', 'fraud', 'fraudulent', 'true', 'yes', 'block'],
  legitimate_labels: ['0', 'legit', 'legitimate', 'false', 'no', 'ok', 'allow'],
  columns: {},
  outcomes: { allow: 'allow', challenge: 'challenge', review: 'review', block: 'block' },
  model: 'fraud_screening',
};

/** A mapping file: omitted members take their defaults. */
export type AfdMappingFile = {
  readonly [Member in keyof AfdMapping]?: Member extends 'outcomes'
    ? { readonly [Decision in AfdDecision]?: string | undefined } | undefined
    : AfdMapping[Member] | undefined;
};

const lowerCase = (labels: readonly string[] | undefined): readonly string[] | undefined =>
  labels?.map((label) => label.toLowerCase());

/** The mapping of a file, complete. */
export function completeMapping(file: AfdMappingFile): AfdMapping {
  return {
    kind: file.kind,
    currency: (file.currency ?? DEFAULT_MAPPING.currency).toUpperCase(),
    fraud_labels: lowerCase(file.fraud_labels) ?? DEFAULT_MAPPING.fraud_labels,
    legitimate_labels: lowerCase(file.legitimate_labels) ?? DEFAULT_MAPPING.legitimate_labels,
    columns: file.columns ?? {},
    event_types: file.event_types,
    outcomes: {
      allow: file.outcomes?.allow ?? DEFAULT_MAPPING.outcomes.allow,
      challenge: file.outcomes?.challenge ?? DEFAULT_MAPPING.outcomes.challenge,
      review: file.outcomes?.review ?? DEFAULT_MAPPING.outcomes.review,
      block: file.outcomes?.block ?? DEFAULT_MAPPING.outcomes.block,
    },
    detectors: file.detectors,
    model: file.model ?? DEFAULT_MAPPING.model,
  };
}

/** The label of a name: undefined for one that is neither fraud nor legitimate. */
export function labelOfName(
  name: string,
  { fraud_labels, legitimate_labels }: AfdMapping,
): 'fraud' | 'legitimate' | undefined {
  const lower = name.trim().toLowerCase();
  if (fraud_labels.includes(lower)) return 'fraud';
  return legitimate_labels.includes(lower) ? 'legitimate' : undefined;
}

/** The name of a label, as the mapping lists it first. */
export const nameOfLabel = (label: 'fraud' | 'legitimate', mapping: AfdMapping): string =>
  (label === 'fraud' ? mapping.fraud_labels : mapping.legitimate_labels)[0] ?? label;

/** The usual names of event types, including those of Amazon's samples. No other name is recognised. */
const USUAL_TYPES: Readonly<Record<string, AfdKind>> = {
  ...{ purchase: 'transaction', online_purchase: 'transaction', purchase_event: 'transaction' },
  ...{ order: 'transaction', online_order: 'transaction', payment: 'transaction', checkout: 'transaction' },
  ...{ sample_transaction: 'transaction', online_transaction: 'transaction', transaction_event: 'transaction' },
  ...{ registration: 'signup', account_registration: 'signup', sample_registration: 'signup' },
  ...{ user_login: 'login', account_login: 'login' },
};

/** The kind of an event type, as far as its entry or its usual name tells. */
export function kindOfType(name: string, mapping: AfdMapping): string | undefined {
  const own = ownTypeName(name);
  return (
    mapping.event_types?.[name]?.kind ??
    mapping.kind ??
    (isBuiltInType(own) ? own : Object.hasOwn(USUAL_TYPES, own) ? USUAL_TYPES[own] : undefined)
  );
}

/** The mapping with the columns of one event type before its own. */
export function mappingOfType(name: string, mapping: AfdMapping): AfdMapping {
  const own = mapping.event_types?.[name]?.columns;
  return { ...mapping, kind: kindOfType(name, mapping), columns: { ...mapping.columns, ...own } };
}
