import { type AccountSettings, actorOf, type Caller, MAX_TRACKED_ATTRIBUTES } from '../../domain/accounts/account';
import {
  type AttributeDeclaration,
  type AttributeType,
  attributeTypeOf,
  type CounterDeclaration,
  type CounterDefinition,
  type Declarations,
  type EventTypeDeclaration,
  isAttributeKey,
  isBuiltInType,
  isDeclaredName,
  MAX_DECLARED,
  type ShownAttribute,
} from '../../domain/declarations/declaration';
import { formOf } from '../../domain/entities/canonical-value';
import { DomainError, type Fault, invalidRequest, notFound } from '../../domain/errors';
import { refuseIfUsed, usersOfAttribute, usersOfCounter, usersOfEventType } from '../../domain/rules/in-use';
import type { RuleBook } from '../../domain/rules/rule-book';
import { ATTRIBUTE } from '../../domain/rules/rule-facts';
import { checkedRequestTree } from '../../domain/rules/rule-faults';
import { changeBook, type RuleBooks, type WithBook } from '../rules/change-book';
import { kindFaults } from '../rules/manage-rules';

/** Dependencies of declaring. */
export interface ManageDeclarationsDeps {
  readonly clock: { now(): number };
  readonly rules: RuleBooks;
  readonly accounts: {
    account(
      accountId: string,
    ): Promise<{ readonly settings: AccountSettings; readonly created_at: string } | undefined>;
  };
}

type Kind = keyof typeof MAX_DECLARED;
type Declaration<Of extends Kind> = Declarations[Of][number];
/** A declaration before time and author are filled in. */
type Draft<Of extends Kind> = Omit<Declaration<Of>, 'created_at' | 'updated_at' | 'updated_by'>;

export interface Put<Result> {
  readonly declared: Result;
  readonly isNew: boolean;
}

const NAME_OF = {
  attributes: ({ key }: Pick<AttributeDeclaration, 'key'>) => key,
  event_types: ({ name }: Pick<EventTypeDeclaration, 'name'>) => name,
  counters: ({ name }: Pick<CounterDeclaration, 'name'>) => name,
} as const;
const NOUN = { attributes: 'attribute', event_types: 'event type', counters: 'counter' } as const;

const find = <Of extends Kind>(kind: Of, { declarations }: Pick<RuleBook, 'declarations'>, name: string) =>
  (declarations[kind] as readonly Declaration<Of>[]).find((each) => NAME_OF[kind](each as never) === name);

function withOne<Of extends Kind>(kind: Of, before: Declarations, name: string, one?: Declaration<Of>): Declarations {
  const nameOf = (each: Declaration<Of>): string => NAME_OF[kind](each as never);
  const others = (before[kind] as readonly Declaration<Of>[]).filter((each) => nameOf(each) !== name);
  const all = one === undefined ? others : [...others, one].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return { ...before, [kind]: all };
}

const STAMPS = new Set(['created_at', 'updated_at', 'updated_by']);
const contentOf = (declared: object): string =>
  JSON.stringify(
    Object.entries(declared)
      .filter(([name]) => !STAMPS.has(name))
      .sort(),
  );

interface Change<Of extends Kind> extends Pick<WithBook, 'tracked'> {
  readonly draft: Draft<Of>;
  readonly last_number?: number;
}

/** Creates or changes a declaration; one that is sent again as it is stays as it is. */
async function put<Of extends Kind>(
  deps: ManageDeclarationsDeps,
  caller: Caller,
  { kind, name }: { readonly kind: Of; readonly name: string },
  decide: (book: RuleBook, before: Declaration<Of> | undefined, now: string) => Change<Of> | Promise<Change<Of>>,
): Promise<Put<Declaration<Of>>> {
  return changeBook<Put<Declaration<Of>>>(deps, caller, kind === 'attributes' ? 'key' : 'name', async (book) => {
    const before = find(kind, book, name);
    const now = new Date(deps.clock.now()).toISOString();
    const { draft, last_number = book.declarations.last_number, tracked } = await decide(book, before, now);
    if (before && !tracked && contentOf(before) === contentOf(draft))
      return { result: { declared: before, isNew: false } };
    if (!before && book.declarations[kind].length >= MAX_DECLARED[kind]) {
      const message = `the account already has ${MAX_DECLARED[kind]} ${NOUN[kind]}s, which is the limit; delete one first`;
      throw invalidRequest([{ field: kind === 'attributes' ? 'key' : 'name', message }]);
    }
    const stamps = { created_at: before?.created_at ?? now, updated_at: now, updated_by: actorOf(caller) };
    const declared = { ...draft, ...stamps } as unknown as Declaration<Of>;
    const declarations = { ...withOne(kind, book.declarations, name, declared), last_number };
    return { result: { declared, isNew: !before }, after: { declarations }, tracked };
  });
}

