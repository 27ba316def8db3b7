import { BOUNDS, boundText, faultsIn, faultsOf } from '../../../bench/adversary/bounds';
import type { HonestOutcome, Outcome } from '../../../bench/adversary/outcome';
import { duration, moneyText } from '../../../bench/adversary/report';
import { customers, simulate, worldOf } from '../../../bench/adversary/simulate';
import { STRATEGIES } from '../../../bench/adversary/strategies';
import { collidingNames, publicHash } from '../../../bench/adversary/strategies/in-numbers';
import { mixOf } from '../../../bench/adversary/strategies/mix';
import type { Strategy } from '../../../bench/adversary/strategy';
import { type Answer, isStopped, type Target } from '../../../bench/adversary/target';
import type { IpFacts } from '../../../shared/domain/ip/ip-table';
import { KINDS, regularCustomer } from '../../../training/simulation/people';
import { randomDraws } from '../../../training/simulation/random-draws';
import {
  type Addresses,
  type Attempt,
  addressBook,
  BY_NETWORK,
  COUNTRIES,
  DAY_MS,
  HOUR_MS,
  paymentBy,
} from '../../../training/simulation/world';

describe('bounds', () => {
  const outcome = (more: Partial<Outcome>): Outcome => ({
    strategy: 'retry',
    aim: 'money',
    attempts: 10,
    first_allow: null,
    prizes: { tried: 10, allowed: 0 },
    money_out: 0,
    hurt: 0,
    aimed_at: 1,
    shift: null,
    scores: { first: 70, lowest: 70 },
    ...more,
  });

  const honest = (stopped: number): HonestOutcome => ({
    ...{ people: 100, attempts: 1_000, stopped, people_stopped: stopped },
    by_kind: {},
  });

  describe('the strategies', () => {
    it('are at least twelve, each with a name of its own', () => {
      const names = STRATEGIES.map(({ name }) => name);
      expect(names.length).toBeGreaterThanOrEqual(12);
      expect(new Set(names).size).toBe(names.length);
    });

    it.each(STRATEGIES.map((strategy) => [strategy.name, strategy] as const))(
      '%s has a bound, and a budget that ends',
      (_, strategy) => {
        expect(strategy.budget.attempts).toBeGreaterThan(0);
        expect(strategy.budget.days).toBeGreaterThan(0);
        expect(boundText(BOUNDS[strategy.name] ?? {})).not.toBe('');
      },
    );
  });

  describe('a bound', () => {
    it.each<[string, Partial<Outcome>]>([
      ['a prize that was allowed', { prizes: { tried: 2, allowed: 1 } }],
      ['a later attempt that scored lower', { scores: { first: 70, lowest: 69 } }],
      ['money', { strategy: 'split-amounts', money_out: 1e6 }],
      ['a first allow too early', { strategy: 'warm-up', first_allow: { attempts: 1, days: 0 } }],
      ['people who were stopped', { strategy: 'smear-device', hurt: 1 }],
      ['scores that rose', { strategy: 'poison-labels', shift: 30 }],
    ])('is broken by %s', (_, more) => {
      expect(faultsOf(outcome(more))).toHaveLength(1);
    });

    it('is kept by an attacker who got nothing', () => {
      for (const { name } of STRATEGIES) expect(faultsOf(outcome({ strategy: name }))).toEqual([]);
    });

    it('also holds for honest people: 0.3% may be stopped, and hardly more in an outage', () => {
      expect(faultsIn({ honest: honest(3), outcomes: [outcome({})] })).toEqual([]);
      const by_kind = { outage: { attempts: 100, stopped: 2 } };
      expect(faultsIn({ honest: { ...honest(4), by_kind }, outcomes: [] })).toEqual([
        'honest people: 0.40% stopped; wanted: at most 0.3%',
        'honest people on a day of outage: 2.00% stopped; wanted: at most 1%',
      ]);
    });
  });

  it('texts are short', () => {
    expect([0, 0.01, 0.5, 3].map(duration)).toEqual(['at once', '14 min', '12.0 h', '3.0 days']);
    expect([0, 900, 1_800, 1e12].map(moneyText)).toEqual(['0', '900', '1,800', '10^12']);
  });
});

