import { fixedRules, ruleFollower } from '../../../shared/usecases/screening/followers';
import { ruleFacts as facts, NOW, storedRule } from './stored-rule';

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
      names: async () => (await follower.current('acc_1')).rules(facts, now).matched.map(({ name }) => name),
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
    const { rules } = await fixedRules([storedRule('one')]).current('acc_1');
    expect(rules(facts, NOW).matched).toHaveLength(1);
  });
});
