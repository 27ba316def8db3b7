import { EVENT_ACTIONS } from '../entities/entity-history';

export const ATTRIBUTE_TYPES = ['text', 'number', 'boolean', 'email', 'phone', 'ip_address', 'country'] as const;
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number];

interface Declared {
  readonly note: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly updated_by: string;
}

/** How the values of a custom attribute are read. Whether they are entities is a setting: `tracked_attributes`. */
export interface AttributeDeclaration extends Declared {
  readonly key: string;
  readonly type: AttributeType;
}

/** An attribute with whether its values are entities. */
export type ShownAttribute = AttributeDeclaration & { readonly entity: boolean };

export const AMOUNT_USES = ['none', 'optional', 'required'] as const;

/** An event type that an account declared. */
export interface EventTypeDeclaration extends Declared {
  readonly name: string;
  /** Tells it apart on histories; never given to another. */
  readonly number: number;
  readonly amount: (typeof AMOUNT_USES)[number];
  readonly required: readonly string[];
  /** Replaces the account's; null to keep that. */
  readonly review_threshold: number | null;
  readonly block_threshold: number | null;
}

export const COUNTS = ['attempts', 'distinct', 'sum'] as const;

/** The windows of counters, in milliseconds. */
export const COUNTER_WINDOWS = {
  '10m': 600_000,
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
} as const;

/** The definition of an account's counter. */
export interface CounterDefinition {
  /** `transaction` and event types. */
  readonly of: readonly string[];
  readonly count: (typeof COUNTS)[number];
  /** Counts distinct values of this, or sums it; null for attempts. */
  readonly value: string | null;
  readonly by: readonly string[];
  readonly window: keyof typeof COUNTER_WINDOWS;
  /** Counts only requests that this expression holds for; null for all. */
  readonly where: string | null;
}

/** A counter with its checked expression, as screenings load it. */
export interface CounterDeclaration extends CounterDefinition, Declared {
  readonly name: string;
  /** Part of the key of its counts; changes whenever it starts from zero. */
  readonly number: number;
  readonly version: number;
  readonly since: string;
  /** A `Tree` of rules; null without `where`. */
  readonly tree: object | null;
}

/** Everything that an account has declared, by name. */
export interface Declarations {
  readonly attributes: readonly AttributeDeclaration[];
  readonly event_types: readonly EventTypeDeclaration[];
  readonly counters: readonly CounterDeclaration[];
  readonly last_number: number;
}

export const NO_DECLARATIONS: Declarations = { attributes: [], event_types: [], counters: [], last_number: 0 };

export const MAX_DECLARED = { attributes: 100, event_types: 50, counters: 20 } as const;
export const MAX_REQUIRED = 20;

export const isDeclaredName = (name: string): boolean => /^[a-z][a-z0-9_]{0,62}$/.test(name);
/** The same limits as in `custom_attributes`. */
export const isAttributeKey = (key: string): boolean => key.length >= 1 && key.length <= 64 && key.isWellFormed();

export const isBuiltInType = (name: string): boolean =>
  name === 'transaction' || (EVENT_ACTIONS as readonly string[]).includes(name);

export const eventTypeOf = ({ event_types }: Declarations, name: string): EventTypeDeclaration | undefined =>
  event_types.find((each) => each.name === name);

/** Every event type that the account can send. */
export const eventTypeNames = ({ event_types }: Declarations): string[] => [
  ...EVENT_ACTIONS,
  ...event_types.map(({ name }) => name),
];

export const attributeTypeOf = (
  { attributes }: Pick<Declarations, 'attributes'>,
  key: string,
): AttributeType | undefined => attributes.find((each) => each.key === key)?.type;
