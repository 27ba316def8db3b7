import fc from 'fast-check';
import { compileRules, NO_RULES } from '../../../shared/domain/rules/rule-set';
import { screen } from '../../../shared/domain/screening/screen';
import { decideOn } from '../../../shared/usecases/screening/decide-screening';
import { decisionMembers } from '../../../shared/usecases/screening/new-record';
import { callerOf, payment } from '../../support/payment';
import { storedRule } from '../rules/stored-rule';
import { arbitraryFacts } from './arbitrary-facts';

const { settings } = callerOf('acc_1');
const [facts] = fc.sample(arbitraryFacts, { numRuns: 1, seed: 7 }) as [
  typeof arbitraryFacts extends fc.Arbitrary<infer Facts> ? Facts : never,
];
const subject = payment({ amount: facts.attempt.amount });
const scored = { subject, facts, screening: screen(facts, settings) };
const decided = (...rules: Parameters<typeof storedRule>[]) =>
  decideOn(scored, settings, compileRules(rules.map((each) => storedRule(...each))), []);

describe('the rules of an account', () => {
  it('decide, and those in shadow only say what they would have done', () => {
    const result = decided(
      ['stop', { expression: 'true', action: 'block' }],
      ['try', { expression: 'true', state: 'shadow' }],
    );
    expect(result).toMatchObject({ decision: 'block', decided_by: { kind: 'rule', name: 'stop' } });
    expect(result.shadow_rules).toEqual([{ name: 'try', version: 1, action: 'review' }]);
    expect(decisionMembers(result)).toMatchObject({ decided_by: { name: 'stop' }, rules: [{ name: 'stop' }] });
  });

  it('see the amount that is supposed, not the one that was sent', () => {
    const small = { ...scored, facts: { ...facts, attempt: { ...facts.attempt, amount: 1 } } };
    const rules = compileRules([storedRule('large', { expression: 'amount > 1.5', action: 'block' })]);
    expect(decideOn({ ...small, subject: payment({ amount: 900 }) }, settings, rules, []).rules).toEqual([]);
  });
});

it('a record keeps nothing where only the score decided', () => {
  expect(decisionMembers(decideOn(scored, settings, NO_RULES, []))).toEqual({});
});

it('a list counts like a rule with priority 0', () => {
  const list = { name: 'stolen', type: 'device_fingerprint', effect: 'block' } as const;
  const result = decideOn(scored, settings, NO_RULES, [list]);
  expect(result).toMatchObject({ decision: 'block', decided_by: { kind: 'list', name: 'stolen' } });
  expect(decisionMembers(result).lists).toEqual(['stolen']);
});
