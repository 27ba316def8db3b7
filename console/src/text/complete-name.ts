/** A name that expressions can use. */
export interface KnownName {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

/** The word that is being typed: where it begins, and what there is of it. */
export interface TypedWord {
  readonly from: number;
  readonly word: string;
}

const WORD = /[A-Za-z_][\w.]*$/;
const MOST = 8;

/** Whether a place is within a text in quotes, where nothing is a name. */
function isQuoted(before: string): boolean {
  let quote = '';
  for (let at = 0; at < before.length; at++) {
    const each = before[at] as string;
    if (quote === '') quote = each === '"' || each === "'" ? each : '';
    else if (each === '\\') at++;
    else if (each === quote) quote = '';
  }
  return quote !== '';
}

/** The name that ends at the caret; undefined if none does. */
export function typedWord(text: string, caret: number): TypedWord | undefined {
  const before = text.slice(0, caret);
  const [word] = WORD.exec(before) ?? [];
  if (word === undefined || isQuoted(before) || /^\w/.test(text.slice(caret))) return undefined;
  return { from: caret - word.length, word };
}

/** Names that the word may become: those that begin with it, then those with a part that does. */
export function completions(names: readonly KnownName[], word: string): KnownName[] {
  const sought = word.toLowerCase();
  const begins = names.filter(({ name }) => name.startsWith(sought) && name !== word);
  const within = names.filter(
    ({ name }) => !name.startsWith(sought) && (name.includes(`.${sought}`) || name.includes(`_${sought}`)),
  );
  // A complete name is not in the way of Enter.
  if (names.some(({ name }) => name === word) && begins.length === 0) return [];
  return [...begins, ...within].slice(0, MOST);
}

/** The text with a name in place of the word, and where the caret is then. */
export function completed(text: string, { from, word }: TypedWord, name: string): { text: string; caret: number } {
  return { text: text.slice(0, from) + name + text.slice(from + word.length), caret: from + name.length };
}
