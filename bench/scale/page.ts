import { markdownTable } from '../../shared/cli/text-table';

type Rows = ReadonlyArray<readonly string[]>;

/** A page with its tables replaced: each stands between `<!-- name -->` and `<!-- end -->`. */
export function withTables(page: string, tables: Readonly<Record<string, Rows>>): string {
  return Object.entries(tables).reduce((text, [name, rows]) => {
    const marker = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`);
    if (!marker.test(text)) throw new Error(`The page has no marker for the table "${name}"`);
    return text.replace(marker, (_all, begin, end) => `${begin}${markdownTable(rows)}\n${end}`);
  }, page);
}
