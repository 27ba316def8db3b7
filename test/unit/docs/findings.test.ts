import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

interface Named {
  readonly row: string;
  readonly file: string;
  readonly title: string;
}

/** Rows of a page's table: the number of a finding, and the tests that its last column names, `file`: “title”; “title”. */
function findingsOf(page: string) {
  const rows = readFileSync(join(ROOT, 'docs', page), 'utf8')
    .split('\n')
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter(([, number = '']) => /^\d+$/.test(number));
  const named = rows.flatMap(([, row = '', , , tests = '']): Named[] =>
    tests.split('<br>').flatMap((part) => {
      const [, file = '', titles = ''] = /^`([^`]+)`: (.+)$/.exec(part) ?? [];
      return [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ row, file, title }));
    }),
  );
  return { rows, named };
}

/** Whether a test file has this title, or a part of it, as it stands in the code. */
const hasTitle = (file: string, title: string): boolean =>
  readFileSync(join(ROOT, file), 'utf8').replace(/\\'/g, "'").includes(title);

describe.each([
  ['attack-findings.md', 8],
  ['deployment-findings.md', 17],
])('docs/%s', (page, count) => {
  const { rows, named } = findingsOf(page);

  it(`has all ${count} findings, each with a test`, () => {
    const findings = [...new Set(rows.map(([, number]) => Number(number)))];
    expect(findings).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    expect(rows.filter(([, , , , tests = '']) => !tests.includes('“'))).toEqual([]);
    expect(named.length).toBeGreaterThanOrEqual(rows.length);
  });

  it('names only tests that there are', () => {
    const missing = named.filter(({ file, title }) => !existsSync(join(ROOT, file)) || !hasTitle(file, title));
    expect(missing).toEqual([]);
  });
});
