import { teachingAccounts } from '../../domain/models/account-shares';
import { type ActorStatistics, departuresIn, labelStatistics } from '../../domain/models/label-departures';
import { type Departure, holdLabels, reviewAgainst, reviewsIn } from '../../domain/models/label-reviews';
import type { ModelArtefact } from '../../domain/models/model-artefact';
import type { Cause, LabelReview, RegistryState } from '../../domain/models/registry-state';
import { rowScorer } from '../../domain/models/row-scorer';
import type { LabelledRow } from './labelled-rows';

/** The models that labels are compared with. */
export interface ScoringPair {
  readonly champion: ModelArtefact | undefined;
  /** Scores for accounts that the champion does not serve. */
  readonly base: ModelArtefact | undefined;
}

/** Labels that are held back from teaching, and why. */
export interface HeldLabels extends Pick<LabelReview, 'whose' | 'found'> {
  /** `left_out` of a first model only: the next training learns from them, unless they are held. */
  readonly status: LabelReview['status'] | 'left_out';
  /** How many of the rows at hand that are. */
  readonly labels: number;
}

/** How every analyst and key labels, as the champion sees it. */
export function statisticsOf(
  rows: readonly LabelledRow[],
  { champion, base }: ScoringPair,
  state: RegistryState,
): ActorStatistics[] {
  // Nobody to compare: nothing to score.
  if (rows.every(({ actors = [] }) => actors.length === 0)) return [];
  const scoreOf = rowScorer(champion, base);
  const given = rows.filter(({ presumed }) => presumed !== true).map((row) => ({ ...row, ...scoreOf(row) }));
  return labelStatistics(given, state.last_training ? Date.parse(state.last_training.at) : undefined);
}

/** Labels that depart from the rest and that nobody has decided about yet. */
export function newDepartures(
  rows: readonly LabelledRow[],
  models: ScoringPair,
  state: RegistryState,
): readonly Departure[] {
  const reviews = reviewsIn(state);
  const teaching = rows.filter((row) => reviewAgainst(reviews, row) === undefined);
  return departuresIn(statisticsOf(teaching, models, state), reviews);
}

/** The state with all of them held. */
export const withHeld = (state: RegistryState, departures: readonly Departure[], cause: Cause): RegistryState =>
  departures.reduce((next, departure) => holdLabels(next, departure, cause), state);

/**
 * The rows that teach: those of accounts with enough labels, less what is held or rejected. Rows of accounts with too few
 * labels are left out; they still show what a model would do to somebody who did not teach it.
 */
export function teachingRows(rows: readonly LabelledRow[], state: RegistryState) {
  const reviews = reviewsIn(state);
  const counts = new Map<LabelReview, number>();
  const free = rows.filter((row) => {
    const review = row.presumed === true ? undefined : reviewAgainst(reviews, row);
    if (review) counts.set(review, (counts.get(review) ?? 0) + 1);
    return review === undefined;
  });
  const accounts = teachingAccounts(free);
  const held = [...counts].map(([{ whose, status, found }, labels]): HeldLabels => ({ whose, status, found, labels }));
  return { rows: free.filter(({ account_id }) => accounts.has(account_id)), others: free, held };
}
