/**
 * How often labels have judged a signal, by how strongly it spoke: entry s counts the labelled attempts on which it
 * fired with at least s log-odds. What labels have judged, the model knows better; what they have not judged yet (a
 * signal that never fired, or never as strongly) still counts by its rule.
 *
 *   weight = 50 / (50 + judged)      none judged 1      50 judged ½      5,000 judged 0.01
 *
 * A stronger signal never counts less: fewer attempts reach a higher step, so its weight is at least as large.
 */
export interface SignalTrust {
  readonly judged: Readonly<Record<string, readonly number[]>>;
}

/** This many labelled attempts halve the weight of a signal's own rule. */
const HALF_AT = 50;
/** One step per log-odd; the strongest single signal has 7. */
export const TRUST_STEPS = 8;

/** Trusts every signal in full: no labels yet. */
export const FULL_TRUST: SignalTrust = { judged: {} };

/** The share of a signal's own log-odds that still counts; linear between steps. */
export function trustWeight({ judged }: SignalTrust, signal: string, logOdds: number): number {
  const counts = Object.hasOwn(judged, signal) ? judged[signal] : undefined;
  if (counts === undefined) return 1;
  const strength = Math.min(Math.abs(logOdds), counts.length - 1);
  const step = Math.floor(strength);
  const lower = weightAt(counts[step] ?? 0);
  const upper = weightAt(counts[step + 1] ?? counts[step] ?? 0);
  return lower + (strength - step) * (upper - lower);
}

const weightAt = (judged: number): number => HALF_AT / (HALF_AT + judged);
