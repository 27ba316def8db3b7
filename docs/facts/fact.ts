/** Something that a document says and the code knows. */
export interface Fact {
  /** The document, from the root of the repository. */
  readonly page: string;
  /** The words around it; the group is where the value stands. */
  readonly says: RegExp;
  readonly value: string;
}

/** The page with the values that the code has now. Throws where the words are gone: then the fact has to follow them. */
export function withFacts(page: string, text: string, facts: readonly Fact[]): string {
  return facts
    .filter((fact) => fact.page === page)
    .reduce((current, { says, value }) => {
      const found = new RegExp(says.source, `${says.flags.replace(/[dg]/g, '')}d`).exec(current);
      const [start, end] = found?.indices?.[1] ?? [];
      if (start === undefined || end === undefined) throw new Error(`${page} no longer says ${says}`);
      return current.slice(0, start) + value + current.slice(end);
    }, text);
}

/** The pages that some facts are about. */
export const pagesOf = (facts: readonly Fact[]): string[] => [...new Set(facts.map(({ page }) => page))];

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** As prose writes it: small numbers in words, large ones with commas. */
export const inWords = (count: number): string => WORDS[count] ?? count.toLocaleString('en-US');
export const grouped = (count: number): string => count.toLocaleString('en-US');

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** A duration in the largest unit that divides it: "90 days", "15 minutes". */
export function duration(ms: number): string {
  const [unitMs, name] = UNITS.find(([size]) => ms % size === 0) ?? [1, 'millisecond'];
  const count = ms / unitMs;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
