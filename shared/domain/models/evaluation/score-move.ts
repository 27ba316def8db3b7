import { DEFAULT_SETTINGS } from '../../accounts/account';
import { decide } from '../../screening/decide';

/** The effect of replacing one model by another, on the same screenings. */
export interface ScoreMove {
  readonly rows: number;
  /** Points by which scores move: on average, at most in 95% of the screenings, and at most. */
  readonly mean_points: number;
  readonly usual_points: number;
  readonly most_points: number;
  /** Share of the screenings that move by more than 10 points. */
  readonly beyond_bound: number;
  /** Decisions that change, at the default thresholds. */
  readonly flips: number;
  readonly stopped_before: number;
  readonly stopped_after: number;
}

/** Moves beyond this many points are counted, for people. Not a limit: learning moves scores. */
export const MOST_POINTS_MOVED = 10;

const USUAL_SHARE = 0.95;

/** Compares the scores of the same screenings by two models; each may stand for several. */
export function scoreMove(
  before: ArrayLike<number>,
  after: ArrayLike<number>,
  weights?: ArrayLike<number> | undefined,
): ScoreMove {
  const byPoints = new Float64Array(101);
  const counts = { rows: 0, flips: 0, stopped_before: 0, stopped_after: 0 };
  for (let i = 0; i < before.length; i++) {
    const [was, is] = [before[i] as number, after[i] as number];
    const weight = weights === undefined ? 1 : (weights[i] as number);
    const points = Math.abs(is - was);
    byPoints[points] = (byPoints[points] as number) + weight;
    const decisions = [decide(was, DEFAULT_SETTINGS), decide(is, DEFAULT_SETTINGS)];
    counts.rows += weight;
    if (decisions[0] !== decisions[1]) counts.flips += weight;
    if (decisions[0] !== 'allow') counts.stopped_before += weight;
    if (decisions[1] !== 'allow') counts.stopped_after += weight;
  }
  const all = Math.max(1e-9, counts.rows);
  let [within, sum, usual, most] = [0, 0, 0, 0];
  let beyond = 0;
  byPoints.forEach((weight, points) => {
    if (weight === 0) return;
    if (within < USUAL_SHARE * all) usual = points;
    within += weight;
    sum += weight * points;
    most = points;
    if (points > MOST_POINTS_MOVED) beyond += weight;
  });
  return {
    ...counts,
    ...{ mean_points: sum / all, usual_points: usual, most_points: most },
    beyond_bound: beyond / all,
  };
}
