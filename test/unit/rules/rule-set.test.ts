import { checkCondition } from '../../../shared/domain/rules/language/check';
import { isRolledOut } from '../../../shared/domain/rules/rollout';
import { DEFAULT_RULE, type StoredRule } from '../../../shared/domain/rules/rule';
import type { RuleFacts } from '../../../shared/domain/rules/rule-facts';
import { ruleNames } from '../../../shared/domain/rules/rule-names';
import { compileRules } from '../../../shared/domain/rules/rule-set';
import type { Tree } from '../../../shared/domain/rules/tree';
import { fixedRules, ruleFollower } from '../../../shared/usecases/rules/follow-rules';
import { payment } from '../../support/payment';

const NOW = Date.parse('2026-11-14T09:30:00Z');
const facts: RuleFacts = {
  subject: payment(),
  ip: undefined,
  score: 5,
  vector: new Float32Array(),
  fired: [],
  lists: [],
};

const storedRule = (name: string, change: Partial<StoredRule> = {}): StoredRule => {
  const expression = change.expression ?? 'amount > 5';
  return {
    ...DEFAULT_RULE,
    name,
    action: 'review',
    state: 'active',
    version: 1,
    created_at: '2026-11-14T09:30:00.000Z',
    updated_at: '2026-11-14T09:30:00.000Z',
    updated_by: 'ana',
    expression,
    tree: checkCondition(expression, ruleNames()).tree,
    ...change,
  };
};

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

describe('following the rules of an account', () => {
  const world = () => {
    let now = NOW;
    let book = { revision: 1, rules: () => [storedRule('one')] };
    const reads: number[] = [];
    let failing = false;
    const failures: unknown[] = [];
    const follower = ruleFollower({
      clock: { now: () => now },
      books: {
        book: async () => {
          reads.push(now);
          if (failing) throw new Error('throttled');
          return book;
        },
      },
      onFailure: (error) => failures.push(error),
    });
    return {
      reads,
      failures,
      names: async () => (await follower.inForce('acc_1'))(facts, now).matched.map(({ name }) => name),
      later: (ms: number) => (now += ms),
      change: (...names: string[]) => {
        book = { revision: book.revision + 1, rules: () => names.map((name) => storedRule(name)) };
      },
      fail: (does: boolean) => (failing = does),
    };
  };

  it('reads once in 30 seconds, and a change works within 60', async () => {
    const at = world();
    expect(await at.names()).toEqual(['one']);
    at.later(29_000);
    await at.names();
    expect(at.reads).toHaveLength(1);
    at.change('two');
    at.later(2_000);
    // The read is under way; the request does not wait for it.
    expect(await at.names()).toEqual(['one']);
    expect(await at.names()).toEqual(['two']);
    at.change('three');
    at.later(59_000);
    // Idle for long: now it waits.
    expect(await at.names()).toEqual(['three']);
  });

  it('keeps what it knows while reads fail, and says that it knows nothing at the start', async () => {
    const at = world();
    at.fail(true);
    await expect(at.names()).rejects.toThrow('throttled');
    at.fail(false);
    at.later(6_000);
    expect(await at.names()).toEqual(['one']);
    at.fail(true);
    at.later(120_000);
    expect(await at.names()).toEqual(['one']);
    expect(at.failures).toHaveLength(2);
  });

  it('can be fixed, for replays', async () => {
    const rules = await fixedRules([storedRule('one')]).inForce('acc_1');
    expect(rules(facts, NOW).matched).toHaveLength(1);
  });
});
