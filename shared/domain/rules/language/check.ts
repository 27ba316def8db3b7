import type { BinaryOp, Tree } from '../tree';
import { ExpressionError } from './expression-error';
import { nearestName } from './nearest-name';
import { type BinarySign, parse, type Syntax } from './parse';

export type ValueType = 'bool' | 'int' | 'double' | 'string';

/** The names that expressions may use. */
export interface Names {
  typeOf(path: readonly string[]): ValueType | undefined;
  /** Names to suggest for a mistyped one. */
  known(): Iterable<string>;
  /** How a name could become one of this type, as the end of a sentence. @default none can */
  readonly declaredBy?: (path: readonly string[], type: ValueType | undefined) => string | undefined;
  readonly isListable?: (path: readonly string[]) => boolean;
  /** The lists that exist; a list may also be created after the rule. @default not checked */
  readonly lists?: readonly string[];
}

export interface Checked {
  readonly tree: Tree;
  readonly type: ValueType;
  readonly names: readonly string[];
  readonly lists: readonly string[];
}

const COMPARISONS = {
  '==': 'equal',
  '!=': 'unequal',
  '<': 'less',
  '<=': 'at_most',
  '>': 'more',
  '>=': 'at_least',
} as const satisfies Partial<Record<BinarySign, BinaryOp>>;

const ARITHMETIC = { '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide' } as const;

const STRING_TESTS = { startsWith: 'starts_with', endsWith: 'ends_with', contains: 'contains' } as const;
const FUNCTIONS = [...Object.keys(STRING_TESTS), 'size', 'lowerAscii', 'has'];

const isNumber = (type: ValueType): boolean => type === 'int' || type === 'double';
const WORD: Readonly<Record<ValueType, string>> = {
  bool: 'true or false',
  int: 'a number',
  double: 'a number',
  string: 'a text',
};

