/** A model text that cannot be read; the message names the line, numbered from 1. */
export class ModelTextError extends Error {
  override readonly name = 'ModelTextError';

  constructor(
    readonly line: number,
    problem: string,
  ) {
    super(`model text, line ${line}: ${problem}`);
  }
}

/** One `key=value` line. */
export interface TextField {
  readonly line: number;
  readonly value: string;
}

/** A run of `key=value` lines: the header, or one tree. */
export interface TextSection {
  readonly line: number;
  readonly fields: ReadonlyMap<string, TextField>;
}

export interface ModelText {
  readonly header: TextSection;
  readonly trees: readonly TextSection[];
}

/**
 * Splits LightGBM's text into its header and its trees. Everything after `end of trees` (importances, parameters,
 * pandas' categories) is for people and is not read; `tree_sizes` is not used, so an editor may change line endings.
 */
export function cutModelText(text: string): ModelText {
  const lines = text.split('\n');
  const trees: TextSection[] = [];
  let fields = new Map<string, TextField>();
  const header: TextSection = { line: 1, fields };
  if (lines[0]?.trim() !== 'tree') throw new ModelTextError(1, 'expected "tree", as LightGBM begins its text models');

  for (let i = 1; i < lines.length; i++) {
    const line = i + 1;
    const content = (lines[i] as string).trim();
    if (content === '') continue;
    if (content === 'end of trees') return { header, trees };
    const cut = content.indexOf('=');
    // A flag such as `average_output` is a key without a value.
    const key = cut < 0 ? content : content.slice(0, cut);
    const value = cut < 0 ? '' : content.slice(cut + 1);
    if (key === 'Tree') {
      if (value !== String(trees.length)) throw new ModelTextError(line, `expected Tree=${trees.length}`);
      fields = new Map();
      trees.push({ line, fields });
      continue;
    }
    if (fields.has(key)) throw new ModelTextError(line, `"${key}" is given twice`);
    fields.set(key, { line, value });
  }
  throw new ModelTextError(lines.length, 'the text ends before "end of trees": it is truncated');
}

/** A required field. */
export function requiredField(section: TextSection, key: string): TextField {
  const field = section.fields.get(key);
  if (field === undefined)
    throw new ModelTextError(section.line, `"${key}" is absent from the section that begins here`);
  return field;
}

/** A required whole number. */
export function wholeField(section: TextSection, key: string, least: number): number {
  const { line, value } = requiredField(section, key);
  const number = Number(value);
  if (value.trim() === '' || !Number.isInteger(number) || number < least) {
    throw new ModelTextError(line, `"${key}" must be a whole number from ${least}, not "${shown(value)}"`);
  }
  return number;
}

/**
 * As a threshold: LightGBM writes it where a split separates missing values from all others. Read as the largest 32-bit
 * number, because a scorer may read a missing value as infinite.
 */
const OPEN_END = 'inf';
const LARGEST_FLOAT = 3.4028234663852886e38;

/** Exactly `count` finite numbers; with `isWhole`, none may have a fraction. Only a threshold may be `inf`. */
export function numbersField(section: TextSection, key: string, count: number, isWhole: boolean): Float64Array {
  const { line, value } = requiredField(section, key);
  const tokens = value.trim() === '' ? [] : value.trim().split(/ +/);
  if (tokens.length !== count) {
    throw new ModelTextError(line, `"${key}" has ${tokens.length} numbers where ${count} belong`);
  }
  const numbers = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const isOpen = key === 'threshold' && tokens[i] === OPEN_END;
    const number = isOpen ? LARGEST_FLOAT : Number(tokens[i]);
    if (!Number.isFinite(number) || (isWhole && !Number.isInteger(number))) {
      const kind = isWhole ? 'whole' : 'finite';
      throw new ModelTextError(
        line,
        `"${key}" number ${i + 1} is not a ${kind} number: "${shown(tokens[i] as string)}"`,
      );
    }
    numbers[i] = number;
  }
  return numbers;
}

function shown(value: string): string {
  return value.length > 40 ? `${value.slice(0, 40)}…` : value;
}
