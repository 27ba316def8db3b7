import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { mostHonestStopped } from '../../../shared/domain/models/promotion-rule';
import { logOddsOf, PROBABILITY_SHIFT } from '../../../shared/domain/screening/score';
import type { HeldOutFold } from './calibrate-over-time';
import type { Line } from './fit-calibration';

/** The expected fraud of the newest rows is at most this many times the actual, or the actual the expected. */
const MOST_TIMES = 2;
/** The line is moved by at most so much, in log-odds, in steps of this fineness. */
const MOST_MOVED = 4;
const FINENESS = 0.02;
/** Where review begins: a fraud in four. */
const STOPPED_FROM = logOddsOf(DEFAULT_SETTINGS.review_threshold) - PROBABILITY_SHIFT;

/**
 * Moves a calibration line until the model keeps within its bounds on the newest rows: it expects about the fraud there is, and
 * stops few honest people. A line that rises changes no ranking: a model that has learned more becomes milder or sharper, and is
 * not refused for it. Signals are left out: what they add on their own, they add to the champion too.
 */
export function fitBounds(line: Line, { logOdds, labels, weights }: HeldOutFold): Line {
  let [actual, honest] = [0, 0];
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] === 1) actual += weights[i] as number;
    else honest += weights[i] as number;
  }
  if (actual === 0 || honest === 0) return line;
  const most = mostHonestStopped(actual / (actual + honest)) * honest;
  const movedBy = (shift: number): Line => ({ slope: line.slope, intercept: line.intercept + shift });
  const measure = (shift: number) => {
    let [expected, stopped] = [0, 0];
    for (let i = 0; i < labels.length; i++) {
      const said = line.slope * (logOdds[i] as number) + line.intercept + shift;
      expected += (weights[i] as number) / (1 + Math.exp(-said));
      if (labels[i] === 0 && said >= STOPPED_FROM) stopped += weights[i] as number;
    }
    return { isTooSharp: stopped > most || expected > MOST_TIMES * actual, isTooMild: expected < actual / MOST_TIMES };
  };
  const now = measure(0);
  if (!now.isTooSharp && !now.isTooMild) return line;
  const sign = now.isTooSharp ? -1 : 1;
  const isWithin = (shift: number) => {
    const { isTooSharp, isTooMild } = measure(shift);
    // A model that is too mild becomes sharper only as long as it stops few honest people.
    return now.isTooSharp ? !isTooSharp : !isTooMild || isTooSharp;
  };
  let [near, far] = [0, MOST_MOVED];
  while (far - near > FINENESS) {
    const middle = (near + far) / 2;
    if (isWithin(sign * middle)) far = middle;
    else near = middle;
  }
  return movedBy(sign * (now.isTooSharp ? far : near));
}
