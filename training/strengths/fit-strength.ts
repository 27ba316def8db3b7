/** One labelled attempt, as far as one signal is concerned; all in log-odds. */
export interface StrengthRow {
  /** What the other signals say. */
  readonly others: number;
  /** What this one says; 0 if it did not fire. */
  readonly own: number;
  readonly label: 0 | 1;
  /** Attempts of one day are one observation: a thief's five payments are one theft. */
  readonly day: number;
}

/** By how much a signal's strength would have to be multiplied to be right, with its standard error. */
export interface FittedFactor {
  readonly factor: number;
  readonly error: number;
}

type Three = [number, number, number];
const ROUNDS = 40;
const MOST_STEP = 1;

/**
 * Logistic regression of the label on what the other signals say and what this one says: intercept, slope of the others,
 * factor of its own. `doubt` is the standard deviation of what was believed about the factor before: where every attempt
 * with the signal is fraud, no factor would be large enough. The error is robust: days vary more than coin flips do.
 */
export function fitFactor(rows: readonly StrengthRow[], doubt: number): FittedFactor {
  const belief = 1 / doubt ** 2;
  let at: Three = [startOf(rows), 1, 1];
  for (let round = 0; round < ROUNDS; round++) {
    const { gradient, inverse } = slopeAt(rows, at, belief);
    const step = times(inverse, gradient);
    const size = Math.max(...step.map(Math.abs));
    const share = Math.min(1, MOST_STEP / size);
    at = at.map((value, i) => value - share * (step[i] as number)) as Three;
    if (size < 1e-8) break;
  }
  const { inverse, byDay } = slopeAt(rows, at, belief);
  let variance = 0;
  for (const day of byDay.values()) variance += (times(inverse, day)[2] as number) ** 2;
  return { factor: at[2], error: Math.sqrt(variance) };
}

const startOf = (rows: readonly StrengthRow[]): number => {
  const fraud = rows.reduce((sum, { label }) => sum + label, 0);
  return Math.log((fraud + 0.5) / (rows.length - fraud + 0.5));
};

/** First and second derivatives of the loss, the latter inverted, and the first by day. */
function slopeAt(rows: readonly StrengthRow[], [intercept, slope, factor]: Three, belief: number) {
  const gradient: Three = [0, 0, belief * (factor - 1)];
  const hessian = [
    [1e-6, 0, 0],
    [0, 1e-6, 0],
    [0, 0, belief + 1e-9],
  ] as [Three, Three, Three];
  const byDay = new Map<number, Three>();
  for (const { others, own, label, day } of rows) {
    const chance = 1 / (1 + Math.exp(-intercept - slope * others - factor * own));
    const [error, curve] = [chance - label, chance * (1 - chance)];
    const x: Three = [1, others, own];
    const sums = byDay.get(day) ?? ([0, 0, 0] satisfies Three);
    byDay.set(day, sums);
    for (let i = 0; i < 3; i++) {
      gradient[i] = (gradient[i] as number) + error * (x[i] as number);
      sums[i] = (sums[i] as number) + error * (x[i] as number);
      const line = hessian[i] as Three;
      for (let j = 0; j < 3; j++) line[j] = (line[j] as number) + curve * (x[i] as number) * (x[j] as number);
    }
  }
  return { gradient, inverse: inverted(hessian), byDay };
}

type Square = readonly [Three, Three, Three];

const times = (matrix: Square, vector: Three): Three =>
  matrix.map(([a, b, c]) => a * vector[0] + b * vector[1] + c * vector[2]) as Three;

/** By cofactors; the matrix is symmetric, so they need not be transposed. */
function inverted([[a, b, c], [, d, e], [, , f]]: Square): Square {
  const [first, second, third] = [d * f - e * e, c * e - b * f, b * e - c * d];
  const determinant = a * first + b * second + c * third;
  const over = (value: number) => value / determinant;
  return [
    [over(first), over(second), over(third)],
    [over(second), over(a * f - c * c), over(b * c - a * e)],
    [over(third), over(b * c - a * e), over(a * d - b * b)],
  ];
}
