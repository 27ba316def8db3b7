import type { Caller } from '../../domain/accounts/account';
import { DomainError, invalidRequest, notFound, unavailable } from '../../domain/errors';
import { DEFAULT_RULE, MAX_RULES, type Rule, type RuleDefinition, type StoredRule } from '../../domain/rules/rule';
import type { RuleBook, RuleVersion } from '../../domain/rules/rule-book';
import { checkedTree, type KnownList } from '../../domain/rules/rule-faults';

/** Where rules are kept. */
export interface RulePort {
  book(accountId: string): Promise<RuleBook>;
  /** Replaces the book and appends a version to the history, together; false if the book has changed meanwhile. */
  save(accountId: string, after: RuleBook, version: RuleVersion): Promise<boolean>;
  /** The history of a name, newest first, beginning with deletions. */
  versions(accountId: string, name: string): Promise<readonly RuleVersion[]>;
}

/** Dependencies of managing rules. */
export interface ManageRulesDeps {
  readonly clock: { now(): number };
  readonly rules: RulePort;
  /** The account's lists, which expressions may name. @default any name is accepted */
  readonly lists?: { all(accountId: string): Promise<readonly KnownList[]> } | undefined;
}

/** A rule as a caller writes it: what is left out has its default. */
export type RuleRequest = Pick<RuleDefinition, 'expression' | 'action'> & {
  readonly [Member in Exclude<keyof RuleDefinition, 'expression' | 'action'>]?:
    | RuleDefinition[Member]
    | null
    | undefined;
};

/** `test` is the path where rules are tested. */
export const NAME_PATTERN = /^(?!test$)[a-z][a-z0-9_-]{0,62}$/;

const DEFINITION = ['expression', 'action', ...Object.keys(DEFAULT_RULE)] as ReadonlyArray<keyof RuleDefinition>;

/** Two people who change different rules at once both succeed: the loser starts again from the winner's book. */
const MAX_TRIES = 8;

/** All names of one account are written at once; DynamoDB's items end at 400 kB. */
const MAX_BOOK_BYTES = 350_000;

/** A rule with its defaults filled in. */
export function definitionOf(request: RuleRequest): RuleDefinition {
  const given = Object.fromEntries(
    DEFINITION.flatMap((member) => {
      const value = request[member];
      return value === undefined || value === null ? [] : [[member, value]];
    }),
  );
  const definition = { ...DEFAULT_RULE, ...(given as Pick<RuleDefinition, 'expression' | 'action'>) };
  const { expires_at } = definition;
  return {
    ...definition,
    applies_to: DEFAULT_RULE.applies_to.filter((kind) => definition.applies_to.includes(kind)),
    expires_at: expires_at === null ? null : new Date(expires_at).toISOString(),
  };
}

/** What a change of a rule says about its precondition. */
export interface RuleChange {
  readonly request: RuleRequest;
  /** The version that the editor saw. @default any */
  readonly ifVersion?: number | undefined;
}

/** Creates or changes a rule; one that is sent again as it is stays as it is. */
export async function putRule(
  deps: ManageRulesDeps,
  caller: Caller,
  name: string,
  { request, ifVersion }: RuleChange,
): Promise<{ readonly rule: Rule; readonly isNew: boolean }> {
  if (!NAME_PATTERN.test(name)) {
    const message = 'must start with a lower-case letter and have at most 63 lower-case letters, digits, - and _';
    throw invalidRequest([{ field: 'name', message }]);
  }
  const definition = definitionOf(request);
  const tree = checkedTree(definition.expression, await deps.lists?.all(caller.account_id));
  if (typeof tree === 'string') throw invalidRequest([{ field: 'expression', message: tree }]);
  return change(deps, caller, async (book) => {
    const before = book.rules.find((each) => each.name === name);
    checkVersion(name, before, ifVersion);
    if (before && DEFINITION.every((member) => isSame(before[member], definition[member]))) {
      return { result: { rule: before, isNew: false } };
    }
    if (!before && book.rules.length >= MAX_RULES) {
      const message = `the account already has ${MAX_RULES} rules, which is the limit; delete one first`;
      throw invalidRequest([{ field: 'name', message }]);
    }
    const now = new Date(deps.clock.now()).toISOString();
    // A name that was deleted and comes back continues its numbers: decisions name a version for years.
    const last = before?.version ?? (await deps.rules.versions(caller.account_id, name))[0]?.version ?? 0;
    const rule: StoredRule = {
      name,
      ...definition,
      version: last + 1,
      created_at: before?.created_at ?? now,
      updated_at: now,
      updated_by: actorOf(caller),
      tree,
    };
    return { result: { rule, isNew: !before }, rules: withRule(book, rule), version: withoutTree(rule) };
  });
}

