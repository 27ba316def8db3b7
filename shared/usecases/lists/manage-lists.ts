import type { Caller } from '../../domain/accounts/account';
import { DomainError, invalidRequest, notFound } from '../../domain/errors';
import {
  isListName,
  type ListAuthor,
  type ListDefinition,
  type ListEffect,
  type ListType,
  MAX_LISTS,
} from '../../domain/lists/list-definition';

/** The part of a caller that lists ask for. */
export type ListCaller = Pick<Caller, 'account_id' | 'key_id' | 'person'>;

/** Dependencies of managing lists. */
export interface ManageListsDeps {
  readonly clock: { now(): number };
  readonly newUlid: (nowMs: number) => string;
  readonly lists: {
    find(accountId: string, name: string): Promise<ListDefinition | undefined>;
    all(accountId: string): Promise<readonly ListDefinition[]>;
    create(
      accountId: string,
      made: Omit<ListDefinition, 'number' | 'version'>,
      author: ListAuthor,
    ): Promise<ListDefinition | 'full' | 'exists'>;
    change(accountId: string, list: ListDefinition, author: ListAuthor): Promise<boolean>;
    remove(accountId: string, list: ListDefinition, author: ListAuthor): Promise<boolean>;
  };
  readonly entries: {
    /** Removes some of the entries left of a deleted list; false once there are none. */
    purge(accountId: string, number: number): Promise<boolean>;
  };
}

/** Who makes a change, now. */
export function authorOf(deps: Pick<ManageListsDeps, 'clock' | 'newUlid'>, { person, key_id }: ListCaller): ListAuthor {
  const nowMs = deps.clock.now();
  return { ulid: deps.newUlid(nowMs), by: person ?? key_id, nowMs };
}

/** A list as a caller describes it. */
export interface ListInput {
  readonly type: ListType;
  readonly effect: ListEffect;
  readonly note?: string | null | undefined;
}

/** Two callers may put and delete a list at the same time; each round, one of them gets ahead. */
const ROUNDS = 5;
/** How long a deletion also removes entries; the sweep removes the rest. */
const PURGE_FOR_MS = 3_000;

/** Creates a list, or changes its effect and note. */
export async function putList(
  deps: ManageListsDeps,
  caller: ListCaller,
  name: string,
  { type, effect, note = null }: ListInput,
): Promise<{ readonly list: ListDefinition; readonly isNew: boolean }> {
  const { account_id } = caller;
  if (!isListName(name)) {
    const message = 'must start with a lower-case letter and have at most 63 lower-case letters, digits, - and _';
    throw invalidRequest([{ field: 'name', message }]);
  }
  for (let round = 0; round < ROUNDS; round++) {
    const author = authorOf(deps, caller);
    const at = new Date(author.nowMs).toISOString();
    const found = await deps.lists.find(account_id, name);
    if (found) {
      if (found.type !== type) throw typeIsFixed(found);
      const list = { ...found, effect, note, updated_at: at };
      if (await deps.lists.change(account_id, list, author)) return { list, isNew: false };
      continue;
    }
    const made = {
      ...{ name, type, effect, note, entries: 0, created_at: at, updated_at: at },
      ...(type === 'email_domain' ? { flagged: true as const } : {}),
    };
    const created = await deps.lists.create(account_id, made, author);
    if (created === 'full') {
      const message = `the account already has ${MAX_LISTS} lists, which is the limit; delete one first`;
      throw invalidRequest([{ field: 'name', message }]);
    }
    if (created !== 'exists') return { list: created, isNew: true };
  }
  throw new DomainError('unavailable', 'The list keeps changing. Try again.', [], { retryAfterSeconds: 1 });
}

const typeIsFixed = ({ name, type }: ListDefinition): DomainError =>
  new DomainError(
    'list_type_fixed',
    `The list ${name} has the type ${type}, which cannot change. Create another list, or delete this one first.`,
    [{ field: 'type', message: `must stay ${type}` }],
  );

/** The lists of an account, by name. */
export const getLists = (deps: Pick<ManageListsDeps, 'lists'>, { account_id }: ListCaller) =>
  deps.lists.all(account_id);

/** One list. @throws DomainError `not_found` */
export async function getList(
  deps: { readonly lists: Pick<ManageListsDeps['lists'], 'find'> },
  { account_id }: Pick<ListCaller, 'account_id'>,
  name: string,
): Promise<ListDefinition> {
  const list = await deps.lists.find(account_id, name);
  if (!list) throw notFound('list');
  return list;
}

/** Deletes a list with its entries. It acts no longer, however many of these are left to be removed. */
export async function deleteList(deps: ManageListsDeps, caller: ListCaller, name: string): Promise<void> {
  const { account_id } = caller;
  const list = await getList(deps, caller, name);
  if (!(await deps.lists.remove(account_id, list, authorOf(deps, caller)))) throw notFound('list');
  const untilMs = deps.clock.now() + PURGE_FOR_MS;
  // The sweep finds what is left, also if this fails.
  try {
    while (deps.clock.now() < untilMs && (await deps.entries.purge(account_id, list.number)));
  } catch {
    return;
  }
}
