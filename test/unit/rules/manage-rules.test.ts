import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { NO_DECLARATIONS } from '../../../shared/domain/declarations/declaration';
import { ruleCounter } from '../../../shared/domain/overview/overview-counters';
import { MAX_RULES } from '../../../shared/domain/rules/rule';
import { countMatches } from '../../../shared/usecases/rules/count-matches';
import {
  deleteRule,
  getRule,
  getRules,
  getVersions,
  type ManageRulesDeps,
  putRule,
  type RuleRequest,
} from '../../../shared/usecases/rules/manage-rules';
import { fixedRules, ruleFollower } from '../../../shared/usecases/screening/followers';
import { memoryRules } from '../../support/memory/memory-rules';
import { callerOf } from '../../support/traffic/payment';
import { ruleFacts as facts, NOW, storedRule } from './stored-rule';

describe('manage rules', () => {
  const ana = { ...callerOf('acc_1'), person: 'ana.silva' };
  const base: RuleRequest = { expression: 'amount > 200', action: 'review' };

  function world(): ManageRulesDeps {
    let now = Date.parse('2026-11-14T09:30:00Z');
    return { clock: { now: () => (now += 1_000) }, rules: memoryRules() };
  }
  const put = (deps: ManageRulesDeps, name: string, change: Partial<RuleRequest> = {}, ifVersion?: number) =>
    putRule(deps, ana, name, { request: { ...base, ...change }, ifVersion });

  describe('managing rules', () => {
    it('creates a draft with defaults, then versions of it', async () => {
      const deps = world();
      const { rule, isNew } = await put(deps, 'gift-cards');
      expect(isNew).toBe(true);
      expect(rule).toMatchObject({
        version: 1,
        state: 'draft',
        priority: 500,
        rollout_percent: 100,
        points: null,
        expires_at: null,
        note: null,
        override_labels: false,
        updated_by: 'ana.silva',
      });
      expect(rule.applies_to).toContain('login');
      const changed = await putRule(deps, callerOf('acc_1'), 'gift-cards', { request: { ...base, state: 'active' } });
      expect(changed).toMatchObject({ isNew: false, rule: { version: 2, state: 'active', updated_by: 'key_test' } });
      expect(changed.rule.created_at).toBe(rule.created_at);
      expect((await getVersions(deps, ana, 'gift-cards')).map(({ version, state }) => [version, state])).toEqual([
        [2, 'active'],
        [1, 'draft'],
      ]);
    });

    it('does not count a rule that is sent again as it is', async () => {
      const deps = world();
      await put(deps, 'a', { expires_at: '2027-01-01' });
      expect((await put(deps, 'a', { expires_at: '2027-01-01T00:00:00Z' })).rule).toMatchObject({
        version: 1,
        expires_at: '2027-01-01T00:00:00.000Z',
      });
    });

    it('refuses a change of another version than the current one', async () => {
      const deps = world();
      await put(deps, 'a');
      await put(deps, 'a', { note: 'two' });
      await expect(put(deps, 'a', { note: 'three' }, 1)).rejects.toMatchObject({ code: 'version_mismatch' });
      await expect(put(deps, 'b', {}, 1)).rejects.toMatchObject({ code: 'version_mismatch' });
      await expect(deleteRule(deps, ana, 'a', 1)).rejects.toMatchObject({ code: 'version_mismatch' });
      expect((await put(deps, 'a', { note: 'three' }, 2)).rule.version).toBe(3);
    });

    it('keeps both changes of two editors of different rules, and one of two of the same version', async () => {
      const deps = world();
      await Promise.all(['a', 'b', 'c'].map((name) => put(deps, name)));
      expect((await getRules(deps, ana)).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
      const ends = await Promise.allSettled(['one', 'two'].map((note) => put(deps, 'a', { note }, 1)));
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    });

    it('deletes, hides the versions, and continues their numbers if the name comes back', async () => {
      const deps = world();
      await put(deps, 'a');
      await deleteRule(deps, ana, 'a');
      await expect(getRule(deps, ana, 'a')).rejects.toMatchObject({ code: 'not_found' });
      await expect(getVersions(deps, ana, 'a')).rejects.toMatchObject({ code: 'not_found' });
      await expect(deleteRule(deps, ana, 'a')).rejects.toMatchObject({ code: 'not_found' });
      expect((await put(deps, 'a')).rule.version).toBe(3);
    });

    it('belongs to its account', async () => {
      const deps = world();
      await put(deps, 'a');
      await expect(getRule(deps, callerOf('acc_2'), 'a')).rejects.toMatchObject({ code: 'not_found' });
      expect(await getRules(deps, callerOf('acc_2'))).toEqual([]);
    });

    it('refuses bad names and expressions, lists that do not exist or hold other things, and the 201st rule', async () => {
      const deps = { ...world(), lists: { all: async () => [{ name: 'vips', type: 'user_id' }] } };
      await expect(put(deps, 'Gift')).rejects.toMatchObject({ code: 'invalid_request', details: [{ field: 'name' }] });
      const refused = (expression: string) => put(deps, 'a', { expression }).catch((error: Error) => error.message);
      expect(await refused('amuont > 5')).toBe('expression: at position 1: Unknown name amuont; did you mean amount?');
      expect(await refused('user_id in lists.vip')).toContain('did you mean lists.vips?');
      expect(await refused('device_fingerprint in lists.vips')).toContain('holds values of the type user_id');
      await put(deps, 'a', { expression: 'user_id in lists.vips' });
      for (let i = 1; i < MAX_RULES; i++) await put(deps, `rule-${i}`);
      await expect(put(deps, 'one-more')).rejects.toMatchObject({ details: [{ field: 'name' }] });
      expect((await put(deps, 'a', { note: 'still possible' })).rule.version).toBe(2);
    });
  });
});

describe('following the rules of an account', () => {
  const world = () => {
    let now = NOW;
    const declarations = () => NO_DECLARATIONS;
    let book = { revision: 1, rules: () => [storedRule('one')], declarations };
    const reads: number[] = [];
    let failing = false;
    const failures: unknown[] = [];
    const follower = ruleFollower({
      clock: { now: () => now },
      budgetMs: (ms) => ms,
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
      names: async () => (await follower.current('acc_1')).rules(facts, now).matched.map(({ name }) => name),
      later: (ms: number) => (now += ms),
      change: (...names: string[]) => {
        book = { revision: book.revision + 1, rules: () => names.map((name) => storedRule(name)), declarations };
      },
      fail: (does: boolean) => (failing = does),
    };
  };

  it.each([1, 10])(
    'waits for the first read %i times as long where a service under test asks for it',
    async (factor) => {
      jest.useFakeTimers();
      const follower = ruleFollower({
        clock: { now: () => NOW },
        budgetMs: (ms) => ms * factor,
        books: { book: () => new Promise(() => undefined) },
        onFailure: () => undefined,
      });
      const settled = jest.fn();
      Promise.resolve(follower.current('acc_1')).catch(settled);
      await jest.advanceTimersByTimeAsync(800 * factor - 1);
      expect(settled).not.toHaveBeenCalled();
      await jest.advanceTimersByTimeAsync(1);
      expect(settled).toHaveBeenCalledWith(new Error(`nothing was read within ${800 * factor} ms`));
      jest.useRealTimers();
    },
  );

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
    const { rules } = await fixedRules([storedRule('one')]).current('acc_1');
    expect(rules(facts, NOW).matched).toHaveLength(1);
  });
});

