import { simulate } from '../../../bench/adversary/simulate';
import { collidingNames, publicHash } from '../../../bench/adversary/strategies/in-numbers';
import type { Strategy } from '../../../bench/adversary/strategy';
import { type Answer, isStopped, type Target } from '../../../bench/adversary/target';
import { type Addresses, type Attempt, HOUR_MS, paymentBy } from '../../../training/simulation/world';

const addresses: Addresses = {
  home: (_country, draws) => `192.0.2.${draws.below(250)}`,
  mobile: () => '198.51.100.1',
  hosting: () => '203.0.113.1',
};

interface Screened {
  readonly at_ms: number;
  readonly attempt: Attempt;
}

/** A service that decides by a rule of the test, and remembers what it was asked. */
function service(decide: (attempt: Attempt, number: number) => Answer['decision'], more: Partial<Target> = {}) {
  const asked: Screened[] = [];
  let nowMs = Date.UTC(2026, 0, 5);
  const target: Target = {
    name: 'test',
    canWait: true,
    parallelMs: 0,
    now: () => nowMs,
    moveTo: async (atMs) => {
      nowMs = Math.max(nowMs, atMs);
    },
    async screen(_shop, attempt) {
      const decision = decide(attempt, asked.length);
      asked.push({ at_ms: nowMs, attempt });
      return { decision_id: `dec_${asked.length}`, score: decision === 'allow' ? 10 : 70, decision, signals: [] };
    },
    review: async () => undefined,
    close: async () => undefined,
    ...more,
  };
  return { target, asked };
}

const strategy = (play: Strategy['play'], more: Partial<Strategy> = {}): Strategy => ({
  name: 'test',
  does: 'tests',
  goal: 'something',
  budget: { attempts: 10, days: 5, money: 1_000 },
  bound: {},
  victims: 1,
  play,
  ...more,
});

const steal = (amount: number): Strategy['play'] =>
  async function play(world) {
    const [victim] = world.victims;
    for (;;) {
      await world.pay(paymentBy(world, victim!, { amount, device_fingerprint: 'thief', ip_address: '192.0.2.251' }));
      await world.wait(HOUR_MS);
    }
  };

const isThief = ({ body }: Attempt): boolean => body.device_fingerprint === 'thief';

const run = async (target: Target, played: readonly Strategy[], people = 0) =>
  simulate({ target, addresses, strategies: played, people, seed: 1 });

describe('an attacker', () => {
  it('gives up when the attempts of the budget are spent', async () => {
    const { target, asked } = service((attempt) => (isThief(attempt) ? 'block' : 'allow'));
    const { outcomes } = await run(target, [strategy(steal(900))]);
    expect(outcomes[0]).toMatchObject({ attempts: 10, first_allow: null, money_out: 0, hurt: 0, aimed_at: 1 });
    expect(asked.filter(({ attempt }) => isThief(attempt))).toHaveLength(10);
  });

  it('stops with what they wanted, and the first allow is counted in attempts and days', async () => {
    let tries = 0;
    const { target } = service((attempt) => (isThief(attempt) && ++tries <= 3 ? 'review' : 'allow'));
    const { outcomes } = await run(target, [strategy(steal(600))]);
    expect(outcomes[0]).toMatchObject({
      attempts: 5,
      first_allow: { attempts: 4, days: 3 / 24 },
      prizes: { tried: 5, allowed: 2 },
      money_out: 1_200,
      scores: { first: 70, lowest: 10 },
    });
  });

  it('gives up when the days are over', async () => {
    const { target } = service(() => 'block');
    const slow = strategy(steal(900), { budget: { attempts: 1_000, days: 1, money: 900 } });
    expect((await run(target, [slow])).outcomes[0]?.attempts).toBe(25);
  });

  it('hurts the honest people who are stopped after sharing something with them', async () => {
    let hasStolen = false;
    const { target } = service((attempt) => {
      hasStolen ||= isThief(attempt);
      return hasStolen ? 'review' : 'allow';
    });
    const { outcomes, honest } = await run(target, [strategy(steal(900))], 20);
    // Everybody is stopped from then on, but only the victim had anything in common with the attacker.
    expect(outcomes[0]?.hurt).toBe(1);
    expect(honest.people).toBe(21);
    expect(honest.stopped).toBeGreaterThan(20);
    expect(honest.by_kind.regular?.stopped).toBe(7);
  });

  it('acts in the order of time, others in between', async () => {
    const { target, asked } = service(() => 'allow');
    const other = strategy(steal(100), { name: 'other', victims: 1 });
    await run(target, [strategy(steal(100)), other], 5);
    const times = asked.map(({ at_ms }) => at_ms);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const thieves = asked.filter(({ attempt }) => isThief(attempt)).map(({ attempt }) => attempt.body.user_id);
    expect(thieves.slice(0, 5)).not.toEqual(Array(5).fill(thieves[0]));
  });

  it('waits for nothing where the clock cannot be moved, and honest people stay at home', async () => {
    let moves = 0;
    const moveTo = async () => {
      moves += 1;
    };
    const { target, asked } = service(() => 'block', { canWait: false, moveTo });
    const { outcomes, honest } = await run(target, [strategy(steal(900))], 20);
    expect(outcomes[0]?.attempts).toBe(10);
    expect(asked).toHaveLength(10);
    expect(honest.attempts).toBe(0);
    expect(moves).toBe(0);
  });

  it('fails loudly when a strategy has a bug', async () => {
    const { target } = service(() => 'allow');
    const broken = strategy(async () => {
      throw new Error('no such move');
    });
    await expect(run(target, [broken])).rejects.toThrow('no such move');
  });
});

it('a stack that works in parallel is asked about strangers at once, and screens as many attempts', async () => {
  let [running, most] = [0, 0];
  const parallel = service(() => 'allow');
  const screen: Target['screen'] = async (shop, attempt) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return parallel.target.screen(shop, attempt);
  };
  const { honest } = await run({ ...parallel.target, screen, parallelMs: 24 * HOUR_MS }, [], 30);
  const alone = await run(service(() => 'allow').target, [], 30);
  expect(most).toBeGreaterThan(1);
  expect(honest).toEqual(alone.honest);
});

it('finds ids that the published hash puts into one bucket', () => {
  const names = collidingNames('users', 'account', 20);
  expect(new Set(names).size).toBe(20);
  expect(new Set(names.map((name) => publicHash(name, 11) & 4095)).size).toBe(1);
});

it('anything but allow stops an attempt', () => {
  const answer = { decision_id: 'dec_1', score: 50, signals: [] };
  expect(isStopped({ ...answer, decision: 'allow' })).toBe(false);
  expect(isStopped({ ...answer, decision: 'review' })).toBe(true);
  expect(isStopped({ ...answer, decision: 'block' })).toBe(true);
});
