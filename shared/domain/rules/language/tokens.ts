import { ExpressionError } from './expression-error';
import { stringToken } from './string-token';

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