describe('count matches', () => {
  const HOUR = 3_600_000;
  const NOW = Date.parse('2026-11-14T09:30:00Z');
  const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };

  /** Counters of hours, so many hours ago. */
  const counted = (...hours: ReadonlyArray<readonly [hoursAgo: number, matches: number]>) =>
    new Map(
      hours.map(([ago, matches]) => [
        Math.floor((NOW - ago * HOUR) / HOUR) * HOUR,
        new Map([[ruleCounter('gift_cards'), matches]]),
      ]),
    );

  const reading = (hours: ReturnType<typeof counted>) => {
    const asked: string[] = [];
    const counts = {
      read: async (accountId: string) => {
        asked.push(accountId);
        return hours;
      },
    };
    return { asked, deps: { clock: { now: () => NOW }, counts } };
  };

  it('adds up the last day and the last week, of its own account', async () => {
    const { deps, asked } = reading(counted([0, 1], [23, 10], [48, 100], [167, 1_000]));
    const matches = await countMatches(deps, caller, ['gift_cards', 'never']);
    expect(matches.get('gift_cards')).toEqual({ last_24h: 11, last_7d: 1_111 });
    expect(matches.get('never')).toEqual({ last_24h: 0, last_7d: 0 });
    expect(asked).toEqual(['acc_1']);
  });

  it('reads nothing for an account without rules', async () => {
    const { deps, asked } = reading(counted());
    expect((await countMatches(deps, caller, [])).size).toBe(0);
    expect(asked).toEqual([]);
  });
});
