import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { csvLine, readEntries } from '../../../bin/admin/lists/csv-lines';

const folder = mkdtempSync(join(tmpdir(), 'csv-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(text: string) {
  const file = join(folder, 'entries.csv');
  writeFileSync(file, text);
  const found = [];
  for await (const each of readEntries(file)) found.push(each);
  return found;
}

it('reads a file with a header, by its columns, and says which line an entry is on', async () => {
  expect(await read('\ufeffReason,VALUE\n"a, b",ann\n\n,"bob ""x"""\n')).toEqual([
    { line: 2, entry: { value: 'ann', expires_at: undefined, reason: 'a, b' } },
    { line: 4, entry: { value: 'bob "x"', expires_at: undefined, reason: undefined } },
  ]);
});

it('reads a file without a header: values, then expiry and reason', async () => {
  expect(await read('ann\r\nbob,2027-01-01T00:00:00Z,why\r\n')).toEqual([
    { line: 1, entry: { value: 'ann', expires_at: undefined, reason: undefined } },
    { line: 2, entry: { value: 'bob', expires_at: '2027-01-01T00:00:00Z', reason: 'why' } },
  ]);
});

it('writes what it reads', async () => {
  const values = ['plain', 'a,b', 'say "x"', 'two\nlines'];
  const text = csvLine(['value', 'reason']) + values.map((value) => csvLine([value, null])).join('');
  expect((await read(text)).map(({ entry }) => entry.value)).toEqual(values);
});
