import { Untranslatable } from './detectorpl';

/** A regular expression that asks for a beginning, an end, a part or one of some texts. */
export interface SimpleRegex {
  readonly how: 'equals' | 'startsWith' | 'endsWith' | 'contains';
  readonly texts: readonly string[];
  readonly ignoresCase: boolean;
}

const reason = (pattern: string): Untranslatable =>
  new Untranslatable(`the regular expression "${pattern}" is not a prefix, suffix, part or choice of fixed texts`);

/**
 * What a pattern asks for, in plain words. Amazon matches the whole text; `^text` alone means a beginning, as its
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

/** The text that a pattern without operators stands for. */
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
