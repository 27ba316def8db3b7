import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expressionFault } from '../../../shared/domain/rules/rule-faults';

const PAGE = readFileSync(join(__dirname, '../../../docs/guide/rules.md'), 'utf8');

describe('docs/guide/rules.md', () => {
  it('has ten recipes that can be sent as they are', () => {
    const [, part = ''] = PAGE.split('## Ten recipes');
    const rows = (part.split('\n## ')[0] ?? '').matchAll(/^\| [^|`]+ \| `([^`]+)` \| `(\w+)`/gm);
    const recipes = [...rows].map(([, expression = '']) => expression);
    expect(recipes).toHaveLength(10);
    expect(recipes.flatMap((expression) => expressionFault(expression) ?? [])).toEqual([]);
  });

  it('translates rules of others to expressions that are right', () => {
    const [, part = ''] = PAGE.split('## From Radar and Fraud Detector');
    const expressions = [...part.matchAll(/^\| `.+?` \| `([^`]+)`/gm)].map(([, expression = '']) => expression);
    expect(expressions.length).toBeGreaterThanOrEqual(14);
    expect(expressions.flatMap((expression) => expressionFault(expression) ?? [])).toEqual([]);
  });
});
