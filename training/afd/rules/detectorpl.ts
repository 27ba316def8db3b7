export type Expression =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'list'; readonly name: string }
  | { readonly kind: 'array'; readonly items: readonly Expression[] }
  | { readonly kind: 'not' | 'minus'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly sign: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] };

export class Untranslatable extends Error {
  override readonly name = 'Untranslatable';
}

interface Token {
  readonly kind: 'number' | 'string' | 'variable' | 'list' | 'word' | 'sign' | 'end';
  readonly text: string;
}

const TOKENS: ReadonlyArray<readonly [RegExp, Token['kind']]> = [
  [/\d+(?:\.\d+)?/y, 'number'],
  [/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y, 'string'],
  [/\$[A-Za-z0-9_-]+/y, 'variable'],
  [/@[A-Za-z0-9_-]+/y, 'list'],
  [/[A-Za-z_]\w*/y, 'word'],
  [/==|!=|>=|<=|&&|\|\||[<>!()[\],+\-*/%]/y, 'sign'],
];

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const from = at;
    for (const [pattern, kind] of TOKENS) {
      pattern.lastIndex = from;
      const found = pattern.exec(text)?.[0];
      if (found === undefined) continue;
      tokens.push({ kind, text: found });
      at += found.length;
      break;
    }
    if (at === from) throw new Untranslatable(`"${text.charAt(at)}" at position ${at + 1} is not part of the language`);
  }
  return [...tokens, { kind: 'end', text: '' }];
}

/** Lower binds looser. */
const BINARY: ReadonlyArray<ReadonlySet<string>> = [
  new Set(['or', '||']),
  new Set(['and', '&&']),
  new Set(['==', '!=', '<', '<=', '>', '>=', 'in', 'not in']),
  new Set(['+', '-']),
  new Set(['*', '/', '%']),
];

/** Deeper than any rule that a person wrote: a file must not exhaust the stack. */
const MAX_DEPTH = 100;

/** Reads an expression. @throws Untranslatable that says where it stops making sense */
export function parseDetectorPl(text: string): Expression {
  const tokens = tokensOf(text);
  let at = 0;
  let depth = 0;
  const next = (): Token => tokens[at] as Token;
  const take = (): Token => tokens[at++] as Token;
  const expect = (sign: string): void => {
    if (take().text !== sign)
      throw new Untranslatable(`${sign} is missing before "${tokens[at - 1]?.text || 'the end'}"`);
  };

  /** The operator at this place, two words at once for `not in`. */
  const operator = (): string => {
    const { kind, text: word } = next();
    if (kind !== 'sign' && kind !== 'word') return '';
    const lower = word.toLowerCase();
    return lower === 'not' && tokens[at + 1]?.text.toLowerCase() === 'in' ? 'not in' : lower;
  };

  const binary = (level: number): Expression => {
    const signs = BINARY[level];
    if (signs === undefined) return unary();
    let left = binary(level + 1);
    for (let sign = operator(); signs.has(sign); sign = operator()) {
      at += sign === 'not in' ? 2 : 1;
      left = { kind: 'binary', sign, left, right: binary(level + 1) };
    }
    return left;
  };

  const unary = (): Expression => {
    if (++depth > MAX_DEPTH) throw new Untranslatable(`nested more than ${MAX_DEPTH} levels deep`);
    const sign = operator();
    let result: Expression;
    if (sign === '!' || sign === 'not' || sign === '-') {
      at += 1;
      result = { kind: sign === '-' ? 'minus' : 'not', of: unary() };
    } else result = primary();
    depth -= 1;
    return result;
  };

  const sequence = (end: string): Expression[] => {
    const items: Expression[] = [];
    while (next().text !== end) {
      items.push(binary(0));
      if (next().text !== end) expect(',');
    }
    expect(end);
    return items;
  };

  const primary = (): Expression => {
    const { kind, text: word } = take();
    if (kind === 'number') return { kind: 'number', text: word };
    if (kind === 'string') return { kind: 'string', value: unquoted(word) };
    if (kind === 'variable') return { kind: 'variable', name: word.slice(1) };
    if (kind === 'list') return { kind: 'list', name: word.slice(1) };
    if (word === '(') {
      const inner = binary(0);
      expect(')');
      return inner;
    }
    if (word === '[') return { kind: 'array', items: sequence(']') };
    const lower = word.toLowerCase();
    if (kind === 'word' && next().text === '(') {
      at += 1;
      return { kind: 'call', name: lower, args: sequence(')') };
    }
    if (lower === 'null') return { kind: 'null' };
    if (lower === 'true' || lower === 'false') return { kind: 'boolean', value: lower === 'true' };
    throw new Untranslatable(word === '' ? 'it ends too early' : `"${word}" is not expected there`);
  };

  const whole = binary(0);
  if (next().kind !== 'end') throw new Untranslatable(`"${next().text}" is not expected there`);
  return whole;
}

/** Backslashes stay, but for those before a quote: regular expressions need them. */
const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(["'])/g, '$1');

export interface SimpleRegex {
  readonly how: 'equals' | 'startsWith' | 'endsWith' | 'contains';
  readonly texts: readonly string[];
  readonly ignoresCase: boolean;
}

const reason = (pattern: string): Untranslatable =>
  new Untranslatable(`the regular expression "${pattern}" is not a prefix, suffix, part or choice of fixed texts`);

/**
 * The condition of a pattern, in plain words. Amazon matches the whole text; `^text` alone means a beginning, as its
 * documentation reads it.
 * @throws Untranslatable if it takes a regular expression
 */
export function simpleRegex(pattern: string): SimpleRegex {
  const ignoresCase = pattern.startsWith('(?i)');
  let rest = ignoresCase ? pattern.slice('(?i)'.length) : pattern;
  const isBegun = rest.startsWith('^');
  if (isBegun) rest = rest.slice(1);
  const isEnded = rest.endsWith('$') && !rest.endsWith('\\$');
  if (isEnded) rest = rest.slice(0, -1);
  const anyBefore = rest.startsWith('.*');
  if (anyBefore) rest = rest.slice(2);
  const anyAfter = (rest.endsWith('.*') && !rest.endsWith('\\.*')) || (isBegun && !isEnded && !anyBefore);
  if (rest.endsWith('.*') && !rest.endsWith('\\.*')) rest = rest.slice(0, -2);
  const texts = choices(rest).map((choice) => literal(choice, pattern));
  if (texts.some((text) => text === '')) throw reason(pattern);
  const how = anyBefore ? (anyAfter ? 'contains' : 'endsWith') : anyAfter ? 'startsWith' : 'equals';
  return { how, texts: ignoresCase ? texts.map((text) => text.toLowerCase()) : texts, ignoresCase };
}

/** `(a|b)` and `a|b` as their parts; anything else as itself. */
function choices(text: string): string[] {
  const inner = /^\((?:\?:)?([^()]*)\)$/.exec(text)?.[1] ?? text;
  return inner.split('|');
}

const SPECIAL = /[.*+?^${}()|[\]\\]/;

function literal(text: string, pattern: string): string {
  let result = '';
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character !== '\\') {
      if (SPECIAL.test(character)) throw reason(pattern);
      result += character;
      continue;
    }
    at += 1;
    const escaped = text.charAt(at);
    // An escaped letter or digit is a class or an anchor: \d, \w, \b.
    if (escaped === '' || /[A-Za-z0-9]/.test(escaped)) throw reason(pattern);
    result += escaped;
  }
  return result;
}
