import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SOURCES } from '../../docs/site/site-map';

const ROOT = join(__dirname, '../..');
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
/** What a build writes, and the example of a how-to. */
const MADE = /\/dist\/|\bthing\b/;
/** Paths in backquotes, and the targets of links within the repository. */
const pathsIn = (text: string): string[] => [
  ...[
    ...text.matchAll(
      /`((?:bench|bin|console|demo|docs|functions|lib|local|sdk|shared|test|training)\/[\w./-]+\.\w+)`/g,
    ),
  ].map(([, path]) => path ?? ''),
  ...[...text.matchAll(/\]\(((?!https?:)[\w./-]+\.md)\)/g)].map(([, path]) => path ?? ''),
];

describe('documents', () => {
  // A changelog tells of files that later moved.
  const pages = SOURCES.filter((page) => page.endsWith('.md') && page !== 'CHANGELOG.md');

  it.each(pages)('%s names only files that are there', (page) => {
    const paths = pathsIn(read(page)).filter((path) => !MADE.test(path));
    const isThere = (path: string): boolean =>
      [ROOT, join(ROOT, dirname(page))].some((from) => existsSync(join(from, path)));
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  it.each(['SECURITY.md', 'docs/promises.md', 'docs/rotation.md'])('%s names the code that it is about', (page) => {
    expect(pathsIn(read(page)).length).toBeGreaterThan(2);
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
