import { storedSignals } from '../../shared/domain/models/row-scorer';
import { type TrainingRow, vectorOf } from '../../shared/domain/models/training-row';
import type { FiredSignal } from '../../shared/domain/screening/compile-signals';
import { rulesLogOdds } from '../../shared/domain/screening/score';
import { SIGNALS } from '../../shared/domain/screening/signals';
import { fitFactor } from './fit-strength';

/** When a strength counts as wrong. Explained in docs/score.md. */
export const STRENGTH_RULE = {
  /** Log-odds by which the whole interval may lie away from the present strength: a factor of about 20 in the odds. */
  tolerance: 3,
  /** Attempts with the signal, and days with any, below which nothing is said. */
  least_fired: 30,
  least_days: 8,
} as const;

/** What was believed about a strength before looking, in log-odds either way. */
const DOUBT = 3;
const DAY_MS = 86_400_000;
/** Standard errors on either side of a 95% interval. */
const INTERVAL = 1.96;

export type StrengthVerdict = 'right' | 'too strong' | 'too weak' | 'too few';

/** One signal's strength as it is, and as labelled traffic would have it; in log-odds, averaged over where it fired. */
export interface CheckedStrength {
  readonly signal: string;
  readonly fired: number;
  readonly fraud: number;
  readonly present: number;
  readonly fitted: number;
  readonly low: number;
  readonly high: number;
  readonly verdict: StrengthVerdict;
}

interface ReadRow {
  readonly fired: readonly FiredSignal[];
  readonly sum: number;
  readonly label: 0 | 1;
  readonly day: number;
}

/** Compares every signal's strength with what it was worth in labelled traffic, beside the other signals. */
export function checkStrengths(rows: readonly TrainingRow[]): CheckedStrength[] {
  const read = rows.map((row): ReadRow => {
    const fired = storedSignals(vectorOf(row));
    return { fired, sum: rulesLogOdds(fired), label: row.label, day: Math.floor(row.screened_at_ms / DAY_MS) };
  });
  return SIGNALS.map(({ name }) => checkStrength(name, read));
}

function checkStrength(signal: string, read: readonly ReadRow[]): CheckedStrength {
  const days = new Set<number>();
  let [count, fraud, total] = [0, 0, 0];
  const rows = read.map(({ fired, sum, label, day }) => {
    const own = fired.find(({ name }) => name === signal);
    if (own === undefined) return { others: sum, own: 0, label, day };
    days.add(day);
    count++;
    fraud += label;
    total += own.log_odds;
    return { others: rulesLogOdds(fired.filter((each) => each !== own)), own: own.log_odds, label, day };
  });
  const { tolerance, least_fired, least_days } = STRENGTH_RULE;
  const present = total / Math.max(1, count);
  const known = { signal, fired: count, fraud, present };
  if (count < least_fired || days.size < least_days) {
    const none = Number.NaN;
    return { ...known, fitted: none, low: none, high: none, verdict: 'too few' };
  }
  const { factor, error } = fitFactor(rows, DOUBT / Math.max(0.1, Math.abs(present)));
  const ends = [factor - INTERVAL * error, factor + INTERVAL * error].map((end) => end * present);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const verdict = high < present - tolerance ? 'too strong' : low > present + tolerance ? 'too weak' : 'right';
  return { ...known, fitted: factor * present, low, high, verdict };
}
