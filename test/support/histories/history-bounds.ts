import type { generatedReplay } from './generated-replay';

export interface Ranking {
  readonly auc: number;
  readonly average_precision: number;
}

/** Where a history may end further away than any should. */
export interface Allowance {
  /** So far below the other's. @default .03 */
  readonly average_precision?: number;
}

type Ended = Ranking &
  Pick<Awaited<ReturnType<typeof generatedReplay>>, 'expected_to_actual' | 'reviewed' | 'worst_week_blocked'>;

/** The bounds that a replayed history should end within, by name, and whether each holds: the larger the history, the less is chance. */
export function historyBounds(
  { auc, average_precision, expected_to_actual, reviewed, worst_week_blocked }: Ended,
  other: Ranking,
  { average_precision: below = 0.03 }: Allowance = {},
): ReadonlyMap<string, boolean> {
  return new Map([
    ['AUC within .01 of LightGBM', auc >= other.auc - 0.01],
    [`average precision within ${below}`, average_precision >= other.average_precision - below],
    [
      'expected/actual .75 to 1.33 in every quarter with 20 frauds',
      expected_to_actual.every((each) => each === null || (each >= 0.75 && each <= 1.33)),
    ],
    ['at most 2% of the honest reviewed', reviewed <= 0.02],
    ['at most 2% of them blocked in the worst week', worst_week_blocked <= 0.02],
  ]);
}
