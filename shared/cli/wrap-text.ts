const DEFAULT_WIDTH = 100;
const NARROWEST = 40;

/** The width of the terminal. A pipe has none: then the shell's COLUMNS, if it is a number. */
export function terminalWidth(
  columns: number | undefined = process.stdout.columns,
  shell: string | undefined = process.env.COLUMNS,
): number {
  const said = /^[1-9]\d*$/.test(shell ?? '') ? Number(shell) : DEFAULT_WIDTH;
  return Math.max(NARROWEST, columns || said);
}

interface Piece {
  readonly text: string;
  readonly gap: string;
}

/** The words of a paragraph; one that is too long for a line is broken after commas and bars, if it has any. */
const piecesOf = (paragraph: string, width: number): Piece[] =>
  paragraph.split(/ +/).flatMap((word) => {
    const parts = word.length > width ? word.split(/(?<=[,|])/) : [word];
    return parts.map((text, at) => ({ text, gap: at === 0 ? ' ' : '' }));
  });

/** The text in lines of at most this width, the second and further ones indented. A longer word has a line to itself. */
export function wrapText(text: string, width: number, indent = 0): string {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    const [, own = ''] = /^( *)/.exec(paragraph) ?? [];
    let line = own;
    for (const { text: word, gap } of piecesOf(paragraph.trim(), width - indent - own.length)) {
      if (line.trim() !== '' && line.length + gap.length + word.length > width) {
        lines.push(line);
        line = ' '.repeat(indent + own.length) + word;
      } else line = line.trim() === '' ? line + word : line + gap + word;
    }
    lines.push(line);
  }
  return lines.join('\n');
}

const NO_BREAK = '\u00a0';

const wrapUsage = (usage: string, width: number): string =>
  wrapText(
    usage.replace(/\[[^\]]*\]/g, (option) => option.replaceAll(' ', NO_BREAK)),
    width,
    2,
  ).replaceAll(NO_BREAK, ' ');

/** Two columns: usage, and its description wrapped next to it. A usage too long for its column gets its own line. */
export function wrapColumns(rows: ReadonlyArray<readonly [string, string]>, width: number): string {
  const widest = Math.max(...rows.map(([left]) => left.length)) + 2;
  const column = Math.min(widest, Math.floor(width / 2));
  return rows
    .map(([left, right]) => {
      if (right === '') return left;
      const sharesLine = left.length + 2 <= column;
      const text = wrapText(right, Math.max(20, width - column)).replaceAll('\n', `\n${' '.repeat(column)}`);
      return sharesLine ? left.padEnd(column) + text : `${wrapUsage(left, width)}\n${' '.repeat(column)}${text}`;
    })
    .join('\n');
}
