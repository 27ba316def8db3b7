import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** What a page names in its column of tests: a file or a folder, and with a colon the title of a test in it. */
function namedTests(page: string): [file: string, title: string][] {
  const rows = readFileSync(join(ROOT, 'docs', page), 'utf8').match(/^\| \d+ \|.*$/gm) ?? [];
  return rows.flatMap((row) => {
    const cell = row.split(' | ').at(-1) ?? '';
    const named = [...cell.matchAll(/`(test\/[^`]+)`(?:: ([^|;`]+?))?(?=;|,| \||$)/g)];
    expect([row, named.length > 0]).toEqual([row, true]);
    return named.map(([, file = '', title = '']): [string, string] => [file, title.trim()]);
  });
}

describe.each(['attack-findings.md'])('docs/%s', (page) => {
  it('names tests that exist', () => {
    const tests = namedTests(page);
    expect(tests.length).toBeGreaterThanOrEqual(15);
    expect(tests.filter(([file]) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

it('docs/attack-findings.md names titles that the test files have', () => {
  const missing = namedTests('attack-findings.md').filter(
    ([file, title]) => !readFileSync(join(ROOT, file), 'utf8').includes(title),
  );
  expect(missing).toEqual([]);
});
