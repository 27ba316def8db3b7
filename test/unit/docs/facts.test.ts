import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeFacts } from '../../../docs/facts/code-facts';
import { duration, type Fact, inWords, pagesOf, withFacts } from '../../../docs/facts/fact';
import { packageFacts } from '../../../docs/facts/package-facts';
import { RETENTION_PAGE, withRetention } from '../../../docs/facts/retention-table';
import { ruleFacts } from '../../../docs/facts/rule-facts';
import { PARTITION } from '../../../shared/store/keys';

const facts = [...codeFacts(), ...packageFacts(), ...ruleFacts()];

describe('what documents say and the code knows', () => {
  it.each(pagesOf(facts))('%s is up to date (npm run generate)', (page) => {
    const text = readFileSync(join(__dirname, '../../..', page), 'utf8');
    expect(withFacts(page, text, facts)).toBe(text);
  });
});

it('the guide says of every kind of data where it is, how long, and under which key (npm run generate)', () => {
  const text = readFileSync(join(__dirname, '../../..', RETENTION_PAGE), 'utf8');
  expect(withRetention(text)).toBe(text);
  for (const kind of Object.values(PARTITION)) expect(text).toContain(`\`${kind}…\``);
});

describe('a fact', () => {
  const fact: Fact = { page: 'a.md', says: /for (\d+ days)/, value: '30 days' };

  it('replaces the value and nothing else', () => {
    expect(withFacts('a.md', 'Kept for 9 days, not 9 days.', [fact])).toBe('Kept for 30 days, not 9 days.');
    expect(withFacts('b.md', 'Kept for 9 days.', [fact])).toBe('Kept for 9 days.');
  });

  it('whose words are gone is an error, not silence', () => {
    expect(() => withFacts('a.md', 'Kept as long as needed.', [fact])).toThrow('a.md no longer says');
  });

  it('is written as people write', () => {
    expect([duration(90 * 86_400_000), duration(10_000), duration(86_400_000)]).toEqual([
      '90 days',
      '10 seconds',
      '1 day',
    ]);
    expect([inWords(6), inWords(1_000)]).toEqual(['six', '1,000']);
  });
});