export interface AttributeRequest {
  readonly type: AttributeType;
  /** `kept`: as it is. @default false */
  readonly entity?: boolean | 'kept' | null | undefined;
  readonly note?: string | null | undefined;
}

async function accountOf({ accounts }: ManageDeclarationsDeps, { account_id }: Caller) {
  const account = await accounts.account(account_id);
  if (!account) throw notFound('account');
  return account;
}

/** Declares how an attribute is read, and whether its values are entities: the latter is the account's setting itself. */
export async function putAttribute(
  deps: ManageDeclarationsDeps,
  caller: Caller,
  key: string,
  { type, entity, note }: AttributeRequest,
): Promise<Put<ShownAttribute> & { readonly untracked: boolean }> {
  if (!isAttributeKey(key)) throw invalidRequest([{ field: 'key', message: 'must have 1 to 64 characters' }]);
  let wasTracked = false;
  const isEntity = (): boolean => (entity === 'kept' ? wasTracked : entity === true);
  const { declared, isNew } = await put(deps, caller, { kind: 'attributes', name: key }, async (book, before) => {
    const changes = before ? before.type !== type : type === 'number' || type === 'boolean';
    if (changes) refuseIfUsed(`the type of ${ATTRIBUTE}${key}`, usersOfAttribute(book, key));
    const tracked = (await accountOf(deps, caller)).settings.tracked_attributes;
    wasTracked = tracked.includes(key);
    const after = isEntity() ? [...tracked, key] : tracked.filter((each) => each !== key);
    if (entity === true && !wasTracked && after.length > MAX_TRACKED_ATTRIBUTES) {
      const message = `at most ${MAX_TRACKED_ATTRIBUTES} attributes can be entities, and there are as many: ${tracked.join(', ')}`;
      throw invalidRequest([{ field: 'entity', message }]);
    }
    const isMoved = wasTracked !== isEntity();
    return { draft: { key, type, note: note ?? null }, ...(isMoved ? { tracked: { before: tracked, after } } : {}) };
  });
  const shown = { ...declared, entity: isEntity() };
  return { declared: shown, isNew, untracked: wasTracked && entity === undefined };
}

