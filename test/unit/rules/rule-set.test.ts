import type { StoredRule } from '../../../shared/domain/rules/rule';
import { compileRules, isRolledOut } from '../../../shared/domain/rules/rule-set';
import type { Tree } from '../../../shared/domain/rules/tree';
import { payment } from '../../support/payment';
import { ruleFacts as facts, NOW, storedRule } from './stored-rule';

const matching = (rules: readonly StoredRule[], given = facts, atMs = NOW) => {
  const { matched, shadow, failed } = compileRules(rules)(given, atMs);
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  return { matched: names(matched), shadow: names(shadow), failed };
};

describe('running rules', () => {
  it('runs active ones, shows those in shadow, and leaves drafts and paused ones alone', () => {
    const rules = (['draft', 'shadow', 'active', 'paused'] as const).map((state) => storedRule(state, { state }));
    expect(matching(rules)).toEqual({ matched: ['active'], shadow: ['shadow'], failed: [] });
  });

  it('ends to the instant', () => {
    const rules = [storedRule('a', { expires_at: '2026-11-14T09:30:00.000Z' })];
    expect(matching(rules, facts, NOW - 1).matched).toEqual(['a']);
    expect(matching(rules, facts, NOW).matched).toEqual([]);
  });

  it('applies to what it says', () => {
    const rules = [storedRule('logins', { applies_to: ['login'], expression: 'true' })];
    expect(matching(rules).matched).toEqual([]);
    const login = { ...facts, subject: payment({ subject_type: 'event', action: 'login' }) };
    expect(matching(rules, login).matched).toEqual(['logins']);
  });

  it('skips a rule that cannot be compiled or evaluated, and names it; the others run', () => {
    const broken = storedRule('broken', { tree: { op: 'name' } as unknown as Tree });
    const unknown = storedRule('of-a-later-version', { tree: { op: 'name', name: 'moon.phase' } });
    const strange = storedRule('strange', { tree: { op: 'lower', of: { op: 'value', value: 5 } } });
    expect(matching([broken, unknown, strange, storedRule('good')])).toEqual({
      matched: ['good'],
      shadow: [],
      failed: ['broken', 'strange'],
    });
  });

  it('is rolled out to about as many users as it says; more percent never drop one', () => {
    const users = Array.from({ length: 2_000 }, (_, i) => `user-${i}`);
    const of = (percent: number, rule = 'a') => users.filter((user) => isRolledOut(rule, user, percent));
    expect(of(10).length).toBeGreaterThan(140);
    expect(of(10).length).toBeLessThan(260);
    let before: string[] = [];
    for (const percent of [1, 5, 10, 35, 50, 90, 99, 100]) {
      const now = of(percent);
      expect(before.filter((user) => !now.includes(user))).toEqual([]);
      before = now;
    }
    expect(before).toHaveLength(users.length);
    // Another rule tries other users.
    expect(of(10, 'b')).not.toEqual(of(10));
  });
});
