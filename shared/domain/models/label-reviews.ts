import { DomainError } from '../errors';
import type { Cause, LabelReview, RegistryState } from './registry-state';

/*
 * Labels that contradict the rest are held: they do not teach until an operator has seen them.
 *
 *   (taught) ── training finds a departure ──► held ──┬── accept ──► accepted: teaches, and is not compared again
 *       └────────────── reject ───────────────────────┴── reject ──► rejected: never teaches; later labels are compared again
 */

/** A departure that training found. */
export type Departure = Pick<LabelReview, 'whose' | 'from' | 'labels' | 'found'>;

/** A label as far as its origin matters. */
export interface LabelOrigin {
  readonly account_id: string;
  readonly actors?: readonly string[] | undefined;
  readonly labeled_at_ms: number;
}

// Screening functions fetch the document that these are in: it stays small.
const MOST_HELD_PER_ACCOUNT = 20;
const MOST_DECIDED = 60;

export const reviewsIn = ({ label_reviews = [] }: RegistryState): readonly LabelReview[] => label_reviews;

/** The names under which labels can be held, the account's first. */
export const namesOf = ({ account_id, actors = [] }: Omit<LabelOrigin, 'labeled_at_ms'>): string[] => [
  account_id,
  ...actors.map((actor) => `${account_id}/${actor}`),
];

/** The review that keeps a label from teaching; undefined if it teaches. */
export function reviewAgainst(reviews: readonly LabelReview[], label: LabelOrigin): LabelReview | undefined {
  if (reviews.length === 0) return undefined;
  const names = namesOf(label);
  return reviews.find(({ whose, status, from, until }) => {
    if (status === 'accepted' || !names.includes(whose)) return false;
    if (from !== null && label.labeled_at_ms <= Date.parse(from)) return false;
    return until === null || label.labeled_at_ms <= Date.parse(until);
  });
}

/** Whether an operator has accepted these labels, and not rejected any of them since. */
export const isAccepted = (reviews: readonly LabelReview[], whose: string): boolean =>
  reviews.findLast((review) => review.whose === whose)?.status === 'accepted';

/** Holds labels; nothing changes for those that are held already or that were accepted. */
export function holdLabels(state: RegistryState, departure: Departure, cause: Cause): RegistryState {
  const reviews = reviewsIn(state);
  const [account = ''] = departure.whose.split('/');
  const isKnown = reviews.some(
    ({ whose, status }) => status === 'held' && (whose === departure.whose || whose === account),
  );
  if (isKnown || isAccepted(reviews, departure.whose)) return state;
  const ofAccount = reviews.filter(({ whose, status }) => status === 'held' && whose.startsWith(`${account}/`));
  // Someone invents analysts: then the labels of the whole account need review.
  const held: Departure =
    ofAccount.length < MOST_HELD_PER_ACCOUNT
      ? departure
      : { ...departure, whose: account, found: `more than ${MOST_HELD_PER_ACCOUNT} analysts and keys depart` };
  const { at, by } = cause;
  const review: LabelReview = { ...held, status: 'held', until: null, held: { at, by }, decided: null };
  return { ...state, label_reviews: trimmed([...reviews, review]) };
}

/** An operator's decision: labels that were held teach from now on, or never; an actor can be rejected without being held. */
export function decideLabels(
  state: RegistryState,
  whose: string,
  status: 'accepted' | 'rejected',
  cause: Cause,
): RegistryState {
  const reviews = reviewsIn(state);
  const at = reviews.findLastIndex((review) => review.whose === whose && review.status !== 'rejected');
  const found = reviews[at];
  if (status === 'accepted' && found?.status !== 'held') {
    throw new DomainError('not_found', `No labels of ${whose} are held. See npm run model -- labels list`);
  }
  const decided: LabelReview = {
    ...(found ?? { whose, from: null, labels: 0, found: 'rejected by hand', held: null }),
    status,
    until: status === 'rejected' ? cause.at : null,
    decided: cause,
  };
  const next = found === undefined ? [...reviews, decided] : reviews.map((review, i) => (i === at ? decided : review));
  return { ...state, label_reviews: trimmed(next) };
}

/** Forgets only accepted labels, oldest first: forgetting anything else would let labels teach. */
function trimmed(reviews: readonly LabelReview[]): LabelReview[] {
  let surplus = reviews.length - MOST_DECIDED;
  return reviews.filter(({ status }) => status !== 'accepted' || surplus-- <= 0);
}