/** Turns an expression into a tree whose names exist and whose types fit. @throws ExpressionError */
export function check(text: string, names: Names): Checked {
  const used = new Set<string>();
  const lists = new Set<string>();
  const fail = (reason: string, at: number): never => {
    throw new ExpressionError(reason, at, text);
  };

  function visit(node: Syntax): Typed {
    switch (node.kind) {
      case 'literal':
        return { tree: { op: 'value', value: node.value }, type: node.type };
      case 'name':
        return named(node.path, node.at);
      case 'list':
        return fail('A list can only stand after in, as in currency in ["EUR", "USD"]', node.at);
      case 'unary':
        return unary(node);
      case 'binary':
        return binary(node);
      case 'call':
        return call(node);
      default:
        return node satisfies never;
    }
  }

  function named(path: readonly string[], at: number): Typed {
    const name = path.join('.');
    if (path[0] === 'lists') fail('A list can only stand after in, as in user_id in lists.vips', at);
    const type = names.typeOf(path);
    if (type === undefined) {
      const how = names.declaredBy?.(path, undefined);
      return how === undefined ? unknown('name', name, names.known(), at) : fail(`Unknown name ${name}; ${how}`, at);
    }
    used.add(name);
    return { tree: { op: 'name', name }, type };
  }

  function unknown(what: 'name' | 'function', name: string, known: Iterable<string>, at: number): never {
    const nearest = nearestName(name, known);
    return fail(`Unknown ${what} ${name}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`, at);
  }

  function want(node: Syntax, type: 'bool' | 'string' | 'number', why: string): Typed {
    const typed = visit(node);
    const fits = type === 'number' ? isNumber(typed.type) : typed.type === type;
    const wanted = type === 'number' ? 'double' : type;
    return fits
      ? typed
      : fail(`${why} needs ${WORD[wanted]}, and this is ${WORD[typed.type]}${suggestion(node, wanted)}`, node.at);
  }

  function suggestion(node: Syntax, type: ValueType): string {
    const how = node.kind === 'name' ? names.declaredBy?.(node.path, type === 'int' ? 'double' : type) : undefined;
    return how === undefined ? '' : `; ${how}`;
  }

  function unary({ sign, of }: Extract<Syntax, { kind: 'unary' }>): Typed {
    if (sign === '!') return { tree: { op: 'not', of: want(of, 'bool', '!').tree }, type: 'bool' };
    const { tree, type } = want(of, 'number', 'A minus sign');
    return {
      tree: tree.op === 'value' ? { op: 'value', value: -(tree.value as number) } : { op: 'negate', of: tree },
      type,
    };
  }

  function binary(node: Extract<Syntax, { kind: 'binary' }>): Typed {
    const { sign, left, right } = node;
    if (sign === '&&' || sign === '||') {
      const op = sign === '&&' ? 'and' : 'or';
      return { tree: { op, left: want(left, 'bool', sign).tree, right: want(right, 'bool', sign).tree }, type: 'bool' };
    }
    if (sign === 'in') return membership(node);
    if (sign in ARITHMETIC) return arithmetic(node);
    const [a, b] = [visit(left), visit(right)];
    if (!sameType(a.type, b.type)) {
      const how = suggestion(left, b.type) || suggestion(right, a.type);
      fail(`${sign} compares ${WORD[a.type]} with ${WORD[b.type]}${how}`, node.at);
    }
    const op = COMPARISONS[sign as keyof typeof COMPARISONS];
    return { tree: { op, left: a.tree, right: b.tree }, type: 'bool' };
  }

  function arithmetic({ sign, left, right, at }: Extract<Syntax, { kind: 'binary' }>): Typed {
    const [a, b] = [visit(left), visit(right)];
    if (sign === '+' && a.type === 'string' && b.type === 'string') {
      return { tree: { op: 'join', left: a.tree, right: b.tree }, type: 'string' };
    }
    if (!isNumber(a.type) || !isNumber(b.type))
      fail(
        `${sign} needs two numbers${sign === '+' ? ' or two texts' : ''}${suggestion(left, b.type) || suggestion(right, a.type)}`,
        at,
      );
    const type = a.type === 'int' && b.type === 'int' ? 'int' : 'double';
    if (sign === '/' && b.tree.op === 'value' && b.tree.value === 0) fail('Division by zero', right.at);
    const op = sign === '/' && type === 'int' ? 'quotient' : ARITHMETIC[sign as keyof typeof ARITHMETIC];
    const tree: Tree = { op, left: a.tree, right: b.tree };
    return { tree: type === 'int' ? { op: 'whole', of: tree } : tree, type };
  }

  function membership({ left, right, at }: Extract<Syntax, { kind: 'binary' }>): Typed {
    if (right.kind === 'list') {
      const of = visit(left);
      const values = right.items.map((item) => {
        const { tree, type } = visit(item);
        if (tree.op !== 'value') return fail('A list holds only values, such as "EUR" or 150', item.at);
        return sameType(of.type, type)
          ? tree.value
          : fail(`in compares ${WORD[of.type]} with ${WORD[type]}${suggestion(left, type)}`, item.at);
      });
      return { tree: { op: 'among', of: of.tree, values }, type: 'bool' };
    }
    if (right.kind !== 'name' || right.path[0] !== 'lists' || right.path.length !== 2) {
      return fail('Expected a list after in: ["EUR", "USD"], lists.name or lists["name"]', right.at);
    }
    const list = right.path[1] as string;
    if (left.kind !== 'name') return fail('Only a name can be looked up in a list, as in user_id in lists.vips', at);
    const name = left.path.join('.');
    if (!names.isListable?.(left.path)) {
      if (names.typeOf(left.path) === undefined) unknown('name', name, names.known(), left.at);
      fail(`${name} cannot be in a list`, left.at);
    }
    if (names.lists !== undefined && !names.lists.includes(list))
      unknown(
        'name',
        `lists.${list}`,
        names.lists.map((each) => `lists.${each}`),
        right.at,
      );
    used.add(name);
    lists.add(list);
    return { tree: { op: 'in_list', name, list }, type: 'bool' };
  }

  function call({ name, target, args, at }: Extract<Syntax, { kind: 'call' }>): Typed {
    if (name === 'has' && target === undefined) return has(args, at);
    if (name === 'size' && args.length === (target === undefined ? 1 : 0)) {
      const of = want(target ?? (args[0] as Syntax), 'string', 'size()');
      return { tree: { op: 'size', of: of.tree }, type: 'int' };
    }
    if (name === 'lowerAscii' && target !== undefined && args.length === 0) {
      return { tree: { op: 'lower', of: want(target, 'string', 'lowerAscii()').tree }, type: 'string' };
    }
    const [argument] = args;
    if (name in STRING_TESTS && target !== undefined && argument !== undefined && args.length === 1) {
      const op = STRING_TESTS[name as keyof typeof STRING_TESTS];
      const left = want(target, 'string', `${name}()`).tree;
      return { tree: { op, left, right: want(argument, 'string', `${name}()`).tree }, type: 'bool' };
    }
    if (FUNCTIONS.includes(name)) fail(`${name} is written ${EXAMPLES[name]}`, at);
    if (name === 'matches')
      fail('Regular expressions are not available in rules; use startsWith, endsWith or contains', at);
    return unknown('function', name, FUNCTIONS, at);
  }

  function has(args: readonly Syntax[], at: number): Typed {
    const [of] = args;
    if (args.length !== 1 || of?.kind !== 'name') return fail('has() takes a name, as in has(attr.email)', at);
    const { tree } = named(of.path, of.at);
    return { tree: { op: 'has', name: (tree as { readonly name: string }).name }, type: 'bool' };
  }

  const typed = visit(parse(text));
  return { ...typed, names: [...used], lists: [...lists] };
}

interface Typed {
  readonly tree: Tree;
  readonly type: ValueType;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  startsWith: 'attr.email.startsWith("a")',
  endsWith: 'attr.email.endsWith("@example.com")',
  contains: 'attr.email.contains("+")',
  size: 'attr.email.size()',
  lowerAscii: 'attr.email.lowerAscii()',
  has: 'has(attr.email)',
};

/** Whole numbers and others mix. */
const sameType = (a: ValueType, b: ValueType): boolean => a === b || (isNumber(a) && isNumber(b));

/** Checks the expression of a rule: a condition, which is true or false. @throws ExpressionError */
export function checkCondition(text: string, names: Names): Checked {
  const checked = check(text, names);
  if (checked.type === 'bool') return checked;
  throw new ExpressionError(`A rule is a condition, and this is ${WORD[checked.type]}`, 0, text);
}
