import {
  attributeTypeOf,
  COUNTER_WINDOWS,
  type CounterDeclaration,
  type CounterDefinition,
  type Declarations,
} from '../declarations/declaration';
import { readAttribute } from '../declarations/read-attribute';
import { canonicalAttribute, canonicalText, phoneCountry } from '../entities/canonical-value';
import type { Attempt } from '../entities/entity-history';
import type { EntityRef } from '../entities/entity-ref';
import type { Pseudonyms } from '../entities/pseudonyms';
import { ipPrefix, networkOf } from '../ip/parse-ip';
import { compileTree, type Reader, treesIn } from './compile-tree';
import { appliesToAll, type StoredRule } from './rule';
import { ATTRIBUTE, COUNTER, type RequestFacts, type RuleFacts, ruleReader } from './rule-facts';
import type { Tree } from './tree';

/** The part of a request that counters read. */
export interface CountedRequest extends RequestFacts {
  readonly attempt: Attempt;
  readonly accountId: string;
  readonly pseudonyms: Pseudonyms;
  /** The entities that take part. */
  readonly refs: readonly EntityRef[];
}

/** One counter for the values of one request. */
export interface PlannedCount {
  readonly name: string;
  readonly entity: string;
  readonly windowMs: number;
  readonly count: CounterDefinition['count'];
  /** The amount added by this request: 1, an amount, or a distinct value. @default nothing: it is only read */
  readonly adds?: number | string | undefined;
  readonly isRead: boolean;
  /** The key of the entity that it is by, a user's before others': it is erased with it. @default by none */
  readonly owner?: string | undefined;
}

interface CompiledCounter {
  readonly declared: CounterDeclaration;
  readonly kinds: ReadonlySet<string>;
  readonly matches: (facts: RuleFacts) => boolean;
  readonly by: readonly ReadValue[];
  readonly value: ReadValue | undefined;
}

type ReadValue = (request: CountedRequest) => string | number | undefined;

/** An account's counters, ready to plan what a request adds and reads. */
export type CounterSet = (request: CountedRequest) => readonly PlannedCount[];

const NOTHING: readonly PlannedCount[] = [];
export const NO_COUNTERS: CounterSet = () => NOTHING;

const FIXED: Readonly<Record<string, ReadValue>> = {
  user_id: ({ subject }) => canonicalText(subject.user_id) || undefined,
  device_fingerprint: ({ subject }) => canonicalText(subject.device_fingerprint ?? '') || undefined,
  ip_address: ({ subject: { ip_address: ip } }) => (ip === undefined ? undefined : ipPrefix(ip)),
  ip_network: ({ subject: { ip_address: ip } }) => (ip === undefined ? undefined : networkOf(ip)?.net),
  amount: ({ attempt }) => attempt.amount_usd,
};

function valueReader(name: string, declarations: Declarations): ReadValue {
  const fixed = FIXED[name];
  if (fixed) return fixed;
  const key = name.slice(ATTRIBUTE.length);
  const type = attributeTypeOf(declarations, key);
  return ({ subject, ip }) => {
    const { custom_attributes: sent = {}, billing_address } = subject;
    const value = Object.hasOwn(sent, key) ? sent[key] : undefined;
    if (value === undefined) return undefined;
    const country = phoneCountry(billing_address?.country, ip?.country);
    if (type === undefined) return canonicalAttribute(key, value, country) || undefined;
    const read = readAttribute(type, value, country);
    return typeof read === 'boolean' ? String(read) : read;
  };
}

/** Which counters active rules read, by the kind of subject; undefined for every kind. */
function readersOf(
  rules: readonly StoredRule[],
): ReadonlyArray<{ readonly kinds?: readonly string[]; readonly tree: Tree }> {
  return rules
    .filter(({ state }) => state === 'active' || state === 'shadow')
    .map((rule) => ({ ...(appliesToAll(rule) ? {} : { kinds: rule.applies_to }), tree: rule.tree }));
}

const names = (tree: Tree, counter: string): boolean =>
  treesIn(tree).some((each) => 'name' in each && each.name === COUNTER + counter);

