import { COUNTRIES } from '../ip/travel';
import { type FeatureName, featureSlot, isFeature } from '../screening/features';
import { PAYMENT_METHODS } from '../screening/screening-facts';
import { compileTree, type Reader, treesIn, type Value } from './compile-tree';
import { ATTRIBUTE, COUNTER, FEATURE, FIXED_NAMES, RULE_READER, type RuleFacts, SIGNAL } from './rule-facts';
import {
  MOST_SPELLINGS,
  type StoredBy,
  type StoredReader,
  type StoredRow,
  type StoredValue,
  type Sureness,
  storedReader,
  usualSpellings,
} from './stored-values';
import type { Tree } from './tree';

/** A rule's condition on stored screenings. */
export interface TrialCondition {
  /** The least sure that it can be, as a rule whose open conditions count as met. */
  of(row: StoredRow): Sureness;
  /** Names that some screening could not answer for, each once; a list by its own name. */
  notTestable(): string[];
  /** How many of the screenings that a hash was compared with may have been taken for others. */
  confused(): number;
}

/** Names that every stored screening answers for as it did then, apart from features and signals. */
const EXACT: ReadonlySet<string> = new Set([
  ...['subject_type', 'event_type', 'amount', 'currency', 'user_id', 'score'],
  ...['agent.operator', 'agent.key_id', 'agent.verified'],
]);

/** The slot of a feature, or of the one that says the same as a name of the request: `ip_hosting` for `ip.hosting`. */
function slotOf(name: string): number | undefined {
  const isOfRequest = name.includes('.') && Object.hasOwn(FIXED_NAMES, name);
  const feature = name.startsWith(FEATURE) ? name.slice(FEATURE.length) : isOfRequest ? name.replace('.', '_') : '';
  return isFeature(feature) ? featureSlot(feature as FeatureName) : undefined;
}

/** Whether a screening answers for a name as it did then: an old one may lack a feature, and counters that no rule read. */
function answererOf(name: string): ((row: StoredRow) => boolean) | undefined {
  if (EXACT.has(name) || name.startsWith(SIGNAL)) return () => true;
  if (name === 'outcome') return ({ record }) => record.subject_type === 'transaction';
  if (name.startsWith(COUNTER)) return ({ facts }) => facts.counters?.[name.slice(COUNTER.length)] !== undefined;
  const slot = slotOf(name);
  return slot === undefined ? undefined : ({ facts }) => slot < facts.vector.length;
}

/** A screening's facts, with a value that each of its hashed names may have. */
interface Supposed extends RuleFacts {
  readonly supposed?: Readonly<Record<string, Value>>;
}

function exactly(name: string): ((facts: RuleFacts) => Value) | undefined {
  const slot = name.startsWith(FEATURE) || EXACT.has(name) ? undefined : slotOf(name);
  if (slot === undefined) return RULE_READER.read(name);
  // Names of the request that are features are questions with yes or no.
  return ({ vector }) => (Number.isNaN(vector[slot] ?? Number.NaN) ? undefined : vector[slot] === 1);
}

/** By their own names. */
export const listsIn = (tree: Tree): string[] =>
  treesIn(tree).flatMap((each) => (each.op === 'in_list' ? [each.list] : []));

const namesIn = (tree: Tree): string[] =>
  treesIn(tree).flatMap((each) => (each.op !== 'in_list' && 'name' in each ? [each.name] : []));

/** The name on a side of a comparison, which ignores case anyway. */
const nameOf = (tree: Tree): string | undefined =>
  'name' in tree ? tree.name : tree.op === 'lower' ? nameOf(tree.of) : undefined;

const least = (a: number, b: number): Sureness => Math.min(a, b) as Sureness;
const most = (a: number, b: number): Sureness => Math.max(a, b) as Sureness;
const otherEnd = (sure: Sureness): Sureness => (3 - sure) as Sureness;

/** Undefined if the screening cannot say. */
type Test = (row: StoredRow) => Sureness | undefined;

