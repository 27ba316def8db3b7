import { BOUNDS, boundText, faultsOf } from '../bounds';
import type { RunResult } from '../play/outcome';
import type { Strategy } from '../play/strategy';
import { firstAllowText, hurtText, moneyText, prizesText } from './cells';
import { firstAndLatest, type KeptRun } from './history';

type Rows = string[][];

/** The result of a run, for a terminal. */
export const resultRows = ({ outcomes }: RunResult): Rows => [
  ['strategy', 'attempts', 'first allow', 'allowed', 'money out', 'people hurt', 'bound', ''],
  ...outcomes.map((outcome) => [
    outcome.strategy,
    String(outcome.attempts),
    firstAllowText(outcome),
    prizesText(outcome),
    moneyText(outcome.money_out),
    hurtText(outcome),
    boundText(BOUNDS[outcome.strategy] ?? {}),
    faultsOf(outcome).length > 0 ? 'BROKEN' : 'kept',
  ]),
];

/** Who was stopped among the honest, by kind. */
export const honestRows = ({ honest }: RunResult): Rows => [
  ['kind', 'attempts', 'stopped'],
  ...Object.entries(honest.by_kind).map(([kind, { attempts, stopped }]) => [kind, String(attempts), String(stopped)]),
];

/** What every strategy does, from its code. */
export const strategyRows = (strategies: readonly Strategy[]): Rows => [
  ['strategy', 'what the attacker does', 'wants', 'budget', 'bound'],
  ...strategies.map(({ name, does, goal, budget }) => [
    `\`${name}\``,
    does,
    goal,
    `${budget.attempts} attempts, ${budget.days} days`,
    boundText(BOUNDS[name] ?? {}),
  ]),
];

/** What every strategy got when it was first measured, and in the latest run. */
export function comparisonRows(history: readonly KeptRun[], strategies: readonly Strategy[]): Rows {
  const change = (before: string, now: string): string => (before === now ? now : `${before} → ${now}`);
  return [
    ['strategy', 'first allow (attempts, time)', 'prizes allowed', 'money out', 'honest people hurt'],
    ...strategies.flatMap(({ name }) => {
      const found = firstAndLatest(history, name);
      if (!found) return [];
      const { first, latest } = found;
      return [
        [
          `\`${name}\``,
          change(firstAllowText(first), firstAllowText(latest)),
          change(prizesText(first), prizesText(latest)),
          change(moneyText(first.money_out), moneyText(latest.money_out)),
          change(hurtText(first), hurtText(latest)),
        ],
      ];
    }),
  ];
}

/** One row per run. */
export const historyRows = (history: readonly KeptRun[]): Rows => [
  [
    'date',
    'commit',
    'version',
    'played',
    'honest people',
    'false positives',
    'strategies that got something',
    'beyond their bound',
  ],
  ...history.map(({ strategies, ...run }) => {
    const outcomes = Object.entries(strategies).map(([strategy, kept]) => ({ strategy, ...kept }));
    const successful = outcomes.filter(({ prizes, hurt }) => prizes.allowed > 0 || hurt > 0);
    const beyond = outcomes.filter((outcome) => faultsOf(outcome).length > 0);
    return [
      run.date,
      run.commit,
      run.version,
      run.played,
      `${run.people.toLocaleString('en-US')}, seed ${run.seed}`,
      `${(100 * run.false_positives).toFixed(2)}% of ${run.honest_attempts.toLocaleString('en-US')} attempts`,
      `${successful.length} of ${outcomes.length}`,
      String(beyond.length),
    ];
  }),
];