/** The name under which a distinct value is kept: 30 bits of its pseudonym. */
const memberOf = ({ pseudonyms, accountId }: CountedRequest, value: string | number): string =>
  pseudonyms.of(accountId, 'counted', String(value)).slice(-5);

/** The name in `by` of the entities that persons have, the most personal first. */
const OWNERS: ReadonlyArray<readonly [EntityRef['kind'], (ref: EntityRef) => string]> = [
  ['user', () => 'user_id'],
  ['device', () => 'device_fingerprint'],
  ['attribute', ({ name }) => ATTRIBUTE + name],
  ['ip', () => 'ip_address'],
];

function ownerOf({ by }: CounterDeclaration, { refs }: CountedRequest): string | undefined {
  for (const [kind, nameIn] of OWNERS) {
    const owner = refs.find((ref) => ref.kind === kind && by.includes(nameIn(ref)));
    if (owner) return owner.key;
  }
  return undefined;
}

const counterEntity = (
  { pseudonyms, accountId }: Pick<CountedRequest, 'pseudonyms' | 'accountId'>,
  number: number,
  values: readonly unknown[],
): string => `counter.${number}#${pseudonyms.of(accountId, `counter.${number}`, JSON.stringify(values))}`;

/** The counters of a user that are by nothing else, to be read. */
export const countersOfUser = (
  { counters }: Declarations,
  of: Pick<CountedRequest, 'pseudonyms' | 'accountId'>,
  userId: string,
): PlannedCount[] =>
  counters
    .filter(({ by }) => by.every((name) => name === 'user_id'))
    .map(({ name, number, count, window }) => ({
      ...{ name, count, windowMs: COUNTER_WINDOWS[window], isRead: true },
      entity: counterEntity(of, number, [canonicalText(userId)]),
    }));

/** Compiles the counters of an account; those that a request does not add to are planned only if a rule reads them. */
export function compileCounters(declarations: Declarations, rules: readonly StoredRule[]): CounterSet {
  if (declarations.counters.length === 0) return NO_COUNTERS;
  const reader: Reader<RuleFacts> = ruleReader((key) => attributeTypeOf(declarations, key));
  const readers = readersOf(rules);
  const compiled = declarations.counters.map((declared): CompiledCounter => {
    const holds = declared.tree === null ? undefined : compileTree(declared.tree as Tree, reader);
    return {
      declared,
      kinds: new Set(declared.of),
      matches: (facts) => holds === undefined || holds(facts) === true,
      by: declared.by.map((name) => valueReader(name, declarations)),
      value: declared.value === null ? undefined : valueReader(declared.value, declarations),
    };
  });
  const findReader = (counter: string, action: string): boolean =>
    readers.some(({ kinds, tree }) => (kinds === undefined || kinds.includes(action)) && names(tree, counter));
  const known = new Map<string, boolean>();
  const isReadFor = (counter: string, action: string): boolean => {
    const key = `${action} ${counter}`;
    const found = known.get(key) ?? findReader(counter, action);
    known.set(key, found);
    return found;
  };
  return (request) => {
    const planned: PlannedCount[] = [];
    for (const each of compiled) {
      const { declared } = each;
      const { name, number, count, window } = declared;
      const { action } = request.subject;
      const added =
        each.kinds.has(action) && each.matches(request as unknown as RuleFacts) ? addedBy(each, request) : undefined;
      const isRead = isReadFor(name, action);
      if (added === undefined && !isRead) continue;
      const values = each.by.map((read) => read(request));
      if (values.some((value) => value === undefined)) continue;
      const entity = counterEntity(request, number, values);
      const owner = ownerOf(declared, request);
      planned.push({ name, entity, windowMs: COUNTER_WINDOWS[window], count, adds: added, isRead, owner });
    }
    return planned;
  };
}

function addedBy(
  { declared: { count }, value }: CompiledCounter,
  request: CountedRequest,
): number | string | undefined {
  if (count === 'attempts') return 1;
  const read = value?.(request);
  if (read === undefined) return undefined;
  return count === 'sum' ? Number(read) : memberOf(request, read);
}
