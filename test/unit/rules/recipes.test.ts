import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expressionFault } from '../../../shared/domain/rules/rule-faults';

const PAGE = readFileSync(join(__dirname, '../../../docs/guide/rules.md'), 'utf8');

describe('docs/guide/rules.md', () => {
  it('has ten recipes that can be sent as they are', () => {
    const rows = PAGE.slice(PAGE.indexOf('## Ten recipes')).matchAll(/^\| [^|`]+ \| `([^`]+)` \| `(\w+)`/gm);
    const recipes = [...rows].map(([, expression = '']) => expression);
    expect(recipes).toHaveLength(10);
    expect(recipes.flatMap((expression) => expressionFault(expression) ?? [])).toEqual([]);
  });
});
