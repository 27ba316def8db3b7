import type { generatedReplay } from './generated-replay';

export interface Ranking {
  readonly auc: number;
  readonly average_precision: number;
}

/** Where a history may end further away than any should. */
export interface Allowance {
  /** So far below the other's AUC. @default .01 */
  readonly auc?: number;
  /** Expected to actual fraud in a quarter. @default .75 to 1.33 */
  readonly expected?: readonly [least: number, most: number];
}

type Ended = Ranking &
  Pick<Awaited<ReturnType<typeof generatedReplay>>, 'expected_to_actual' | 'reviewed' | 'worst_week_blocked'>;

/** The bounds that a replayed history should end within, by name, and whether each holds: the larger the history, the less is chance. */
export function historyBounds(
  { auc, average_precision, expected_to_actual, reviewed, worst_week_blocked }: Ended,
  other: Ranking,
  { auc: below = 0.01, expected: [least, most] = [0.75, 1.33] }: Allowance = {},
): ReadonlyMap<string, boolean> {
  return new Map([
    [`AUC within ${below} of LightGBM`, auc >= other.auc - below],
    ['average precision within .03', average_precision >= other.average_precision - 0.03],
    [
      `expected/actual ${least} to ${most} in every quarter with 20 frauds`,
      expected_to_actual.every((each) => each === null || (each >= least && each <= most)),
    ],
    ['at most 2% of the honest reviewed', reviewed <= 0.02],
    ['at most 2% of them blocked in the worst week', worst_week_blocked <= 0.02],
  ]);
}
