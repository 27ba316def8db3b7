import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const PAGE = readFileSync(join(ROOT, 'docs/deployment-findings.md'), 'utf8');

interface Named {
  readonly row: string;
  readonly file: string;
  readonly title: string;
}

/** Rows of the table: the number of a finding, and the tests that its last column names, `file`: “title”; “title”. */
const rows = PAGE.split('\n')
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .filter(([, number = '']) => /^\d+$/.test(number));
const named = rows.flatMap(([, row = '', , , tests = '']): Named[] =>
  tests.split('<br>').flatMap((part) => {
    const [, file = '', titles = ''] = /^`([^`]+)`: (.+)$/.exec(part) ?? [];
    return [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ row, file, title }));
  }),
);

/** Whether a test file has a test with this title, as it stands in the code; parameters come before it. */
function hasTitle(file: string, title: string): boolean {
  const code = readFileSync(join(ROOT, file), 'utf8').replace(/\\'/g, "'");
  return ["'", '"', '`'].some((quote) => code.includes(`${title}${quote}`));
}

describe('docs/deployment-findings.md', () => {
  it('has all seventeen findings, each with a test', () => {
    const findings = [...new Set(rows.map(([, number]) => Number(number)))];
    expect(findings).toEqual(Array.from({ length: 17 }, (_, at) => at + 1));
    const tested = new Set(named.map(({ row }) => row));
    expect(findings.filter((number) => !tested.has(String(number)))).toEqual([]);
    expect(named.length).toBeGreaterThan(rows.length);
  });

  it('names only tests that there are', () => {
    const missing = named.filter(({ file, title }) => !existsSync(join(ROOT, file)) || !hasTitle(file, title));
    expect(missing).toEqual([]);
  });
});
