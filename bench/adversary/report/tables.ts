import { BOUNDS, boundText, faultsOf } from '../bounds';
import type { RunResult } from '../outcome';
import type { Strategy } from '../strategy';
import { firstAllowText, hurtText, moneyText, prizesText } from './cells';

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
