import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
/** Paths in backquotes, and the targets of links within the repository. */
const pathsIn = (text: string): string[] => [
  ...[...text.matchAll(/`((?:bin|lib|functions|shared|local|test|docs|bench|training)\/[\w./-]+\.\w+)`/g)].map(
    ([, path]) => path ?? '',
  ),
  ...[...text.matchAll(/\]\(((?!https?:)[\w./-]+\.md)\)/g)].map(([, path]) => path ?? ''),
];

describe.each([
  'SECURITY.md',
  'docs/promises.md',
  'docs/backup-and-restore.md',
  'docs/rotation.md',
  'docs/scale.md',
  'docs/testing.md',
])('%s', (page) => {
  it('names only files that are there', () => {
    const paths = pathsIn(read(page));
    expect(paths.length).toBeGreaterThan(page.endsWith('scale.md') ? 1 : 2);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

/** The rows of a table that begin with what the pattern says. */
const rowsOf = (page: string, first: RegExp): string[][] =>
  read(page)
    .split('\n')
    .filter((line) => line.startsWith('| ') && first.test(line.slice(2)))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

it('SECURITY.md has all ten risks of OWASP, each with code and a test', () => {
  const rows = rowsOf('SECURITY.md', /^API\d+ /);
  expect(rows.map(([risk]) => risk?.split(' ')[0])).toEqual(Array.from({ length: 10 }, (_, at) => `API${at + 1}`));
  for (const [risk, , where = '', tested = ''] of rows) {
    expect([risk, pathsIn(where).length > 0, pathsIn(tested).length > 0]).toEqual([risk, true, true]);
    expect(pathsIn(tested).every((path) => path.startsWith('test/') && path.endsWith('.test.ts'))).toBe(true);
  }
});

it('every promise has a test and a measurement', () => {
  const rows = rowsOf('docs/promises.md', /^(\d+|–) /);
  expect(rows.length).toBeGreaterThan(20);
  for (const [, promise, tests = '', measured = ''] of rows) {
    expect([promise, pathsIn(tests).some((path) => path.endsWith('.test.ts')), measured.length > 5]).toEqual([
      promise,
      true,
      true,
    ]);
  }
});
