import { ExpressionError } from './expression-error';

/** An expression as it was written, before anything is known about its names and types. */
export type Syntax = { readonly at: number } & (
  | {
      readonly kind: 'literal';
      readonly type: 'int' | 'double' | 'string' | 'bool';
      readonly value: string | number | boolean;
    }
  /** `ip.country`, `attr["key"]`: the parts of a name. */
  | { readonly kind: 'name'; readonly path: readonly string[] }
  | { readonly kind: 'list'; readonly items: readonly Syntax[] }
  | { readonly kind: 'unary'; readonly sign: '!' | '-'; readonly of: Syntax }
  | { readonly kind: 'binary'; readonly sign: BinarySign; readonly left: Syntax; readonly right: Syntax }
  | { readonly kind: 'call'; readonly name: string; readonly target?: Syntax; readonly args: readonly Syntax[] }
);

export const RELATIONS = ['==', '!=', '<=', '>=', '<', '>', 'in'] as const;
export type BinarySign = '&&' | '||' | '+' | '-' | '*' | '/' | (typeof RELATIONS)[number];

/** Limits of an expression: enough for any rule that a person can read. */
export const MAX_CHARACTERS = 2_000;
export const MAX_NODES = 100;
/** Parentheses within parentheses. */
export const MAX_DEPTH = 50;

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};

/** How many digits follow, and their base: `\x41`, `\u00e9`, `\U0001f98a`, `\101`. */
const CODES: ReadonlyArray<readonly [RegExp, number]> = [
  [/[xX]([0-9a-fA-F]{2})/y, 16],
  [/u([0-9a-fA-F]{4})/y, 16],
  [/U([0-9a-fA-F]{8})/y, 16],
  [/([0-3][0-7]{2})/y, 8],
];

/** Reads a string literal with CEL's escapes, from its opening quote on. */
export function stringToken(
  text: string,
  start: number,
  opening: string,
): { readonly value: string; readonly end: number } {
  const isRaw = /^[rR]/.test(opening);
  const quote = isRaw ? opening.slice(1) : opening;
  const fail = (reason: string, at: number): never => {
    throw new ExpressionError(reason, at, text);
  };
  let value = '';
  for (let at = start + opening.length; at < text.length; ) {
    if (text.startsWith(quote, at)) return { value, end: at + quote.length };
    const character = text[at] as string;
    if (quote.length === 1 && (character === '\n' || character === '\r')) break;
    if (character !== '\\' || isRaw) {
      value += character;
      at += 1;
      continue;
    }
    const simple = ESCAPES[text[at + 1] ?? ''];
    if (simple !== undefined) {
      value += simple;
      at += 2;
      continue;
    }
    const { code, length } = codeAt(text, at + 1) ?? fail('This escape is not known; write \\\\ for a backslash', at);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) fail('This escape is not a Unicode character', at);
    value += String.fromCodePoint(code);
    at += 1 + length;
  }
  return fail('This string has no end', start);
}

function codeAt(text: string, at: number): { readonly code: number; readonly length: number } | undefined {
  for (const [pattern, base] of CODES) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) return { code: Number.parseInt(found[1] as string, base), length: found[0].length };
  }
  return undefined;
}

/** A word of an expression, and where it begins. */
export type Token =
  | { readonly kind: 'int' | 'double'; readonly value: number; readonly at: number }
  | { readonly kind: 'string'; readonly value: string; readonly at: number }
  | { readonly kind: 'word' | 'sign' | 'end'; readonly value: string; readonly at: number };

