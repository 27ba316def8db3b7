import type { HonestOutcome, Outcome, RunResult } from './play/outcome';

/** What a strategy may achieve at most; a limit that is not named does not apply. */
export interface Bound {
  /** Prizes that are allowed. */
  readonly most_allowed?: number;
  readonly most_money?: number;
  /** No later prize scores lower than the first: for strategies that repeat the same request. */
  readonly is_never_milder?: boolean;
  /** Days until the first prize is allowed, if one ever is. */
  readonly least_days?: number;
  /** Honest people who are stopped because of it. */
  readonly most_hurt?: number;
  /** Points by which the score of honest people rises on average. */
  readonly most_shift?: number;
}

/** Honest attempts that are stopped, as a share. */
export const MOST_FALSE_POSITIVES = 0.01;

/**
 * The limits of every strategy. Where the attacker behaves like a customer for long enough, the limit is not "never" but
 * what it costs them.
 */
export const BOUNDS: Readonly<Record<string, Bound>> = {
  retry: { most_allowed: 0, is_never_milder: true },
  'wait-a-day': { most_allowed: 0, is_never_milder: true },
  'retry-after-rejection': { most_allowed: 0 },
  'split-amounts': { most_money: 1_500 },
  'warm-up': { least_days: 3 },
  'follow-the-reasons': { most_money: 2_000 },
  'replay-session': { most_money: 1_500 },
  'rotate-device': { most_allowed: 0 },
  'rotate-ipv6': { most_allowed: 30 },
  'rotate-email': { most_allowed: 0 },
  'rotate-user-id': { most_allowed: 0 },
  'rotate-card': { most_money: 2_500 },
  'low-and-slow': { most_allowed: 10 },
  spray: { most_allowed: 0 },
  collude: { most_allowed: 0 },
  'collide-sketches': { most_allowed: 0 },
  'collide-devices': { most_money: 1_050 },
  'extreme-amount': { most_allowed: 0 },
  'smear-device': { most_hurt: 0, most_shift: 10 },
  'smear-logins': { most_hurt: 0, most_shift: 10 },
  'poison-labels': { most_hurt: 0, most_shift: 3 },
};

const count = (value: number): string => value.toLocaleString('en-US');

/** A bound in words, for the table. */
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

/** What is wrong with an outcome; empty if it is within its bound. */
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

export const falsePositives = ({ attempts, stopped }: HonestOutcome): number => stopped / Math.max(1, attempts);

/** Everything that is beyond its bound. */
export function faultsIn({ honest, outcomes }: RunResult): string[] {
  const share = falsePositives(honest);
  const tooMany =
    share > MOST_FALSE_POSITIVES
      ? [`honest people: ${(100 * share).toFixed(2)}% stopped; wanted: at most ${100 * MOST_FALSE_POSITIVES}%`]
      : [];
  return [...tooMany, ...outcomes.flatMap(faultsOf)];
}
