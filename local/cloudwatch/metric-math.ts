import type { Points } from './metric-store';

export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'id'; readonly name: string }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'list'; readonly members: readonly Expression[] }
  | { readonly kind: 'negative'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] };

const TOKEN = /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|"([^"]*)"|(>=|<=|==|!=|&&|\|\||[-+*/^()[\],<>]))/y;

interface Token {
  readonly kind: 'number' | 'word' | 'text' | 'sign';
  readonly text: string;
}

function tokens(source: string): readonly Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.trimEnd().length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(source);
    if (!match) throw new Error(`the expression ${source} cannot be read at ${source.slice(at)}`);
    const [, number, word, text, sign] = match;
    if (number !== undefined) found.push({ kind: 'number', text: number });
    else if (word !== undefined) found.push({ kind: 'word', text: word });
    else if (text !== undefined) found.push({ kind: 'text', text });
    else found.push({ kind: 'sign', text: sign === '&&' ? 'AND' : sign === '||' ? 'OR' : (sign ?? '') });
  }
  return found;
}

/** Lowest precedence first; operators on one line have the same precedence. */
const PRECEDENCE: readonly (readonly string[])[] = [
  ['OR'],
  ['AND'],
  ['==', '!=', '<', '>', '<=', '>='],
  ['+', '-'],
  ['*', '/'],
  ['^'],
];

export function parseExpression(source: string): Expression {
  const all = tokens(source);
  let at = 0;
  const peek = (): Token | undefined => all[at];
  const fail = (): never => {
    throw new Error(`the expression ${source} ends too early or continues after its end`);
  };
  const take = (text: string): void => {
    if (peek()?.text !== text) fail();
    at += 1;
  };
  const until = (end: string): Expression[] => {
    const members: Expression[] = [];
    while (peek()?.text !== end) {
      if (members.length > 0) take(',');
      members.push(binary(0));
    }
    take(end);
    return members;
  };

  const primary = (): Expression => {
    const token = peek() ?? fail();
    at += 1;
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) };
    if (token.kind === 'text') return { kind: 'text', value: token.text };
    if (token.kind === 'word') {
      if (peek()?.text !== '(') return { kind: 'id', name: token.text };
      take('(');
      return { kind: 'call', name: token.text.toUpperCase(), args: until(')') };
    }
    if (token.text === '[') return { kind: 'list', members: until(']') };
    if (token.text === '-') return { kind: 'negative', of: primary() };
    if (token.text !== '(') fail();
    const inner = binary(0);
    take(')');
    return inner;
  };

  const binary = (level: number): Expression => {
    const operators = PRECEDENCE[level];
    if (!operators) return primary();
    let left = binary(level + 1);
    for (let operator = peek()?.text; operator !== undefined && operators.includes(operator); operator = peek()?.text) {
      at += 1;
      left = { kind: 'binary', operator, left, right: binary(level + 1) };
    }
    return left;
  };

  const parsed = binary(0);
  if (at < all.length) fail();
  return parsed;
}

interface SeriesList {
  readonly list: readonly (number | Points)[];
}

export type MathValue = number | Points | SeriesList;

export interface MathScope {
  series(id: string): MathValue;
  /** Every metric of the graph whose id contains the text: `METRICS("d")`. */
  metrics(containing: string): readonly Points[];
  readonly periodMs: number;
  readonly length: number;
}

type Cell = number | undefined;

const isList = (value: MathValue): value is SeriesList => typeof value === 'object' && 'list' in value;

/** A series that CloudWatch would leave out of the graph is missing here, never NaN. */
const sound = (value: Cell): Cell => (value !== undefined && Number.isFinite(value) ? value : undefined);

const cellsOf = (value: number | Points, length: number): Points =>
  typeof value === 'number' ? Array.from({ length }, () => value) : value;

/** Applies a function cell by cell; scalars stay scalars as long as nothing is a series. */
function zip(values: readonly MathValue[], length: number, combine: (...cells: Cell[]) => Cell): MathValue {
  const list = values.find(isList);
  if (list) {
    const each = list.list.map((member) =>
      zip(
        values.map((value) => (value === list ? member : value)),
        length,
        combine,
      ),
    );
    return { list: each as (number | Points)[] };
  }
  const plain = values as readonly (number | Points)[];
  if (plain.every((value) => typeof value === 'number')) return sound(combine(...plain)) ?? Number.NaN;
  const columns = plain.map((value) => cellsOf(value, length));
  return Array.from({ length }, (_, at) => sound(combine(...columns.map((column) => column[at]))));
}