/** Deletes a rule; its history is kept. */
export async function deleteRule(
  deps: ManageRulesDeps,
  caller: Caller,
  name: string,
  ifVersion?: number,
): Promise<void> {
  await change(deps, caller, async (book) => {
    const before = book.rules.find((each) => each.name === name);
    if (!before) throw notFound('rule');
    checkVersion(name, before, ifVersion);
    const version: RuleVersion = {
      ...withoutTree(before),
      version: before.version + 1,
      updated_at: new Date(deps.clock.now()).toISOString(),
      updated_by: actorOf(caller),
      deleted: true,
    };
    return { result: undefined, rules: book.rules.filter((each) => each !== before), version };
  });
}

export const getRules = async ({ rules }: Pick<ManageRulesDeps, 'rules'>, caller: Caller): Promise<readonly Rule[]> =>
  (await rules.book(caller.account_id)).rules;

export async function getRule({ rules }: Pick<ManageRulesDeps, 'rules'>, caller: Caller, name: string): Promise<Rule> {
  const found = (await rules.book(caller.account_id)).rules.find((each) => each.name === name);
  if (!found) throw notFound('rule');
  return found;
}

/** Every version of a rule that exists, newest first. */
export async function getVersions(
  { rules }: Pick<ManageRulesDeps, 'rules'>,
  caller: Caller,
  name: string,
): Promise<readonly Rule[]> {
  await getRule({ rules }, caller, name);
  return (await rules.versions(caller.account_id, name)).filter(({ deleted }) => deleted !== true);
}

/** A personal key acts for a person; any other key for itself. */
const actorOf = ({ person, key_id }: Caller): string => person ?? key_id;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const withoutTree = ({ tree: _, ...rule }: StoredRule): Rule => rule;

const withRule = ({ rules }: RuleBook, rule: StoredRule): StoredRule[] =>
  [...rules.filter(({ name }) => name !== rule.name), rule].sort((a, b) => (a.name < b.name ? -1 : 1));

function checkVersion(name: string, before: Rule | undefined, ifVersion: number | undefined): void {
  if (ifVersion === undefined || before?.version === ifVersion) return;
  const current = before ? `version ${before.version}` : 'not there';
  const message = `The rule ${name} is ${current}, not version ${ifVersion}: somebody changed it. Read it again, then decide.`;
  throw new DomainError('version_mismatch', message, [{ field: 'If-Match', message: `the rule is ${current}` }]);
}

interface Changed<Result> {
  readonly result: Result;
  /** The book afterwards. @default nothing changes */
  readonly rules?: readonly StoredRule[];
  readonly version?: RuleVersion;
}

async function change<Result>(
  { rules }: Pick<ManageRulesDeps, 'rules'>,
  { account_id }: Caller,
  decide: (book: RuleBook) => Promise<Changed<Result>>,
): Promise<Result> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const book = await rules.book(account_id);
    const { result, rules: after, version } = await decide(book);
    if (after === undefined || version === undefined) return result;
    if (Buffer.byteLength(JSON.stringify(after)) > MAX_BOOK_BYTES) {
      const message = `all rules of the account together are too large (${MAX_BOOK_BYTES} bytes); shorten or delete some`;
      throw invalidRequest([{ field: 'expression', message }]);
    }
    if (await rules.save(account_id, { revision: book.revision + 1, rules: after }, version)) return result;
  }
  throw unavailable(new Error('Many changes of the rules at once'));
}
