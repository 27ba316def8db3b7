import { fitMultipliers } from './fit-multipliers';

/** What the signals said about one attempt, and what it was. */
export interface JudgedAttempt {
  readonly label: 0 | 1;
  /** What each signal that fired added, in log-odds. */
  readonly parts: ReadonlyArray<{ readonly name: string; readonly log_odds: number }>;
}

/**
 * `too few`: it fired too rarely to say. `right`: what it adds is within a factor of two of what was measured, or cannot be
 * distinguished from it. `too strong`, `too weak`: it is not. `misleads`: it speaks against those that are honest.
 */
export type StrengthVerdict = 'too few' | 'right' | 'too strong' | 'too weak' | 'misleads';

/** One signal: how often it fired, what it adds, and what it should have added. */
export interface MeasuredStrength {
  readonly name: string;
  readonly fraud: number;
  readonly legitimate: number;
  /** Log-odds that it adds where it fires, on average. */
  readonly set: number;
  /** What it adds times this fits the labels best, beside all other signals. */
  readonly multiplier: number;
  /** Standard error of the multiplier. */
  readonly error: number;
  readonly verdict: StrengthVerdict;
}

/** Fewer attempts, or fewer of a kind together with the rest, say nothing. */
const LEAST_FIRED = 30;
const LEAST_FRAUD = 5;
/** Beyond chance: two standard errors. */
const ERRORS = 2;
const FACTOR = 2;

/**
 * Compares the strengths that are set with labels. Signals fire together (a bot's device is shared, and its purchase is
 * rapid), so they are measured together: a logistic regression on what each one added, starting from 1 for all.
 */
export function measureStrengths(attempts: readonly JudgedAttempt[]): MeasuredStrength[] {
  const tallies = new Map<string, { fraud: number; legitimate: number; sum: number }>();
  for (const { label, parts } of attempts) {
    for (const { name, log_odds } of parts) {
      const tally = tallies.get(name) ?? { fraud: 0, legitimate: 0, sum: 0 };
      tallies.set(name, tally);
      if (label === 1) tally.fraud++;
      else tally.legitimate++;
      tally.sum += log_odds;
    }
  }
  const names = [...tallies.keys()].sort();
  const at = new Map(names.map((name, i) => [name, i]));
  const fitted = fitMultipliers(
    attempts.map(({ label, parts }) => ({
      label,
      inputs: parts.map(({ name, log_odds }) => [at.get(name) as number, log_odds] as const),
    })),
    names.length,
  );
  const allFraud = attempts.reduce((total, { label }) => total + label, 0);
  return names.map((name, i) => {
    const { fraud, legitimate, sum } = tallies.get(name) as { fraud: number; legitimate: number; sum: number };
    const { multiplier, error } = fitted[i] as { multiplier: number; error: number };
    const isKnown = fraud + legitimate >= LEAST_FIRED && allFraud >= LEAST_FRAUD;
    const verdict = isKnown ? verdictOf(multiplier, error) : 'too few';
    return { name, fraud, legitimate, set: sum / (fraud + legitimate), multiplier, error, verdict };
  });
}

function verdictOf(multiplier: number, error: number): StrengthVerdict {
  const [low, high] = [multiplier - ERRORS * error, multiplier + ERRORS * error];
  if (high < 0) return 'misleads';
  if (high < 1 / FACTOR) return 'too strong';
  return low > FACTOR ? 'too weak' : 'right';
}