/** The only values that a name can have: two hashes of different names are compared by trying these. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'ip.country': COUNTRIES,
  'billing.country': COUNTRIES,
  payment_method: PAYMENT_METHODS,
};

const ORDERS: ReadonlySet<string> = new Set(['less', 'at_most', 'more', 'at_least']);

/** Compiles a rule's condition for the stored screenings of an account. */
export function trialCondition(by: StoredBy, rows: readonly StoredRow[], tree: Tree): TrialCondition {
  const open = new Set<string>();
  const compared: Compared[] = [];
  const readers = new Map<string, StoredReader | undefined>();
  const readerOf = (name: string): StoredReader | undefined => {
    if (!readers.has(name)) readers.set(name, storedReader(by, rows, name));
    return readers.get(name);
  };

  // The warehouse has users by pseudonym.
  const hasUsers = rows.every(({ record }) => record.user_id !== '');
  const isExact = (name: string): boolean => answererOf(name) !== undefined && (hasUsers || name !== 'user_id');
  const isHashed = (name: string): boolean => !isExact(name);
  const isNumber = (name: string): boolean =>
    name.startsWith(ATTRIBUTE) && by.typeOf(name.slice(ATTRIBUTE.length)) === 'number';
  const reader: Reader<Supposed> = {
    ...RULE_READER,
    read: (name) => (isExact(name) ? exactly(name) : ({ supposed }) => supposed?.[name]),
  };

  /** `isMet` is how a condition counts that nobody can test: as met, under a negation as not met. */
  function compile(each: Tree, isMet: boolean): (row: StoredRow) => Sureness {
    if (each.op === 'and' || each.op === 'or') {
      const join = each.op === 'and' ? least : most;
      const [left, right] = [compile(each.left, isMet), compile(each.right, isMet)];
      return (row) => join(left(row), right(row));
    }
    if (each.op === 'not') {
      const of = compile(each.of, !isMet);
      return (row) => otherEnd(of(row));
    }
    const unknown: Sureness = isMet ? 2 : 1;
    const names = namesIn(each);
    const test = each.op === 'in_list' ? listTest(each.list) : valueTest(each);
    if (test === undefined) {
      for (const name of [...names.filter(isHashed), ...listsIn(each).map((list) => `lists.${list}`)]) open.add(name);
      return () => unknown;
    }
    return (row) => {
      const sure = test(row);
      if (sure !== undefined) return sure;
      for (const name of names)
        if (isExact(name) ? !answererOf(name)?.(row) : readerOf(name)?.(row)?.sent !== 3) open.add(name);
      return unknown;
    };
  }

  /** Where lists could not be read, the rule would have decided without them: no match then, though it may be on one. */
  const listTest =
    (list: string): Test =>
    ({ record: { missing, lists = [] } }) =>
      lists.includes(list) ? 3 : missing.includes('lists') ? 1 : 0;

  /** The hashed names of a condition, if values can be tried for them: each stands alone on a side. */
  function triedIn(each: Tree): readonly string[] | undefined {
    const names = namesIn(each).filter(isHashed);
    const sides = 'left' in each ? [each.left, each.right] : 'of' in each ? [each.of] : [each];
    const alone = sides.flatMap((side) => nameOf(side) ?? []).filter(isHashed);
    if (alone.length !== names.length || listsIn(each).length > 0) return undefined;
    if (names.length === 0 || !('left' in each)) return names;
    if (names.length === 2) return isEquality(each) && names.some((name) => VALUES[name]) ? names : undefined;
    return isEquality(each) || (ORDERS.has(each.op) && names.every(isNumber)) ? names : undefined;
  }

  /** What a hashed value of a condition is compared with. */
  function pointsOf(each: Tree, names: readonly string[]): (facts: RuleFacts) => readonly Value[] {
    if (each.op === 'among') return () => each.values;
    if (each.op === 'name') return () => [true];
    if (!('left' in each) || names.length === 0) return () => [];
    const values = names.flatMap((name) => VALUES[name] ?? []);
    if (names.length > 1) return () => values;
    const other = compileTree(nameOf(each.left) === names[0] ? each.right : each.left, reader);
    return (facts) => [other(facts)].filter((value) => value !== undefined && !Number.isNaN(value));
  }

  /** Tries all that hashed values may be: what they are compared with, the ends of a rounded number, or anything else. */
  function valueTest(each: Tree): Test | undefined {
    const names = triedIn(each);
    const read = names?.flatMap((name) => readerOf(name) ?? []);
    if (names === undefined || read?.length !== names.length) return undefined;
    const holds = compileTree(each, reader);
    const points = pointsOf(each, names);
    const answers = namesIn(each).flatMap((name) => (isExact(name) ? (answererOf(name) ?? []) : []));
    const own: Compared = { spellings: spellingsIn(each), others: new Map(), hits: 0 };
    if (names.length === 1) compared.push(own);
    const known = new Map<string, Candidates>();
    const candidates = (value: StoredValue, at: number, among: readonly Value[]): Candidates => {
      // All countries are tried for each hash once.
      const key = names.length > 1 && value.bucket !== undefined ? `${at} ${value.bucket}` : undefined;
      const found = (key && known.get(key)) || candidatesOf(`another ${names[at]}`, value, among, ORDERS.has(each.op));
      if (key !== undefined) known.set(key, found);
      return found;
    };
    const results = ({ facts }: StoredRow, all: readonly Candidates[], kind: 'likely' | 'possible'): boolean[] =>
      combined(all.map((each) => each[kind])).map((values) => {
        const supposed = Object.fromEntries(values.map((value, at) => [names[at], value]));
        return holds({ ...facts, supposed }) === true;
      });
    return (row) => {
      const values = read.flatMap((one) => one(row) ?? []);
      if (values.some(({ sent }) => sent === 0)) return 0;
      if (values.length < read.length || !answers.every((does) => does(row))) return undefined;
      const among = points(row.facts);
      const all = values.map((value, at) => candidates(value, at, among));
      const [first] = values;
      if (first?.bucket !== undefined && among.length > 0) {
        if (all[0]?.isLike) own.hits += row.weight;
        else own.others.set(first.bucket, (own.others.get(first.bucket) ?? 0) + row.weight);
      }
      const possible = results(row, all, 'possible');
      if (!possible.includes(true)) return 0;
      if (all.some(({ isOpen }) => isOpen)) return undefined;
      if (!possible.includes(false)) return 3;
      const likely = results(row, all, 'likely');
      // Of several that it may be as well, one that is equal is.
      return (each.op === 'unequal' ? !likely.includes(false) : likely.includes(true)) ? 2 : 1;
    };
  }

  const of = compile(tree, true);
  return {
    of,
    notTestable: () => [...open],
    confused: () => compared.reduce((sum, each) => sum + confusedBy(each), 0),
  };
}

