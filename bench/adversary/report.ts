import { BOUNDS, boundText, faultsOf } from './bounds';
import type { Outcome, RunResult } from './outcome';
import type { Strategy } from './strategy';

const count = (value: number): string => value.toLocaleString('en-US');

export function duration(days: number): string {
  if (days * 24 * 60 < 1) return 'at once';
  if (days * 24 < 1) return `${Math.round(days * 24 * 60)} min`;
  if (days < 2) return `${(days * 24).toFixed(1)} h`;
  return `${days.toFixed(1)} days`;
}

export const firstAllowText = ({ first_allow, aim }: Outcome): string => {
  if (first_allow) return `${first_allow.attempts}, ${duration(first_allow.days)}`;
  return aim === 'people' ? '–' : 'never';
};

/** Amounts that would not fit a column are written as a power of ten. */
export const moneyText = (money: number): string =>
  money >= 1e7 ? `10^${Math.round(Math.log10(money))}` : count(money);

export const prizesText = ({ prizes, aim }: Outcome): string =>
  aim === 'people' ? '–' : `${prizes.allowed} of ${prizes.tried}`;

export const hurtText = ({ hurt, aimed_at }: Outcome): string =>
  aimed_at === 0 ? String(hurt) : `${hurt} of ${aimed_at}`;

type Rows = string[][];

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

export const honestRows = ({ honest }: RunResult): Rows => [
  ['kind', 'attempts', 'stopped'],
  ...Object.entries(honest.by_kind).map(([kind, { attempts, stopped }]) => [kind, String(attempts), String(stopped)]),
];

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

/** The money that a thief who mixes got by each strategy, most first. */
export const broughtRows = ({ outcomes }: RunResult): Rows => [
  ['by strategy', 'attempts', 'money out'],
  ...outcomes
    .flatMap(({ brought = {} }) => Object.entries(brought))
    .sort(([, a], [, b]) => b.money - a.money)
    .map(([strategy, { attempts, money }]) => [strategy, String(attempts), moneyText(Math.round(money))]),
];
