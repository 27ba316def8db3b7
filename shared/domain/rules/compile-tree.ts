import type { BinaryOp, Tree } from './tree';

/** A missing value is `undefined`; a missing number may also be NaN, as in feature vectors. */
export type Value = string | number | boolean | undefined;

/** Where the values of a compiled expression come from: found once, when it is compiled. */
export interface Reader<Facts> {
  /** Undefined if this version does not know the name: then it is missing. */
  read(name: string): ((facts: Facts) => Value) | undefined;
  inList(name: string, list: string): (facts: Facts) => boolean;
  /** How texts that it reads are compared. @default as they are, like CEL */
  readonly asSeen?: (value: Value) => Value;
}

const asItIs = (value: Value): Value => value;

/** Whether a value comes from the request; texts of the rule alone are compared as CEL compares them. */
const isSent = (tree: Tree): boolean => tree.op === 'name' || (tree.op === 'lower' && isSent(tree.of));

const isMissing = (value: Value): boolean => value === undefined || Number.isNaN(value);

/** A tree and all that are in it. */
export const treesIn = (tree: Tree): Tree[] =>
  'left' in tree
    ? [tree, ...treesIn(tree.left), ...treesIn(tree.right)]
    : [tree, ...('of' in tree ? treesIn(tree.of) : [])];

/**
 * A checked tree as a closure. A missing value makes its comparison false, and what is computed from it is missing;
 * nothing throws.
 */
export function compileTree<Facts>(tree: Tree, reader: Reader<Facts>): (facts: Facts) => Value {
  switch (tree.op) {
    case 'value': {
      const { value } = tree;
      return () => value;
    }
    case 'name':
      return reader.read(tree.name) ?? (() => undefined);
    case 'has': {
      const read = reader.read(tree.name);
      return read === undefined ? () => false : (facts) => !isMissing(read(facts));
    }
    case 'not': {
      const of = compileTree(tree.of, reader);
      return (facts) => of(facts) !== true;
    }
    case 'negate': {
      const of = compileTree(tree.of, reader);
      return (facts) => -(of(facts) as number);
    }
    case 'whole': {
      const of = compileTree(tree.of, reader);
      return (facts) => {
        const value = of(facts);
        return Number.isSafeInteger(value) ? value : undefined;
      };
    }
    case 'size': {
      const of = compileTree(tree.of, reader);
      return (facts) => {
        const text = of(facts) as string | undefined;
        return text === undefined ? undefined : characters(text);
      };
    }
    case 'lower': {
      const of = compileTree(tree.of, reader);
      return (facts) => (of(facts) as string | undefined)?.replace(/[A-Z]+/g, (upper) => upper.toLowerCase());
    }
    case 'among': {
      const of = compileTree(tree.of, reader);
      const as = (isSent(tree.of) && reader.asSeen) || asItIs;
      const values: ReadonlySet<Value> = new Set(tree.values.map(as));
      return (facts) => values.has(as(of(facts)));
    }
    case 'in_list':
      return reader.inList(tree.name, tree.list);
    default:
      return compileBinary(
        tree.op,
        compileTree(tree.left, reader),
        compileTree(tree.right, reader),
        ((isSent(tree.left) || isSent(tree.right)) && reader.asSeen) || asItIs,
      );
  }
}

/** In characters, not in UTF-16 units: an emoji is one. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

type Read<Facts> = (facts: Facts) => Value;

function compileBinary<Facts>(
  op: BinaryOp,
  left: Read<Facts>,
  right: Read<Facts>,
  as: (value: Value) => Value,
): Read<Facts> {
  const number = (facts: Facts, read: Read<Facts>): number => (read(facts) ?? Number.NaN) as number;
  const test =
    (holds: (a: string, b: string) => boolean): Read<Facts> =>
    (facts) => {
      const [a, b] = [left(facts), right(facts)];
      return a !== undefined && b !== undefined && holds(as(a) as string, as(b) as string);
    };
  switch (op) {
    case 'and':
      return (facts) => left(facts) === true && right(facts) === true;
    case 'or':
      return (facts) => left(facts) === true || right(facts) === true;
    case 'equal':
      return (facts) => {
        const a = left(facts);
        return a !== undefined && as(a) === as(right(facts));
      };
    case 'unequal':
      return (facts) => {
        const [a, b] = [left(facts), right(facts)];
        return !isMissing(a) && !isMissing(b) && as(a) !== as(b);
      };
    case 'less':
      return (facts) => order(left(facts), right(facts)) < 0;
    case 'at_most':
      return (facts) => order(left(facts), right(facts)) <= 0;
    case 'more':
      return (facts) => order(left(facts), right(facts)) > 0;
    case 'at_least':
      return (facts) => order(left(facts), right(facts)) >= 0;
    case 'add':
      return (facts) => number(facts, left) + number(facts, right);
    case 'subtract':
      return (facts) => number(facts, left) - number(facts, right);
    case 'multiply':
      return (facts) => number(facts, left) * number(facts, right);
    case 'divide':
      return (facts) => number(facts, left) / number(facts, right);
    case 'quotient':
      return (facts) => {
        const divisor = number(facts, right);
        return divisor === 0 ? undefined : Math.trunc(number(facts, left) / divisor);
      };
    case 'join':
      return (facts) => {
        const [a, b] = [left(facts), right(facts)];
        return a === undefined || b === undefined ? undefined : `${a as string}${b as string}`;
      };
    case 'starts_with':
      return test((a, b) => a.startsWith(b));
    case 'ends_with':
      return test((a, b) => a.endsWith(b));
    case 'contains':
      return test((a, b) => a.includes(b));
    default:
      return op satisfies never;
  }
}

/** Negative, zero or positive; NaN, which no comparison accepts, if either is missing. */
function order(a: Value, b: Value): number {
  if (typeof a === 'number') return (a as number) === b ? 0 : a - ((b ?? Number.NaN) as number);
  if (a === undefined || b === undefined) return Number.NaN;
  if (typeof a === 'string') return byCodePoint(a, b as string);
  return Number(a) - Number(b);
}

/** CEL orders texts by code points; JavaScript by UTF-16 units, which differs from U+E000 on. */
function byCodePoint(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    if (a[i] === b[i]) continue;
    // If the first difference is within a pair, the pair's first half is equal, so its second half decides.
    return (a.codePointAt(i) as number) - (b.codePointAt(i) as number);
  }
  return a.length - b.length;
}