describe('honest people', () => {
  /** Addresses of every kind, by their first number. */
  const ips = {
    lookup(ip: string): IpFacts {
      const first = Number(ip.slice(0, ip.indexOf('.')));
      const country = COUNTRIES[first % COUNTRIES.length] as string;
      return { country, asn: first, network: first % 10 === 0 ? 'hosting' : first % 4 === 0 ? 'mobile' : 'other' };
    },
  };
  const addresses = addressBook(randomDraws(1), ips, BY_NETWORK);
  const beginMs = Date.UTC(2026, 0, 5);
  const live = (count: number, seed = 1) => customers(count, seed, { addresses, beginMs });

  it('lives of a seed are the same every time, in the order of time', () => {
    const lives = live(80);
    expect(live(80)).toEqual(lives);
    expect(live(80, 2)).not.toEqual(lives);
    const times = lives.map(({ at_ms }) => at_ms);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(beginMs);
  });

  it('people of every kind are among them, in families, offices and on carriers', () => {
    const people = new Map(live(400).map(({ person }) => [person.user_id, person]));
    const kinds = new Set(Object.keys(KINDS).filter((kind) => kind !== 'household'));
    expect(new Set([...people.values()].map(({ kind }) => kind))).toEqual(kinds);
    const sharing = (kind: string, what: 'devices' | 'addresses'): number => {
      const users = new Map<string, number>();
      for (const person of people.values()) {
        if (person.kind !== kind) continue;
        for (const each of person[what]) users.set(each, (users.get(each) ?? 0) + 1);
      }
      return Math.max(...users.values());
    };
    expect(sharing('family', 'devices')).toBe(3);
    expect(sharing('plain', 'devices')).toBe(1);
    expect(sharing('carrier', 'addresses')).toBeGreaterThan(2);
    expect(sharing('office', 'addresses')).toBeGreaterThan(1);
  });

  it('a victim has bought twelve times over 36 days on one device at home, and continues to', () => {
    const attackMs = beginMs + 40 * DAY_MS;
    const { person, attempts } = regularCustomer(worldOf(addresses, 1), 'victim', attackMs);
    const before = attempts.filter(({ at_ms }) => at_ms < attackMs);
    expect(before).toHaveLength(12);
    expect((before[0]?.at_ms ?? 0) - attackMs).toBeGreaterThanOrEqual(-36 * DAY_MS);
    expect(attempts.length).toBeGreaterThan(12);
    for (const { attempt } of attempts) {
      expect(attempt.body).toMatchObject({ device_fingerprint: person.devices[0], ip_address: person.addresses[0] });
    }
  });
});

describe('simulate', () => {
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
      say: async () => undefined,
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

    it('who mixes repeats what has brought most, and changes everything after three stops', async () => {
      const buy = (name: string, amount: number) =>
        strategy(
          async (world) => {
            for (;;) {
              await world.pay(paymentBy(world, world.victims[0]!, { amount, card: world.name(name) }));
              await world.wait(HOUR_MS);
            }
          },
          { name },
        );
      const { target, asked } = service(({ body }) => ('amount' in body && body.amount === 900 ? 'block' : 'allow'));
      const each = [buy('dear', 900), buy('cheap', 50), { ...buy('people', 1), aim: 'people' as const }];
      const { outcomes } = await run(target, [{ ...mixOf(each), budget: { attempts: 60, days: 30, money: 0 } }]);
      const { dear, cheap, people } = outcomes[0]?.brought ?? {};
      expect(people).toBeUndefined();
      expect(cheap?.money).toBe(50 * (cheap?.attempts ?? 0));
      expect(dear).toEqual({ attempts: 60 - (cheap?.attempts ?? 0), money: 0 });
      expect(dear?.attempts).toBeLessThanOrEqual(15);
      const cards = asked.map(({ attempt: { body } }) => body.custom_attributes?.card_fingerprint ?? '');
      expect(new Set(cards.filter((card) => card.endsWith('dear'))).size).toBe(Math.ceil((dear?.attempts ?? 0) / 3));
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

    it('fails loudly when a strategy has a bug', async () => {
      const { target } = service(() => 'allow');
      const broken = strategy(async () => {
        throw new Error('no such move');
      });
      await expect(run(target, [broken])).rejects.toThrow('no such move');
    });
  });

  it('on paydays and in an outage banks decline honest payments, and people try again, at last with another card', async () => {
    const said: string[] = [];
    const say: Target['say'] = async (_shop, _id, word) => void said.push(word);
    const { target, asked } = service(() => 'allow', { say });
    const { honest } = await run(target, [], 200);
    expect(new Set(said)).toEqual(new Set(['authorized', 'insufficient_funds', 'do_not_honor']));
    expect([honest.by_kind.outage?.attempts, honest.by_kind.payday?.attempts].every((count = 0) => count > 20)).toBe(
      true,
    );
    expect(honest.attempts).toBe(asked.length);
    expect(asked.every(({ at_ms }, i) => at_ms >= (asked[i - 1]?.at_ms ?? 0))).toBe(true);
    const cards = asked.map(({ attempt: { body } }) => body.custom_attributes?.card_fingerprint ?? '');
    expect(cards.some((card) => card.endsWith('-card-3'))).toBe(true);
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
});
