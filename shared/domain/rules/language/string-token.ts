import { ExpressionError } from './expression-error';

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
