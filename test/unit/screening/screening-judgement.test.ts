import fc from 'fast-check';
import { compileRules, NO_RULES } from '../../../shared/domain/rules/rule-set';
import { screen } from '../../../shared/domain/screening/screen';
import { fixedRules } from '../../../shared/usecases/rules/follow-rules';
import { judgedMembers, judgeScreening, readRules } from '../../../shared/usecases/screening/screening-judgement';
import { callerOf, payment } from '../../support/payment';
import { storedRule } from '../rules/stored-rule';
import { arbitraryFacts } from './arbitrary-facts';

const caller = callerOf('acc_1');
const [facts] = fc.sample(arbitraryFacts, { numRuns: 1, seed: 7 }) as [
  typeof arbitraryFacts extends fc.Arbitrary<infer Facts> ? Facts : never,
];
const subject = payment({ amount: facts.attempt.amount });
const toJudge = { subject, facts, screening: screen(facts, caller.settings) };
const judged = (...rules: Parameters<typeof storedRule>[]) =>
  judgeScreening(toJudge, caller, compileRules(rules.map((each) => storedRule(...each))), []);

describe('the rules of an account', () => {
  it('are read beside the first trip, and a screening does without those it cannot read', async () => {
    expect(await readRules(undefined, 'acc_1')).toEqual({ rules: NO_RULES, missing: [] });
    const known = fixedRules([storedRule('one')]);
    expect((await readRules(known, 'acc_1')).missing).toEqual([]);
    const failing = { inForce: () => Promise.reject(new Error('throttled')) };
    expect(await readRules(failing, 'acc_1')).toEqual({ rules: NO_RULES, missing: ['rules'] });
    const throwing = {
      inForce: () => {
        throw new Error('never read');
      },
    };
    expect((await readRules(throwing, 'acc_1')).missing).toEqual(['rules']);
  });

  it('decide, and those in shadow only say what they would have done', () => {
    const result = judged(
      ['stop', { expression: 'true', action: 'block' }],
      ['try', { expression: 'true', state: 'shadow' }],
    );
    expect(result).toMatchObject({ decision: 'block', decided_by: { kind: 'rule', name: 'stop' } });
    expect(result.shadow_rules).toEqual([{ name: 'try', version: 1, action: 'review' }]);
    expect(judgedMembers(result)).toMatchObject({ decided_by: { name: 'stop' }, rules: [{ name: 'stop' }] });
  });

  it('see the amount that is supposed, not the one that was sent', () => {
    const small = { ...toJudge, facts: { ...facts, attempt: { ...facts.attempt, amount: 1 } } };
    const rules = compileRules([storedRule('large', { expression: 'amount > 1.5', action: 'block' })]);
    expect(judgeScreening({ ...small, subject: payment({ amount: 900 }) }, caller, rules, []).rules).toEqual([]);
  });
});

it('a record keeps nothing where only the score decided', () => {
  expect(judgedMembers(judgeScreening(toJudge, caller, NO_RULES, []))).toEqual({});
});

it('a list counts like a rule with priority 0', () => {
  const list = { name: 'stolen', type: 'device_fingerprint', effect: 'block' } as const;
  const result = judgeScreening(toJudge, caller, NO_RULES, [list]);
  expect(result).toMatchObject({ decision: 'block', decided_by: { kind: 'list', name: 'stolen' } });
  expect(judgedMembers(result).lists).toEqual(['stolen']);
});
