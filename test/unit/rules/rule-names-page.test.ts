import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULE_NAMES_PAGE, withRuleNames } from '../../../docs/facts/rule-name-tables';
import { expressionFault } from '../../../shared/domain/rules/rule-faults';
import { RULE_NAMES } from '../../../shared/domain/rules/rule-names';

const PAGE = readFileSync(join(__dirname, '../../..', RULE_NAMES_PAGE), 'utf8');

describe(RULE_NAMES_PAGE, () => {
  it('lists every name as the code has it', () => {
    expect(withRuleNames(PAGE)).toBe(PAGE);
    for (const { name } of RULE_NAMES) expect(PAGE).toContain(`| \`${name}\` |`);
  });

  it('has examples that can be sent as they are', () => {
    expect(RULE_NAMES.flatMap(({ example }) => expressionFault(example) ?? [])).toEqual([]);
  });
});