const isEquality = ({ op }: Tree): boolean => op === 'equal' || op === 'unequal';

/** How many buckets a comparison looks for. */
const spellingsIn = (tree: Tree): number =>
  tree.op === 'among' ? tree.values.flatMap((value) => usualSpellings(String(value))).length : MOST_SPELLINGS;

/** What a stored value may be, of what it is compared with and anything else. */
interface Candidates {
  readonly likely: readonly Value[];
  readonly possible: readonly Value[];
  /** Whether it may be one of those that it is compared with. */
  readonly isLike?: boolean;
  /** Whether nothing is known of it. */
  readonly isOpen?: boolean;
}

function candidatesOf(other: string, value: StoredValue, among: readonly Value[], isOrdered: boolean): Candidates {
  const { sent, range, is } = value;
  if (range === undefined && isOrdered) return { likely: [], possible: [-Infinity, Infinity], isOpen: true };
  const numbers = among.filter((each) => typeof each === 'number');
  if (range !== undefined && (isOrdered || numbers.length > 0)) {
    const [low, stored, high] = range;
    return { likely: [stored], possible: [...range, ...numbers.filter((each) => each > low && each < high)] };
  }
  const sure = among.map((each) => is(String(each)));
  const like = (least: Sureness): Value[] => among.filter((_, at) => (sure[at] ?? 0) >= least);
  if (sure.includes(3)) return { likely: like(3), possible: like(3), isLike: true };
  const possible = [other, ...like(1), ...(sent < 3 ? [undefined] : [])];
  return { likely: sure.includes(2) ? like(2) : [other], possible, isLike: like(1).length > 0 };
}

/** Every choice of one value from each. */
const combined = (all: ReadonlyArray<readonly Value[]>): Value[][] =>
  all.reduce<Value[][]>((before, values) => before.flatMap((some) => values.map((value) => [...some, value])), [[]]);

/** One comparison with hashes of 16 bits. */
interface Compared {
  /** How many buckets it looks for. */
  readonly spellings: number;
  /** The weight of the screenings in each other bucket. */
  readonly others: Map<number, number>;
  hits: number;
}

const BUCKETS = 65_536;
const IGNORED = 0.0125;

/**
 * The most screenings, in 97.5% of cases, that share a bucket with a value looked for and hold another one. Hashes are
 * random: a foreign value falls into one of the `spellings` buckets as likely as into any others, and how much traffic a
 * value has is seen in the other buckets. The few largest of these, which together are hit in 1.25% of cases, are ignored;
 * of the rest, as many as Poisson allows count like the largest.
 */
function confusedBy({ spellings, others, hits }: Compared): number {
  const weights = [...others.values()].sort((a, b) => b - a);
  const rest = weights.slice(Math.floor((IGNORED * BUCKETS) / spellings));
  const expected = (rest.length * spellings) / BUCKETS;
  let [times, share] = [0, Math.exp(-expected)];
  for (let sum = share; rest.length > 0 && sum < 1 - IGNORED; sum += share) {
    times += 1;
    share *= expected / times;
  }
  return Math.min(hits, times * (rest[0] ?? 0));
}
