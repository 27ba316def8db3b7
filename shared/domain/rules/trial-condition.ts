import { COUNTRIES } from '../ip/travel';
import { type FeatureName, featureSlot, isFeature } from '../screening/features';
import { PAYMENT_METHODS } from '../screening/screening-facts';
import { compileTree, type Reader, type Value } from './compile-tree';
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

/** The feature that says the same as a name of the request: `ip_hosting` for `ip.hosting`. */
const featureOf = (name: string): string | undefined => {
  const isOfRequest = name.includes('.') && Object.hasOwn(FIXED_NAMES, name);
  const feature = name.startsWith(FEATURE) ? name.slice(FEATURE.length) : isOfRequest && name.replace('.', '_');
  return feature !== false && isFeature(feature) ? feature : undefined;
};

const slotOf = (name: string): number | undefined => {
  const feature = featureOf(name);
  return feature === undefined ? undefined : featureSlot(feature as FeatureName);
};

const isStored = (name: string): boolean =>
  EXACT.has(name) ||
  name.startsWith(SIGNAL) ||
  name.startsWith(COUNTER) ||
  slotOf(name) !== undefined ||
  name === 'outcome';

/** Whether a screening answers for an exact name: an old one may lack a feature, and counters that no rule read. */
function isKnown(name: string, { record, facts }: StoredRow): boolean {
  if (EXACT.has(name) || name.startsWith(SIGNAL)) return true;
  if (name === 'outcome') return record.subject_type === 'transaction';
  if (name.startsWith(COUNTER)) return facts.counters?.[name.slice(COUNTER.length)] !== undefined;
  return (slotOf(name) ?? 0) < facts.vector.length;
}

const READER: Reader<RuleFacts> = {
  ...RULE_READER,
  read: (name) => {
    const slot = name.startsWith(FEATURE) || EXACT.has(name) ? undefined : slotOf(name);
    if (slot === undefined) return RULE_READER.read(name);
    // Names of the request that are features are questions with yes or no.
    return ({ vector }) => (Number.isNaN(vector[slot] ?? Number.NaN) ? undefined : vector[slot] === 1);
  },
};

function namesIn(tree: Tree): string[] {
  if (tree.op === 'in_list') return [];
  if ('left' in tree) return [...namesIn(tree.left), ...namesIn(tree.right)];
  if ('of' in tree) return namesIn(tree.of);
  return 'name' in tree ? [tree.name] : [];
}

/** By their own names. */
export function listsIn(tree: Tree): string[] {
  if (tree.op === 'in_list') return [tree.list];
  if ('left' in tree) return [...listsIn(tree.left), ...listsIn(tree.right)];
  return 'of' in tree ? listsIn(tree.of) : [];
}

