/** Rows as columns of text: numbers (cells that look like one) right-aligned, words left-aligned. */
export function textTable(rows: ReadonlyArray<readonly string[]>): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isNumeric = (rows[0] ?? []).map((_, column) =>
    rows.slice(1).every((row) => /^([-+$~<]?[\d.,]+( ?[%a-zµ/]+)?|)$/i.test(row[column] ?? '')),
  );
  const cell = (text: string, column: number): string =>
    isNumeric[column] ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n');
}

export function markdownTable(rows: ReadonlyArray<readonly string[]>): string {
  const [head = [], ...body] = rows;
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}

/** Replaces sections of a page: the text between `<!-- name -->` and `<!-- /name -->`. */
export function withSections(page: string, sections: Readonly<Record<string, string>>): string {
  return Object.entries(sections).reduce((text, [name, content]) => {
    const marked = new RegExp(`<!-- ${name} -->[^]*?<!-- /${name} -->`);
    if (!marked.test(text)) throw new Error(`The page has no section <!-- ${name} --> … <!-- /${name} -->`);
    return text.replace(marked, () => `<!-- ${name} -->\n\n${content}\n\n<!-- /${name} -->`);
  }, page);
}
