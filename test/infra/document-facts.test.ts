import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesOf, withFacts } from '../../docs/facts/fact';
import { templateFacts } from '../../docs/facts/template-facts';
import { resourcesOf } from '../support/template';

const facts = templateFacts(resourcesOf('FraudScreening-production'));

describe('what documents say and the template knows', () => {
  it.each(pagesOf(facts))('%s is up to date (npm run generate)', (page) => {
    const text = readFileSync(join(__dirname, '../..', page), 'utf8');
    expect(withFacts(page, text, facts)).toBe(text);
  });
});
