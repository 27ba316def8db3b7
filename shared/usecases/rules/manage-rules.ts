import type { Caller } from '../../domain/accounts/account';
import { type Declarations, isBuiltInType } from '../../domain/declarations/declaration';
import { DomainError, type Fault, invalidRequest, notFound } from '../../domain/errors';
import {
  DEFAULT_RULE,
  isRuleName,
  MAX_RULES,
  type Rule,
  type RuleDefinition,
  type StoredRule,
} from '../../domain/rules/rule';
import type { RuleBook, RuleVersion } from '../../domain/rules/rule-book';
import { checkedTree, type KnownList } from '../../domain/rules/rule-faults';
import { changeBook, type RuleBooks } from './change-book';

/** Where rules are kept. */
export interface RulePort extends RuleBooks {
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

const DEFINITION = ['expression', 'action', ...Object.keys(DEFAULT_RULE)] as ReadonlyArray<keyof RuleDefinition>;

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
    applies_to: inOrder(definition.applies_to),
    expires_at: expires_at === null ? null : new Date(expires_at).toISOString(),
  };
}

/** Built-in kinds in their usual order, then the account's own. */
const inOrder = (kinds: readonly string[]): readonly string[] => [
  ...DEFAULT_RULE.applies_to.filter((kind) => kinds.includes(kind)),
  ...kinds.filter((kind) => !isBuiltInType(kind)).sort(),
];

/** Kinds that nobody has declared. */
export function kindFaults(field: string, kinds: readonly string[], { event_types }: Declarations): Fault[] {
  const known = [...DEFAULT_RULE.applies_to, ...event_types.map(({ name }) => name)];
  if (kinds.every((kind) => known.includes(kind))) return [];
  return [{ field, message: `each must be one of ${known.join(', ')}; PUT /v1/event-types/{name} declares others` }];
}

/** The precondition of a change of a rule. */
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
  if (!isRuleName(name)) {
    const message = 'must start with a lower-case letter and have at most 63 lower-case letters, digits, - and _';
    throw invalidRequest([{ field: 'name', message }]);
  }
  const definition = definitionOf(request);
  const lists = await deps.lists?.all(caller.account_id);
  return changeBook(deps, caller, 'expression', async (book) => {
    const tree = checkedTree(definition.expression, lists, book.declarations);
    if (typeof tree === 'string') throw invalidRequest([{ field: 'expression', message: tree }]);
    const faults = kindFaults('applies_to', definition.applies_to, book.declarations);
    if (faults.length > 0) throw invalidRequest(faults);
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
    return { result: { rule, isNew: !before }, after: { rules: withRule(book, rule) }, version: withoutTree(rule) };
  });
}

/** Deletes a rule; its history is kept. */
export async function deleteRule(
  deps: ManageRulesDeps,
  caller: Caller,
  name: string,
  ifVersion?: number,
): Promise<void> {
  await changeBook(deps, caller, 'name', (book) => {
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
    return { result: undefined, after: { rules: book.rules.filter((each) => each !== before) }, version };
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
