import { hash } from 'node:crypto';

/** The effect of a list on a screening that has one of its values; `none` only reports that it matched. */
export const LIST_EFFECTS = ['allow', 'block', 'challenge', 'review', 'none'] as const;

export type ListEffect = (typeof LIST_EFFECTS)[number];

export const LIST_TYPES = [
  'user_id',
  'device_fingerprint',
  'ip_address',
  'cidr',
  'email',
  'email_domain',
  'phone',
  'card_fingerprint',
] as const;

const ATTRIBUTE_TYPE = 'attribute:';

/** The type of a list's values; `attribute:<key>` for those of a custom attribute. */
export type ListType = (typeof LIST_TYPES)[number] | `${typeof ATTRIBUTE_TYPE}${string}`;

/** The key of the custom attribute that a list holds values of; undefined for any other type. */
export const attributeOf = (type: ListType): string | undefined =>
  type.startsWith(ATTRIBUTE_TYPE) ? type.slice(ATTRIBUTE_TYPE.length) : undefined;

export const isListName = (text: string): boolean => /^[a-z][a-z0-9_-]{0,62}$/.test(text);

export function isListType(text: string): text is ListType {
  if ((LIST_TYPES as readonly string[]).includes(text)) return true;
  const key = attributeOf(text as ListType);
  return key !== undefined && key.length >= 1 && key.length <= 64 && key.isWellFormed();
}

const ENTITY_PATHS: Readonly<Partial<Record<ListType, string>>> = {
  user_id: 'user',
  device_fingerprint: 'device',
  ip_address: 'ip',
  email: 'attribute.email',
  phone: 'attribute.phone',
  card_fingerprint: 'attribute.card_fingerprint',
};

/** How the keys of a list's entities begin, up to the `#`; undefined for lists that are kept in memory. */
export function entityPath(type: ListType): string | undefined {
  const attribute = attributeOf(type);
  return attribute === undefined ? ENTITY_PATHS[type] : `attribute.${attribute}`;
}

/** Whether the entries of a list are flags on the items of their values. Those of networks are not: who asks knows no lengths. */
export const hasFlags = (type: ListType): boolean => type !== 'cidr';

/** Whether screenings keep a list in memory: networks, and domains of a list that was made before their entries had flags. */
export const isHeldInMemory = ({ type, flagged }: Pick<ListDefinition, 'type' | 'flagged'>): boolean =>
  type === 'cidr' || (type === 'email_domain' && flagged !== true);

export const MAX_LISTS = 50;
const MAX_ENTRIES = 100_000;
const MAX_ENTRIES_IN_MEMORY = 5_000;

export const maxEntries = (list: Pick<ListDefinition, 'type' | 'flagged'>): number =>
  isHeldInMemory(list) ? MAX_ENTRIES_IN_MEMORY : MAX_ENTRIES;

export const MAX_NOTE_CHARACTERS = 500;

/** A list of an account. */
export interface ListDefinition {
  readonly name: string;
  readonly type: ListType;
  readonly effect: ListEffect;
  readonly note: string | null;
  /** Includes entries that have expired but are not removed yet. */
  readonly entries: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** Identifies it on the items of its values. Never reused, so leftovers of a deleted list are inert. */
  readonly number: number;
  readonly version: number;
  /** Of domains: every entry has been a flag from the start. @default the list is older than that */
  readonly flagged?: true | undefined;
}

/** The kind of change: to the definition of a list, or to its entries. */
export type ListChangeKind = 'created' | 'updated' | 'deleted' | 'entries';

/** Who changed a list, when and how. */
export interface ListChange {
  readonly ulid: string;
  readonly kind: ListChangeKind;
  readonly name: string;
  readonly type: ListType;
  readonly effect: ListEffect;
  readonly changed_at: string;
  readonly changed_by: string;
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  /** Marks of the entries that it concerned: what a person changes, not what a file brings. @default too many, or none */
  readonly marks?: readonly string[];
}

/** More are not a person's doing, and each of them says who added it. */
const MOST_NAMED = 20;

/** A hash of an entry's name, which leads to nothing else: a change outlives the person whom its entry named. */
export const entryMark = (accountId: string, name: string): string =>
  hash('sha256', `listed\n${accountId}\n${name}`, 'base64url').slice(0, 22);

/** The marks by which a change remembers its entries. */
export const entryMarks = (accountId: string, names: readonly string[]): readonly string[] =>
  names.length > MOST_NAMED ? [] : names.map((name) => entryMark(accountId, name));

/** How many entries a change concerned. */
export type EntryCounts = Pick<ListChange, 'added' | 'updated' | 'removed'>;

export const NO_ENTRIES: EntryCounts = { added: 0, updated: 0, removed: 0 };

/** A change as it begins: who makes it, and under which id. */
export interface ListAuthor {
  readonly ulid: string;
  readonly by: string;
  readonly nowMs: number;
}

/** Who takes entries off a list, and which of them. */
export interface RemovedBy {
  readonly author: ListAuthor;
  /** Only entries that have expired by then. @default all */
  readonly expiredAtMs?: number | undefined;
}

export const changeOf = (
  kind: ListChangeKind,
  { name, type, effect }: Pick<ListDefinition, 'name' | 'type' | 'effect'>,
  { ulid, by, nowMs }: ListAuthor,
): Omit<ListChange, keyof EntryCounts> => ({
  ulid,
  kind,
  name,
  type,
  effect,
  changed_at: new Date(nowMs).toISOString(),
  changed_by: by,
});
