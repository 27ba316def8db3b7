import { planRules } from '../../../bin/rules/plan-rules';
import { readRuleFile } from '../../../shared/cli/rule-file';
import type { Rule } from '../../../shared/domain/rules/rule';

const GOOD = `
rules:
  gift-cards: { expression: 'amount > 200', action: review, state: active }
  vips: { expression: 'user_id.startsWith("vip")', action: allow }
`;

const rulesOf = (text: string) => {
  const read = readRuleFile(text);
  if (!('rules' in read)) throw new Error(read.faults.join('\n'));
  return read.rules;
};

const stored = (name: string, change: object = {}): Rule => ({
  name,
  version: 3,
  created_at: '2026-11-14T09:30:00.000Z',
  updated_at: '2026-11-14T09:30:00.000Z',
  updated_by: 'ana',
  ...(rulesOf(GOOD).get('gift-cards') as NonNullable<ReturnType<ReturnType<typeof rulesOf>['get']>>),
  ...change,
});

describe('rules in a file', () => {
  it('are compared with the account: added, changed and deleted, in the order of their names', () => {
    const plan = planRules(rulesOf(GOOD), [stored('gift-cards', { state: 'shadow' }), stored('old')]);
    expect(plan.lines).toEqual([
      '~ gift-cards',
      '    state: "shadow" -> "active"',
      '- old',
      '+ vips: allow (draft) if user_id.startsWith("vip")',
    ]);
    expect(plan.put.map(({ name, version }) => [name, version])).toEqual([
      ['gift-cards', 3],
      ['vips', undefined],
    ]);
    expect(plan.remove).toEqual([{ name: 'old', version: 3 }]);
  });

  it('differ in nothing once applied', () => {
    const file = rulesOf(GOOD);
    const applied = [...file].map(([name, rule]) => stored(name, rule));
    expect(planRules(file, applied)).toEqual({ put: [], remove: [], lines: [] });
  });

  it.each([
    ['rules: []', 'must have a map `rules`'],
    ['rules: { Bad: { expression: "true", action: allow } }', 'Bad: not a valid name'],
    ['rules: { a: { expression: "amuont > 1", action: allow } }', 'a.expression: at position 1: Unknown name amuont'],
    ['rules: { a: { expression: "true", action: points } }', 'a.points: is required'],
    ['rules: { a: { expression: "true", action: allow, prio: 1 } }', 'prio'],
    ['rules: [', 'must'],
  ])('%s is refused', (text, reason) => {
    const read = readRuleFile(text);
    expect('faults' in read ? read.faults.join('\n') : 'accepted').toContain(reason);
  });
});
