/** A table in Markdown. */
export const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** A page with its tables renewed between the markers `<!-- name -->` and `<!-- /name -->`. */
export const withMarked = (page: string, tables: Readonly<Record<string, string>>): string =>
  Object.entries(tables).reduce((text, [name, content]) => {
    const [before, rest = ''] = text.split(`<!-- ${name} -->`);
    const [, after = ''] = rest.split(`<!-- /${name} -->`);
    return `${before}<!-- ${name} -->\n\n${content}\n\n<!-- /${name} -->${after}`;
  }, page);
