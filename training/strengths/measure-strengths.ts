/** One attempt: its label, and the log-odds that each fired signal added. */
export interface MultiplierRow {
  readonly label: 0 | 1;
  readonly inputs: ReadonlyArray<readonly [signal: number, logOdds: number]>;
}

export interface FittedMultiplier {
  readonly multiplier: number;
  readonly error: number;
}

/** How far from 1 a multiplier is expected to be before any data: signals never seen together stay near 1. */
const PRIOR_SD = 2;
const MOST_STEPS = 50;
const CLOSE_ENOUGH = 1e-8;

/**
 * Multipliers w of the signals in `logit P(fraud) = b + Σ w·x`, by Newton's method with a normal prior around 1, and their
 * standard errors from the curvature. The intercept b is free: every history has its own share of fraud.
 */
export function fitMultipliers(rows: readonly MultiplierRow[], signals: number): FittedMultiplier[] {
  const size = signals + 1;
  const fraud = rows.reduce((sum, { label }) => sum + label, 0);
  const weights = new Float64Array(size).fill(1);
  weights[signals] = Math.log((fraud + 0.5) / (rows.length - fraud + 0.5));
  let penalized = loss(rows, weights, signals);
  for (let step = 0; step < MOST_STEPS; step++) {
    const { gradient, curvature } = derivatives(rows, weights, signals);
    const direction = solve(curvature, gradient);
    // Halved until it improves: Newton's step overshoots where classes are nearly separable.
    let share = 1;
    let next = weights.map((weight, i) => weight - (direction[i] as number));
    let found = loss(rows, next, signals);
    while (found > penalized && share > 1e-6) {
      share /= 2;
      next = weights.map((weight, i) => weight - share * (direction[i] as number));
      found = loss(rows, next, signals);
    }
    const gain = penalized - found;
    weights.set(next);
    penalized = found;
    if (gain < CLOSE_ENOUGH) break;
  }
  const { curvature } = derivatives(rows, weights, signals);
  return Array.from({ length: signals }, (_, i) => {
    const unit = new Float64Array(size);
    unit[i] = 1;
    return { multiplier: weights[i] as number, error: Math.sqrt(solve(curvature, unit)[i] as number) };
  });
}

function logitOf({ inputs }: MultiplierRow, weights: Float64Array, signals: number): number {
  let logit = weights[signals] as number;
  for (const [signal, value] of inputs) logit += (weights[signal] as number) * value;
  return logit;
}

function loss(rows: readonly MultiplierRow[], weights: Float64Array, signals: number): number {
  let sum = 0;
  for (const row of rows) {
    const logit = logitOf(row, weights, signals);
    sum += Math.log1p(Math.exp(-Math.abs(logit))) + Math.max(logit, 0) - row.label * logit;
  }
  for (let i = 0; i < signals; i++) sum += ((weights[i] as number) - 1) ** 2 / (2 * PRIOR_SD ** 2);
  return sum;
}

function derivatives(rows: readonly MultiplierRow[], weights: Float64Array, signals: number) {
  const size = signals + 1;
  const gradient = new Float64Array(size);
  const curvature = Array.from({ length: size }, () => new Float64Array(size));
  for (let i = 0; i < signals; i++) {
    gradient[i] = ((weights[i] as number) - 1) / PRIOR_SD ** 2;
    (curvature[i] as Float64Array)[i] = 1 / PRIOR_SD ** 2;
  }
  for (const row of rows) {
    const probability = 1 / (1 + Math.exp(-logitOf(row, weights, signals)));
    const bend = probability * (1 - probability);
    const all = [...row.inputs, [signals, 1] as const];
    for (const [i, x] of all) {
      gradient[i] = (gradient[i] as number) + (probability - row.label) * x;
      const line = curvature[i] as Float64Array;
      for (const [j, y] of all) line[j] = (line[j] as number) + bend * x * y;
    }
  }
  // Keeps the intercept's line solvable where every attempt is of one kind.
  const last = curvature[signals] as Float64Array;
  last[signals] = (last[signals] as number) + 1e-9;
  return { gradient, curvature };
}

/** Solves a positive definite system by Gaussian elimination with pivots. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const lines: Float64Array[] = matrix.map((line, i) => Float64Array.from([...line, right[i] as number]));
  const value = (i: number, j: number): number => (lines[i] as Float64Array)[j] as number;
  for (let pivot = 0; pivot < size; pivot++) {
    let best = pivot;
    for (let i = pivot + 1; i < size; i++) if (Math.abs(value(i, pivot)) > Math.abs(value(best, pivot))) best = i;
    [lines[pivot], lines[best]] = [lines[best] as Float64Array, lines[pivot] as Float64Array];
    for (let i = pivot + 1; i < size; i++) {
      const factor = value(i, pivot) / value(pivot, pivot);
      for (let j = pivot; j <= size; j++) (lines[i] as Float64Array)[j] = value(i, j) - factor * value(pivot, j);
    }
  }
  const found = new Float64Array(size);
  for (let i = size - 1; i >= 0; i--) {
    let rest = value(i, size);
    for (let j = i + 1; j < size; j++) rest -= value(i, j) * (found[j] as number);
    found[i] = rest / value(i, i);
  }
  return found;
}

/** The signals' verdict on one attempt, and its label. */
export interface LabelledAttempt {
  readonly label: 0 | 1;
  /** The log-odds that each fired signal added. */
  readonly parts: ReadonlyArray<{ readonly name: string; readonly log_odds: number }>;
}

/**
 * `too few`: it fired too rarely to say. `right`: what it adds is within a factor of two of what was measured, or cannot be
 * distinguished from it. `too strong`, `too weak`: it is not. `misleads`: it speaks against those that are honest.
 */
export type StrengthVerdict = 'too few' | 'right' | 'too strong' | 'too weak' | 'misleads';

/** One signal: how often it fired, the log-odds it adds, and those it should have added. */
export interface MeasuredStrength {
  readonly name: string;
  readonly fraud: number;
  readonly legitimate: number;
  /** Log-odds that it adds where it fires, on average. */
  readonly set: number;
  /** Its log-odds times this fit the labels best, next to all other signals. */
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
export function measureStrengths(attempts: readonly LabelledAttempt[]): MeasuredStrength[] {
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
