import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeReport } from '../../../bench/support/measurement';
import { GENERATED } from '../../../docs/generated/sections';
import { withSections } from '../../../shared/cli/text-table';
import { expressionFault } from '../../../shared/domain/rules/rule-faults';
import { RULE_NAMES } from '../../../shared/domain/rules/rule-names';

it.each(Object.entries(GENERATED))('%s has the sections that the code gives: npm run generate', (page, sections) => {
  const text = readFileSync(join(__dirname, '../../..', page), 'utf8');
  expect(withSections(text, sections())).toBe(text);
});

it('a section is replaced, and nothing else; one that is gone is an error, not silence', () => {
  const page = 'before\n<!-- a -->\nold\n<!-- /a -->\nafter $1';
  expect(withSections(page, { a: 'new $1' })).toBe('before\n<!-- a -->\n\nnew $1\n\n<!-- /a -->\nafter $1');
  expect(() => withSections(page, { b: '' })).toThrow('no section <!-- b -->');
});

it('the examples of names in rules can be sent as they are', () => {
  expect(RULE_NAMES.flatMap(({ example }) => expressionFault(example) ?? [])).toEqual([]);
});

it('a report goes into its section of a page that has one, and is a file by itself otherwise', () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  const [page, file] = [join(folder, 'page.md'), join(folder, 'file.md')];
  writeFileSync(page, '# Page\n<!-- load -->\n<!-- /load -->\n');
  for (const each of [page, file]) writeReport(each, 'load', 'fast');
  expect(readFileSync(page, 'utf8')).toBe('# Page\n<!-- load -->\n\nfast\n\n<!-- /load -->\n');
  expect(readFileSync(file, 'utf8')).toBe('fast\n');
  rmSync(folder, { recursive: true });
});
