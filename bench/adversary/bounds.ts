import type { HonestOutcome, Outcome, RunResult } from './outcome';
import { STRATEGIES } from './strategies';
import type { Bound } from './strategy';

/** The largest share of honest attempts that may be stopped. */
export const MOST_FALSE_POSITIVES = 0.003;

/** Likewise, of those whom banks decline for nothing that they did, by what happened: few attempts, so one counts much. */
const MOST_IN_TROUBLE: Readonly<Record<string, number>> = { outage: 0.01, payday: 0.005 };

/**
 * The limits of every strategy. Where the attacker behaves like a customer for long enough, the limit is not "never" but
 * what it costs them.
 */
export const BOUNDS: Readonly<Record<string, Bound>> = Object.fromEntries(
  STRATEGIES.map(({ name, bound }) => [name, bound]),
);

const count = (value: number): string => value.toLocaleString('en-US');

export function boundText(bound: Bound): string {
  const { most_allowed, most_money, least_days, most_hurt, most_shift, is_never_milder = false } = bound;
  const parts = [
    most_allowed === undefined ? '' : most_allowed === 0 ? 'never allowed' : `at most ${count(most_allowed)} allowed`,
    most_money === undefined ? '' : `at most ${count(most_money)} out`,
    is_never_milder ? 'never milder than the first' : '',
    least_days === undefined ? '' : `not before day ${least_days}`,
    most_hurt === undefined ? '' : most_hurt === 0 ? 'nobody hurt' : `at most ${most_hurt} hurt`,
    most_shift === undefined ? '' : `honest scores up by at most ${most_shift}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

export function faultsOf(outcome: Outcome): string[] {
  const { strategy, prizes, money_out, first_allow, hurt, shift, scores } = outcome;
  const bound = BOUNDS[strategy] ?? {};
  const most = Number.POSITIVE_INFINITY;
  const rules: ReadonlyArray<readonly [boolean, string]> = [
    [prizes.allowed > (bound.most_allowed ?? most), `${prizes.allowed} of ${prizes.tried} allowed`],
    [money_out > (bound.most_money ?? most), `${count(money_out)} out`],
    [
      first_allow !== null && first_allow.days < (bound.least_days ?? 0),
      `allowed after ${first_allow?.days.toFixed(1)} days`,
    ],
    [
      bound.is_never_milder === true && scores !== null && scores.lowest < scores.first,
      `score ${scores?.first}, later ${scores?.lowest}`,
    ],
    [hurt > (bound.most_hurt ?? most), `${hurt} honest people stopped`],
    [(shift ?? 0) > (bound.most_shift ?? most), `honest scores up by ${shift?.toFixed(0)}`],
  ];
  return rules
    .filter(([isBroken]) => isBroken)
    .map(([, found]) => `${strategy}: ${found}; wanted: ${boundText(bound)}`);
}

export const falsePositives = ({ attempts, stopped }: Pick<HonestOutcome, 'attempts' | 'stopped'>): number =>
  stopped / Math.max(1, attempts);

export function faultsIn({ honest, outcomes }: RunResult): string[] {
  type Group = readonly [string, Pick<HonestOutcome, 'attempts' | 'stopped'>, number];
  const groups: Group[] = [['honest people', honest, MOST_FALSE_POSITIVES]];
  for (const [kind, most] of Object.entries(MOST_IN_TROUBLE)) {
    const group = honest.by_kind[kind];
    if (group) groups.push([`honest people on a day of ${kind}`, group, most]);
  }
  const tooMany = groups
    .filter(([, group, most]) => falsePositives(group) > most)
    .map(([who, group, most]) => {
      return `${who}: ${(100 * falsePositives(group)).toFixed(2)}% stopped; wanted: at most ${100 * most}%`;
    });
  return [...tooMany, ...outcomes.flatMap(faultsOf)];
}
