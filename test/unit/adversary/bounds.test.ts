import { BOUNDS, boundText, faultsIn, faultsOf } from '../../../bench/adversary/bounds';
import type { HonestOutcome, Outcome } from '../../../bench/adversary/outcome';
import { duration, moneyText } from '../../../bench/adversary/report';
import { STRATEGIES } from '../../../bench/adversary/strategies';

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

  it('also holds for honest people: 1% may be stopped', () => {
    expect(faultsIn({ honest: honest(10), outcomes: [outcome({})] })).toEqual([]);
    expect(faultsIn({ honest: honest(11), outcomes: [] })).toEqual([
      'honest people: 1.10% stopped; wanted: at most 1%',
    ]);
  });
});

it('texts are short', () => {
  expect([0, 0.01, 0.5, 3].map(duration)).toEqual(['at once', '14 min', '12.0 h', '3.0 days']);
  expect([0, 900, 1_800, 1e12].map(moneyText)).toEqual(['0', '900', '1,800', '10^12']);
});
