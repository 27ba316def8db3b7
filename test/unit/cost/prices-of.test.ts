import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pricesOf } from '../../../bench/cost/bill-summary';
import { US_EAST_1 } from '../../../lib/prices';
import { failureText } from '../../../shared/cli/command-line';

const folder = mkdtempSync(join(tmpdir(), 'prices-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const file = join(folder, 'prices.json');
  writeFileSync(file, text);
  return file;
}

const failureOf = (file: string): string | undefined => {
  try {
    pricesOf(file);
  } catch (error) {
    return failureText(error);
  }
  return 'nothing failed';
};

it('replaces the prices that a file names, and keeps the others', () => {
  const file = fileWith('{"tableWrite": 7.1e-7}');
  const { tableWrite, ...others } = pricesOf(file);
  expect(tableWrite).toMatchObject({ tiers: [{ from: 0, usd: 7.1e-7 }], source: file });
  expect({ tableWrite: US_EAST_1.tableWrite, ...others }).toEqual(US_EAST_1);
  expect(pricesOf(undefined)).toBe(US_EAST_1);
});

it('says in a sentence what is wrong with a file', () => {
  expect(failureOf('/nowhere/prices.json')).toBe(
    'No such file: /nowhere/prices.json. Check the path; --help shows an example.',
  );
  expect(failureOf(fileWith('nonsense'))).toContain('is not JSON');
  expect(failureOf(fileWith('{"gold": 1}'))).toContain('unknown price gold');
  expect(failureOf(fileWith('{"tableWrite": "free"}'))).toContain('tableWrite must be a price in dollars');
});