const LIST = (list: string): string => `lists.${list}`;

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
  const isExact = (name: string): boolean => isStored(name) && (hasUsers || name !== 'user_id');

  const isNumber = (name: string): boolean =>
    name.startsWith(ATTRIBUTE) && by.typeOf(name.slice(ATTRIBUTE.length)) === 'number';

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
    const test = each.op === 'in_list' ? listTest(each.list) : names.every(isExact) ? exactTest(each) : hashTest(each);
    if (test === undefined) {
      for (const name of [...names.filter((one) => !isExact(one)), ...listsIn(each).map(LIST)]) open.add(name);
      return () => unknown;
    }
    return (row) => {
      const sure = test(row);
      if (sure !== undefined) return sure;
      for (const name of names)
        if (isExact(name) ? !isKnown(name, row) : readerOf(name)?.(row)?.sent !== 3) open.add(name);
      return unknown;
    };
  }

  /** Where lists could not be read, the rule would have decided without them: no match then, though it may be on one. */
  const listTest =
    (list: string): Test =>
    ({ record: { missing, lists = [] } }) =>
      lists.includes(list) ? 3 : missing.includes('lists') ? 1 : 0;

  function exactTest(each: Tree): Test | undefined {
    if (listsIn(each).length > 0) return undefined;
    const holds = compileTree(each, READER);
    const names = namesIn(each);
    return (row) => (names.every((name) => isKnown(name, row)) ? (holds(row.facts) === true ? 3 : 0) : undefined);
  }

  /** Compares one hashed value with a text, and notes what its hash may be taken for. */
  function comparing(
    name: string,
    spellings: number,
  ): (row: StoredRow, value: StoredValue, texts: readonly string[]) => Sureness {
    const own: Compared = { name, spellings, others: new Map(), hits: 0 };
    compared.push(own);
    return ({ weight }, value, texts) => {
      const sure = texts.reduce((found, text) => most(found, value.is(text)), 0 as Sureness);
      if (value.bucket === undefined) return sure;
      if (sure > 0) own.hits += weight;
      else own.others.set(value.bucket, (own.others.get(value.bucket) ?? 0) + weight);
      return sure;
    };
  }

  function hashTest(each: Tree): Test | undefined {
    if (each.op === 'has' || each.op === 'name') {
      const read = readerOf(each.name);
      if (read === undefined) return undefined;
      const isTrue = comparing(each.name, MOST_SPELLINGS);
      const test = (row: StoredRow, value: StoredValue) =>
        each.op === 'has' ? (value.sent === 2 ? undefined : value.sent) : isTrue(row, value, ['true']);
      return answered(read, test);
    }
    if (each.op === 'among') {
      const name = nameOf(each.of);
      const read = name === undefined ? undefined : readerOf(name);
      if (name === undefined || read === undefined) return undefined;
      const texts = each.values.map(String);
      const isAmong = comparing(name, texts.flatMap(usualSpellings).length);
      return answered(read, (row, value) => isAmong(row, value, texts));
    }
    if (!('left' in each)) return undefined;
    const [left, right] = [nameOf(each.left), nameOf(each.right)];
    if (left !== undefined && right !== undefined && !isExact(left) && !isExact(right)) {
      return each.op === 'equal' || each.op === 'unequal' ? pairTest(left, right, each.op === 'unequal') : undefined;
    }
    const isLeft = left !== undefined && !isExact(left);
    const [name, other] = isLeft ? [left, each.right] : [right, each.left];
    const read = name === undefined ? undefined : readerOf(name);
    if (name === undefined || read === undefined || !namesIn(other).every(isExact) || listsIn(other).length > 0)
      return undefined;
    const op = isLeft ? each.op : MIRRORED[each.op];
    const compare = op === undefined ? undefined : comparisonOf(op, comparing(name, MOST_SPELLINGS));
    if (compare === undefined || (op !== 'equal' && op !== 'unequal' && !isNumber(name))) return undefined;
    const readOther = compileTree(other, READER);
    const others = namesIn(other);
    return (row) => {
      const value = read(row);
      if (value === undefined || !others.every((each) => isKnown(each, row))) return undefined;
      const than = readOther(row.facts);
      return than === undefined || Number.isNaN(than) || value.sent === 0 ? 0 : compare(row, value, than);
    };
  }

  /** Whether two hashed names have the same value: what one of them can have is tried on both. */
  function pairTest(left: string, right: string, isUnequal: boolean): Test | undefined {
    const values = VALUES[left] ?? VALUES[right];
    const [readLeft, readRight] = [readerOf(left), readerOf(right)];
    if (values === undefined || readLeft === undefined || readRight === undefined) return undefined;
    const known = new Map<string, readonly string[]>();
    const candidates = (side: string, value: StoredValue): readonly string[] => {
      const at = `${side} ${value.bucket}`;
      const found =
        (value.bucket === undefined ? undefined : known.get(at)) ?? values.filter((each) => value.is(each) > 0);
      if (value.bucket !== undefined) known.set(at, found);
      return found;
    };
    return (row) => {
      const [a, b] = [readLeft(row), readRight(row)];
      if (a?.sent === 0 || b?.sent === 0) return 0;
      if (a === undefined || b === undefined) return undefined;
      const [ofA, ofB] = [candidates(left, a), candidates(right, b)];
      const isShared = ofA.some((each) => ofB.includes(each));
      const equal: Sureness = !isShared ? 0 : ofA.length === 1 && ofB.length === 1 ? 3 : 2;
      return isUnequal ? otherEnd(equal) : equal;
    };
  }

  const of = compile(tree, true);
  return {
    of,
    notTestable: () => [...open],
    confused: () => compared.reduce((sum, each) => sum + confusedBy(each), 0),
  };
}

const answered =
  (read: StoredReader, test: (row: StoredRow, value: StoredValue) => Sureness | undefined): Test =>
  (row) => {
    const value = read(row);
    return value === undefined ? undefined : value.sent === 0 ? 0 : test(row, value);
  };

/** The name on a side of a comparison, which ignores case anyway. */
const nameOf = (tree: Tree): string | undefined =>
  tree.op === 'name' ? tree.name : tree.op === 'lower' ? nameOf(tree.of) : undefined;

const MIRRORED: Readonly<Record<string, string>> = {
  equal: 'equal',
  unequal: 'unequal',
  less: 'more',
  more: 'less',
  at_most: 'at_least',
  at_least: 'at_most',
};

type Compare = (row: StoredRow, value: StoredValue, than: NonNullable<Value>) => Sureness | undefined;

function comparisonOf(
  op: string,
  compareText: (row: StoredRow, value: StoredValue, texts: readonly string[]) => Sureness,
): Compare | undefined {
  const equal: Compare = (row, value, than) => {
    if (typeof than !== 'number' || value.range === undefined) return compareText(row, value, [String(than)]);
    const [low, stored, high] = value.range;
    if (low === high) return stored === than ? 3 : 0;
    return than < low || than > high ? 0 : than === stored ? 2 : 1;
  };
  if (op === 'equal') return equal;
  // A value that may not be a number at all is unequal to nothing.
  if (op === 'unequal') return (row, value, than) => least(value.sent, otherEnd(equal(row, value, than) as Sureness));
  const holds = ORDERS[op];
  if (holds === undefined) return undefined;
  return (_, { range }, than) => {
    if (range === undefined) return undefined;
    const [low, stored, high] = range.map((each) => holds(each, than as number));
    return low && high ? 3 : stored ? 2 : low || high ? 1 : 0;
  };
}

const ORDERS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  less: (a, b) => a < b,
  at_most: (a, b) => a <= b,
  more: (a, b) => a > b,
  at_least: (a, b) => a >= b,
};

/** One comparison with hashes of 16 bits. */
interface Compared {
  readonly name: string;
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