const strict =
  (combine: (...numbers: number[]) => number) =>
  (...cells: Cell[]): Cell =>
    cells.some((cell) => cell === undefined) ? undefined : combine(...(cells as number[]));

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '^': (a, b) => a ** b,
  '>': (a, b) => Number(a > b),
  '<': (a, b) => Number(a < b),
  '>=': (a, b) => Number(a >= b),
  '<=': (a, b) => Number(a <= b),
  '==': (a, b) => Number(a === b),
  '!=': (a, b) => Number(a !== b),
  AND: (a, b) => Number(a !== 0 && b !== 0),
  OR: (a, b) => Number(a !== 0 || b !== 0),
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, value) => total + value, 0);

const FOLDS: Readonly<Record<string, (numbers: readonly number[]) => number>> = {
  SUM: sum,
  AVG: (numbers) => sum(numbers) / numbers.length,
  MIN: (numbers) => Math.min(...numbers),
  MAX: (numbers) => Math.max(...numbers),
};

/** Of several series: cell by cell, over those that have a value. Of one: a number. */
function fold(name: string, value: MathValue, length: number): MathValue {
  const combine = FOLDS[name] as (numbers: readonly number[]) => number;
  const present = (cells: Points): number[] => cells.filter((cell): cell is number => cell !== undefined);
  if (!isList(value)) return typeof value === 'number' ? value : combine(present(value));
  const columns = value.list.map((member) => cellsOf(member, length));
  return Array.from({ length }, (_, at) => {
    const numbers = present(columns.map((column) => column[at]));
    return numbers.length === 0 ? undefined : combine(numbers);
  });
}

const SCALAR_FUNCTIONS: Readonly<Record<string, (value: number) => number>> = {
  ABS: Math.abs,
  CEIL: Math.ceil,
  FLOOR: Math.floor,
  LOG: Math.log,
  LOG10: Math.log10,
};

function call(name: string, args: readonly Expression[], scope: MathScope): MathValue {
  const value = (at: number): MathValue => {
    const argument = args[at];
    if (!argument) throw new Error(`${name} needs more than ${at} arguments`);
    return evaluate(argument, scope);
  };
  if (name in FOLDS) return fold(name, value(0), scope.length);
  const scalar = SCALAR_FUNCTIONS[name];
  if (scalar) return zip([value(0)], scope.length, strict(scalar));
  switch (name) {
    case 'METRICS': {
      const [text] = args;
      return { list: scope.metrics(text?.kind === 'text' ? text.value : '') };
    }
    case 'PERIOD':
      return scope.periodMs / 1_000;
    case 'FILL':
      return zip([value(0), value(1)], scope.length, (cell, filler) => cell ?? filler);
    case 'IF':
      return zip([value(0), value(1), value(2)], scope.length, (condition, yes, no) =>
        condition === undefined ? undefined : condition !== 0 ? yes : no,
      );
    default:
      throw new Error(`the local run does not support the function ${name}`);
  }
}

function evaluate(expression: Expression, scope: MathScope): MathValue {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'id':
      return scope.series(expression.name);
    case 'text':
      throw new Error(`"${expression.value}" is not a series`);
    case 'list':
      return { list: expression.members.map((member) => evaluate(member, scope) as number | Points) };
    case 'negative':
      return zip(
        [evaluate(expression.of, scope)],
        scope.length,
        strict((value) => -value),
      );
    case 'binary': {
      const operator = OPERATORS[expression.operator] as (a: number, b: number) => number;
      const sides = [evaluate(expression.left, scope), evaluate(expression.right, scope)];
      return zip(sides, scope.length, strict(operator as (...numbers: number[]) => number));
    }
    case 'call':
      return call(expression.name, expression.args, scope);
  }
}

/** Evaluates metric math as CloudWatch does; throws on functions that the local run does not know. */
export const evaluateMath = (text: string, scope: MathScope): MathValue => evaluate(parseExpression(text), scope);
