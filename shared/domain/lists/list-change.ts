import type { ListDefinition, ListEffect, ListType } from './list-definition';

/** What was done to a list: to its definition, or to its entries. */
export type ListChangeKind = 'created' | 'updated' | 'deleted' | 'entries';

/** Who changed a list, when and how. */
export interface ListChange {
  readonly ulid: string;
  readonly kind: ListChangeKind;
  readonly name: string;
  readonly type: ListType;
  readonly effect: ListEffect;
  readonly changed_at: string;
  /** The person, or the key that was used. */
  readonly changed_by: string;
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
}

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
