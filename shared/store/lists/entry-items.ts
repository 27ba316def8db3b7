import { pseudonymOf } from '../../domain/entities/entity-ref';
import type { ListAuthor } from '../../domain/lists/list-definition';
import type { ListEntry, NamedEntry } from '../../domain/lists/list-entry';
import type { Sealer } from '../../domain/sealer';
import { type FlagChange, flagUpdate, unflagChange } from '../entities/list-flags';
import { entityKey, LIST_DUE_SHARDS, listDuePk, listEntryKey } from '../keys';
import type { EntityItem } from '../sdk/attribute-value';
import type { TransactItem } from '../sdk/transact';

type Item = Record<string, unknown>;

/** The context that a value is sealed in: ciphertext moved to another list or account does not open. */
export const valueContext = (accountId: string, number: number): string => `list-value/${accountId}/${number}`;

/** A list's entries are spread over the shards by the last character of their name, which is random. */
const shardOf = (entity: string): number => entity.charCodeAt(entity.length - 1) % LIST_DUE_SHARDS;

/** The sealed part: the value as it was sent, and why it is on the list, which may name somebody. */
interface Sealed {
  readonly value: string;
  readonly reason: string | null;
}

/** An entry that an erasure keeps on a block list has no value any more: its pseudonym stands for it. */
async function sealedIn(sealer: Sealer, accountId: string, number: number, item: Item): Promise<Sealed> {
  if (typeof item.sealed !== 'string') return { value: pseudonymOf({ key: item.sk as string }), reason: null };
  return JSON.parse(await sealer.open(item.sealed, valueContext(accountId, number))) as Sealed;
}

export async function toEntry(sealer: Sealer, accountId: string, number: number, item: Item): Promise<ListEntry> {
  const { value, reason } = await sealedIn(sealer, accountId, number, item);
  const expiresAtMs = item.expires_at_ms as number | undefined;
  return {
    value,
    expires_at: expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString(),
    reason,
    added_at: item.added_at as string,
    added_by: item.added_by as string,
  };
}

const dueOf = (entity: string, expiresAtMs: number) => ({
  due_pk: listDuePk(shardOf(entity)),
  due_sk: new Date(expiresAtMs).toISOString(),
  expires_at_ms: expiresAtMs,
});

/** Takes value and reason from an entry, which then stands for a pseudonym, and ends at the given time at the latest. */
export function evidenceUpdate(entity: string, expiresAtMs: number | undefined, untilMs: number) {
  const { due_pk, due_sk, expires_at_ms } = dueOf(entity, Math.min(expiresAtMs ?? untilMs, untilMs));
  return {
    UpdateExpression: 'SET due_pk = :pk, due_sk = :sk, expires_at_ms = :at REMOVE sealed',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':pk': due_pk, ':sk': due_sk, ':at': expires_at_ms },
  };
}

export interface EntryTarget {
  readonly sealer: Sealer;
  readonly accountId: string;
  readonly number: number;
  readonly list: string;
}

/** Writes an entry that is new, or one that is there already; refused if it is the other way round. */
export async function entryItem(
  { sealer, accountId, number, list }: EntryTarget,
  { ref, scope, value, reason, expires_at_ms: expiresAtMs }: NamedEntry,
  { by, nowMs }: ListAuthor,
  isNew: boolean,
): Promise<TransactItem> {
  const Key = listEntryKey(accountId, number, ref.key);
  const due = expiresAtMs === undefined ? undefined : dueOf(ref.key, expiresAtMs);
  const sealed = await sealer.seal(JSON.stringify({ value, reason }), valueContext(accountId, number));
  const always = {
    entity: 'list-entry',
    account_id: accountId,
    list,
    sealed,
    ...(scope === undefined ? {} : { scope }),
    ...due,
  };
  if (isNew) {
    // Not an update: of the time that an import takes, a fifth went into parsing its expression.
    const added = { added_at: new Date(nowMs).toISOString(), added_by: by };
    const Item = { ...Key, ...always, ...added };
    return { Put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } };
  }
  const sets = Object.entries(always);
  return {
    Update: {
      Key,
      UpdateExpression: [
        `SET ${sets.map((_, at) => `#s${at} = :s${at}`).join(', ')}`,
        due === undefined ? ' REMOVE due_pk, due_sk, expires_at_ms' : '',
      ].join(''),
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: Object.fromEntries(sets.map(([name], at) => [`#s${at}`, name])),
      ExpressionAttributeValues: Object.fromEntries(sets.map(([, value_], at) => [`:s${at}`, value_])),
    },
  };
}

function flagItem(accountId: string, entity: string, { kind, ...change }: FlagChange): TransactItem {
  const Key = entityKey(accountId, entity);
  return kind === 'delete'
    ? { Delete: { Key, ...change } }
    : { Update: { Key, ...(change as Omit<Extract<FlagChange, { kind: 'update' }>, 'kind'>) } };
}

export const flaggedItem = (
  { accountId, number }: EntryTarget,
  { ref, expires_at_ms }: NamedEntry,
  nowMs: number,
): TransactItem => flagItem(accountId, ref.key, flagUpdate(number, expires_at_ms, nowMs));

/** Takes an entity off the list, from its item as the document client read it; undefined if it is not on it. */
export function unflaggedItem(
  { accountId, number }: Pick<EntryTarget, 'accountId' | 'number'>,
  entity: string,
  item: Item | undefined,
): TransactItem | undefined {
  const change = unflagChange(number, item && wireNumbers(item));
  return change && flagItem(accountId, entity, change);
}

/** Only the numbers matter here, in the form in which the entity store reads them. */
const wireNumbers = (item: Item): EntityItem =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => (typeof value === 'number' ? [[name, { N: `${value}` }]] : [])),
  );