/** Every attribute that is declared or tracked. One that is only tracked is read by what its key says it is. */
export async function listAttributes(deps: ManageDeclarationsDeps, caller: Caller): Promise<ShownAttribute[]> {
  const [{ declarations }, { settings, created_at }] = await Promise.all([
    deps.rules.book(caller.account_id),
    accountOf(deps, caller),
  ]);
  const { tracked_attributes: tracked } = settings;
  const only = tracked.filter((key) => attributeTypeOf(declarations, key) === undefined);
  const stamps = { created_at, updated_at: created_at, updated_by: 'settings' };
  return [
    ...declarations.attributes.map((each) => ({ ...each, entity: tracked.includes(each.key) })),
    ...only.map((key) => ({ key, type: formOf(key), note: null, ...stamps, entity: true })),
  ].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Takes a declaration back, and with it the setting, unless that is to be kept. */
export async function deleteAttribute(
  deps: ManageDeclarationsDeps,
  caller: Caller,
  key: string,
  { keepsEntity = false } = {},
): Promise<void> {
  await changeBook(deps, caller, 'key', async (book) => {
    const before = find('attributes', book, key);
    const { tracked_attributes: tracked } = (await accountOf(deps, caller)).settings;
    const isTracked = tracked.includes(key) && !keepsEntity;
    if (!before && !isTracked) throw notFound('attribute');
    if (before) refuseIfUsed(`the type of ${ATTRIBUTE}${key}`, usersOfAttribute(book, key));
    const after = { declarations: withOne('attributes', book.declarations, key) };
    const moved = { before: tracked, after: tracked.filter((each) => each !== key) };
    return { result: undefined, after, ...(isTracked ? { tracked: moved } : {}) };
  });
}

const NAME_RULE = 'must start with a lower-case letter and have at most 63 lower-case letters, digits and _';

function requireName(name: string): void {
  if (!isDeclaredName(name)) throw invalidRequest([{ field: 'name', message: NAME_RULE }]);
}

function refuseBuiltIn(name: string): void {
  if (isBuiltInType(name)) throw new DomainError('built_in', `${name} is built in and cannot be changed or deleted.`);
}

type Optional<Of> = { readonly [Member in keyof Of]?: Of[Member] | null | undefined };

export type EventTypeRequest = Optional<
  Pick<EventTypeDeclaration, 'amount' | 'required' | 'review_threshold' | 'block_threshold' | 'note'>
>;

/** Declares an event type. */
export async function putEventType(
  deps: ManageDeclarationsDeps,
  caller: Caller,
  name: string,
  { amount, required, review_threshold, block_threshold, note }: EventTypeRequest,
): Promise<Put<EventTypeDeclaration>> {
  refuseBuiltIn(name);
  requireName(name);
  return put(deps, caller, { kind: 'event_types', name }, ({ declarations: { last_number } }, before) => ({
    draft: {
      name,
      number: before?.number ?? last_number + 1,
      amount: amount ?? 'none',
      required: [...new Set(required ?? [])],
      review_threshold: review_threshold ?? null,
      block_threshold: block_threshold ?? null,
      note: note ?? null,
    },
    ...(before ? {} : { last_number: last_number + 1 }),
  }));
}

export const listDeclared = async <Of extends Kind>(
  { rules }: Pick<ManageDeclarationsDeps, 'rules'>,
  caller: Caller,
  kind: Of,
): Promise<Declarations[Of]> => (await rules.book(caller.account_id)).declarations[kind];

/** Takes an event type or a counter back; what was screened or counted by it stays. */
export async function deleteDeclared(
  deps: ManageDeclarationsDeps,
  caller: Caller,
  kind: 'event_types' | 'counters',
  name: string,
): Promise<void> {
  if (kind === 'event_types') refuseBuiltIn(name);
  await changeBook(deps, caller, 'name', (book) => {
    if (!find(kind, book, name)) throw notFound(NOUN[kind]);
    if (kind === 'counters') refuseIfUsed(`counters.${name}`, usersOfCounter(book, name));
    else refuseIfUsed(`the event type ${name}`, usersOfEventType(book, name));
    return { result: undefined, after: { declarations: withOne(kind, book.declarations, name) } };
  });
}

export type CounterRequest = Pick<CounterDefinition, 'of' | 'count' | 'by' | 'window'> &
  Optional<Pick<CounterDeclaration, 'value' | 'where' | 'note'>>;

/** Faults of a counter that a schema cannot see: fields that belong together, names that must be declared before. */
export function counterFaults(
  { of = [], count, value, by = [], where }: Optional<CounterRequest>,
  declarations: Declarations,
): Fault[] {
  const faults = kindFaults('of', of ?? [], declarations);
  const key = value?.startsWith(ATTRIBUTE) ? value.slice(ATTRIBUTE.length) : undefined;
  if (count === 'attempts' && typeof value === 'string') {
    faults.push({ field: 'value', message: 'is only for distinct and sum' });
  } else if ((count === 'distinct' || count === 'sum') && typeof value !== 'string') {
    faults.push({ field: 'value', message: `is required for ${count}` });
  } else if (count === 'distinct' && value === 'amount') {
    faults.push({
      field: 'value',
      message: 'must be user_id, device_fingerprint, ip_address or attr.<key> for distinct',
    });
  } else if (
    count === 'sum' &&
    value !== 'amount' &&
    (key === undefined || attributeTypeOf(declarations, key) !== 'number')
  ) {
    const declares =
      key === undefined ? '' : `; PUT /v1/attributes/${encodeURIComponent(key)} {"type":"number"} declares it`;
    faults.push({ field: 'value', message: `must be amount or a number attribute for sum${declares}` });
  }
  if (new Set(by).size !== (by ?? []).length) faults.push({ field: 'by', message: 'has a duplicate' });
  const tree = typeof where === 'string' ? checkedRequestTree(where, declarations) : null;
  if (typeof tree === 'string') faults.push({ field: 'where', message: tree });
  return faults;
}

/** Declares a counter. It starts from zero whenever it counts something else than before. */
export async function putCounter(
  deps: ManageDeclarationsDeps,
  caller: Caller,
  name: string,
  request: CounterRequest,
): Promise<Put<CounterDeclaration>> {
  requireName(name);
  const { count, by, window } = request;
  return put(deps, caller, { kind: 'counters', name }, ({ declarations }, before, now) => {
    const faults = counterFaults(request, declarations);
    if (faults.length > 0) throw invalidRequest(faults);
    const where = request.where ?? null;
    const tree = where === null ? null : checkedRequestTree(where, declarations);
    const counted = {
      of: [...new Set(request.of)].sort(),
      count,
      value: request.value ?? null,
      by: [...by],
      window,
      where,
    };
    const isSame = before !== undefined && contentOf(counted) === contentOf(countedBy(before));
    const { last_number } = declarations;
    const kept = isSame ? before : { number: last_number + 1, since: now };
    const note = request.note ?? null;
    const version = (before?.version ?? 0) + (isSame && before.note === note ? 0 : 1);
    return {
      draft: {
        name,
        ...counted,
        note,
        number: kept.number,
        version,
        since: kept.since,
        tree: tree as CounterDeclaration['tree'],
      },
      ...(isSame ? {} : { last_number: last_number + 1 }),
    };
  });
}

const countedBy = ({ of, count, value, by, window, where }: CounterDefinition): CounterDefinition => ({
  ...{ of, count, value, by, window, where },
});

export async function getCounter(
  { rules }: Pick<ManageDeclarationsDeps, 'rules'>,
  caller: Caller,
  name: string,
): Promise<CounterDeclaration> {
  const found = find('counters', await rules.book(caller.account_id), name);
  if (!found) throw notFound('counter');
  return found;
}