const SPACE = /[\t\n\f\r ]+|\/\/[^\n]*/y;
const DOUBLE = /(?:\d*\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)/y;
const INT = /(?:0[xX][0-9a-fA-F]+|\d+)/y;
const WORD = /[A-Za-z_]\w*/y;
const SIGN = /&&|\|\||==|!=|<=|>=|[<>!+\-*/().,[\]]/y;
const QUOTE = /(?:[rR]?(?:"""|'''|"|'))/y;

/** Parts of CEL that rules do not support, by how they begin. */
const OUTSIDE: ReadonlyArray<readonly [RegExp, string]> = [
  [/[bB][rR]?["']|[rR][bB]["']/y, 'Bytes are not available in rules'],
  [/\?/y, 'The conditional operator ? : is not available; use && and ||'],
  [/:/y, 'The conditional operator ? : is not available; use && and ||'],
  [/%/y, 'The remainder % is not available in rules'],
  [/[{}]/y, 'Maps and messages are not available in rules'],
  [/`/y, 'Quoted names are not available; write attr["key"]'],
  [/=/y, 'A comparison is written =='],
  [/&/y, 'Both conditions are joined with &&'],
  [/\|/y, 'Alternatives are joined with ||'],
];

/** Cuts an expression into words; the last is `end`. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const fail = (reason: string): never => {
    throw new ExpressionError(reason, at, text);
  };
  while (at < text.length) {
    const space = match(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const outside = OUTSIDE.find(([pattern]) => match(pattern) !== undefined);
    const isComparison = match(SIGN) !== undefined;
    if (outside !== undefined && !isComparison) fail(outside[1]);
    const quote = match(QUOTE);
    if (quote !== undefined) {
      const { value, end } = stringToken(text, at, quote);
      tokens.push({ kind: 'string', value, at });
      at = end;
      continue;
    }
    const number = numberToken(match(DOUBLE), match(INT), at);
    const found = number ?? wordToken(match(WORD), match(SIGN), at);
    if (found === undefined)
      return fail(`Unexpected character ${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))}`);
    const length = found.length;
    if (number !== undefined) {
      const after = text[at + length] ?? '';
      if (/[uU]/.test(after)) fail('Unsigned integers are not available in rules; write the number without u');
      if (/[\w]/.test(after)) fail('A number must be followed by a space or an operator');
      if (number.token.kind === 'int' && !Number.isSafeInteger(number.token.value))
        fail('This integer is too large for a rule');
      if (!Number.isFinite(number.token.value)) fail('This number is too large for a rule');
    }
    tokens.push(found.token);
    at += length;
  }
  tokens.push({ kind: 'end', value: 'the end', at: text.length });
  return tokens;
}

interface Found {
  readonly token: Token;
  readonly length: number;
}

function numberToken(double: string | undefined, int: string | undefined, at: number): Found | undefined {
  if (double !== undefined) return { token: { kind: 'double', value: Number(double), at }, length: double.length };
  return int === undefined ? undefined : { token: { kind: 'int', value: Number(int), at }, length: int.length };
}

function wordToken(word: string | undefined, sign: string | undefined, at: number): Found | undefined {
  if (word !== undefined) return { token: { kind: 'word', value: word, at }, length: word.length };
  return sign === undefined ? undefined : { token: { kind: 'sign', value: sign, at }, length: sign.length };
}

const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(
    ' ',
  ),
);

/**
 * Reads CEL's grammar as far as rules use it, by recursive descent:
 *
 *   or := and {'||' and}          relation := sum {('==' | '<' | … | 'in') sum}     unary := {'!'} member | {'-'} member
 *   and := relation {'&&' …}      sum := product {('+' | '-') product}              member := primary {'.' name | '[' … ']'}
 */
export function parse(text: string): Syntax {
  if (text.length > MAX_CHARACTERS) {
    throw new ExpressionError(`An expression has at most ${MAX_CHARACTERS} characters`, MAX_CHARACTERS, text);
  }
  const tokens = tokensOf(text);
  let next = 0;
  let nodes = 0;
  let depth = 0;

  const fail = (reason: string, at: number): never => {
    throw new ExpressionError(reason, at, text);
  };
  const peek = (): Token => tokens[next] as Token;
  const isSign = (...signs: readonly string[]): boolean => {
    const { kind, value } = peek();
    return kind === 'sign' && signs.includes(value as string);
  };
  const isWord = (word: string): boolean => peek().kind === 'word' && peek().value === word;
  const take = (): Token => tokens[next++] as Token;
  const expect = (sign: string, why: string): Token =>
    isSign(sign) ? take() : fail(`Expected ${sign} ${why}`, peek().at);
  const node = <Made extends Syntax>(made: Made): Made => {
    nodes += 1;
    if (nodes > MAX_NODES) fail(`An expression has at most ${MAX_NODES} parts`, made.at);
    return made;
  };
  const within = <Value>(at: number, read: () => Value): Value => {
    depth += 1;
    if (depth > MAX_DEPTH) fail(`Parentheses are nested at most ${MAX_DEPTH} deep`, at);
    const value = read();
    depth -= 1;
    return value;
  };
  const binary = (read: () => Syntax, isNext: () => boolean): Syntax => {
    let left = read();
    while (isNext()) {
      const { value, at } = take();
      left = node({ kind: 'binary', sign: value as BinarySign, left, right: read(), at });
    }
    return left;
  };

  const or = (): Syntax => binary(and, () => isSign('||'));
  const and = (): Syntax => binary(relation, () => isSign('&&'));
  const relation = (): Syntax => binary(sum, () => isSign(...RELATIONS) || isWord('in'));
  const sum = (): Syntax => binary(product, () => isSign('+', '-'));
  const product = (): Syntax => binary(unary, () => isSign('*', '/'));

  function unary(): Syntax {
    const signs: Token[] = [];
    const first = peek();
    while (isSign('!', '-') && peek().value === first.value) signs.push(take());
    if (signs.length > MAX_DEPTH) fail(`At most ${MAX_DEPTH} signs in a row`, first.at);
    let of = member();
    for (const { value, at } of signs.reverse()) of = node({ kind: 'unary', sign: value as '!' | '-', of, at });
    return of;
  }

  function member(): Syntax {
    let found = primary();
    for (;;) {
      if (isSign('.')) found = selected(found, take().at);
      else if (isSign('[')) found = indexed(found, take().at);
      else return found;
    }
  }

  /** After a dot: a part of a name, or a function of the expression before it. */
  function selected(target: Syntax, at: number): Syntax {
    const word = take();
    if (word.kind !== 'word') return fail('Expected a name after the dot', word.at);
    if (isSign('(')) return node({ kind: 'call', name: word.value, target, args: args(), at: word.at });
    if (target.kind !== 'name') return fail('Only names have parts, such as ip.country', at);
    return { ...target, path: [...target.path, word.value] };
  }

  function indexed(target: Syntax, at: number): Syntax {
    const key = take();
    if (target.kind !== 'name' || key.kind !== 'string') return fail('Only names have parts, such as attr["key"]', at);
    expect(']', 'after the key');
    return { ...target, path: [...target.path, key.value] };
  }

  function args(): Syntax[] {
    const open = take();
    return within(open.at, () => items(')', 'after the arguments'));
  }

  function items(end: ')' | ']', why: string): Syntax[] {
    const all: Syntax[] = [];
    while (!isSign(end)) {
      all.push(or());
      if (!isSign(',')) break;
      take();
      if (end === ')' && isSign(end)) fail('Expected an argument after the comma', peek().at);
    }
    expect(end, why);
    return all;
  }

  function primary(): Syntax {
    const token = take();
    const { at } = token;
    if (token.kind === 'int' || token.kind === 'double' || token.kind === 'string') {
      return node({ kind: 'literal', type: token.kind, value: token.value, at });
    }
    if (token.kind === 'word') return word(token.value, at);
    if (token.value === '(') {
      const inside = within(at, or);
      expect(')', 'to close the parenthesis');
      return inside;
    }
    if (token.value === '[') return node({ kind: 'list', items: within(at, () => items(']', 'after the list')), at });
    if (token.value === '.') return fail('A name cannot start with a dot', at);
    return fail(`Expected a value instead of ${token.value}`, at);
  }

  function word(name: string, at: number): Syntax {
    if (name === 'true' || name === 'false') return node({ kind: 'literal', type: 'bool', value: name === 'true', at });
    if (name === 'null') return fail('null is not available in rules; has(x) tells whether a value was sent', at);
    if (RESERVED.has(name)) return fail(`${name} is a reserved word`, at);
    if (isSign('(')) return node({ kind: 'call', name, args: args(), at });
    return node({ kind: 'name', path: [name], at });
  }

  const whole = or();
  const rest = peek();
  return rest.kind === 'end' ? whole : fail(`Expected an operator instead of ${rest.value}`, rest.at);
}
