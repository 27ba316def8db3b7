import type { CountedDecline } from '../entities/declines';
import type { KnownLabel } from '../entities/entity-history';
import { pseudonymOf } from '../entities/entity-ref';
import { isStopped } from '../screening/decide';
import { countsOn, currentLabel, type KeptSubject, type SourcedLabel, type Statement } from './kept-subject';
import type { StoredOutcome } from './outside-outcome';
import { isCountedDecline, processorWord } from './processor-word';

/** A label that counts from now on, or `none`: the previous one is withdrawn without a replacement. */
export type NewLabel = KnownLabel | { readonly label: 'none'; readonly known_at_ms: number };

/** The move from one label to another, as entities count it. */
export interface LabelMove {
  readonly from: SourcedLabel | null;
  readonly to: SourcedLabel | null;
  readonly at_ms: number;
}

/** A subject before and after an outcome, and the move of its counters; no move if the label stays. */
export interface KeptChange {
  readonly before: KeptSubject;
  readonly after: KeptSubject;
  readonly move: LabelMove | undefined;
  /** The effect of the processor's word on those who took part. @default nothing */
  readonly declined?: DeclineEffect | undefined;
}

/** Taken back because the bank declined the payment, or given back because it was authorized after all. */
type Return = 'taken_back' | 'given_back';

/** A decline that entities count, and its effect on what the payment had earned. */
export interface DeclineEffect {
  readonly decline?: CountedDecline | undefined;
  /** Familiarity, by a decline that counts. @default neither */
  readonly earned?: Return | undefined;
  /** The amount in the windows, by any decline: no money moved. @default neither */
  readonly spent?: Return | undefined;
}

/** More outcomes than any payment has; a subject must fit into one item. */
export const MAX_STATEMENTS = 100;

const statementOf = (outcome: StoredOutcome): Statement => {
  const { type, label, reason_code, network, amount, currency, occurred_at, recorded_at_ms } = outcome;
  return {
    ...{ type, label, occurred_at, recorded_at_ms },
    ...(reason_code === undefined ? {} : { reason_code }),
    ...(network === undefined ? {} : { network }),
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    ...processorWord(outcome),
  };
};

/** The statements with one more; a won dispute withdraws the label of its dispute, in whatever order they come. */
function withStatement(
  statements: KeptSubject['statements'],
  outcome: StoredOutcome,
  siblings: readonly string[],
): KeptSubject['statements'] {
  const next: Record<string, Statement> = { ...statements, [outcome.ulid]: statementOf(outcome) };
  const withdraw = (ulid: string): void => {
    const said = next[ulid];
    if (said !== undefined && said.type !== 'dispute_won') next[ulid] = { ...said, is_withdrawn: true };
  };
  const isWon = siblings.some((ulid) => next[ulid]?.type === 'dispute_won');
  if (outcome.type === 'dispute_won') for (const ulid of siblings) withdraw(ulid);
  else if (isWon) withdraw(outcome.ulid);
  return next;
}

/**
 * The effect of an outcome on its subject. The label is decided again from everything that was said: its result does not
 * depend on the order. `siblings` are the ULIDs of the other outcomes from the same source.
 */
export function outcomeOnSubject(
  before: KeptSubject,
  outcome: StoredOutcome,
  siblings: readonly string[],
  nowMs: number,
): KeptChange {
  const statements = withStatement(before.statements, outcome, siblings);
  const found = currentLabel({ review: before.review, statements });
  const isSame = found?.label === before.in_force?.label && sameReach(found, before.in_force);
  // The same label from another source still counts since it first became known.
  const known_at_ms = isSame ? (before.in_force?.known_at_ms ?? nowMs) : nowMs;
  const in_force = found && { ...found, known_at_ms };
  const declined = declineEffect(before, outcome, statements, nowMs);
  return {
    before,
    declined,
    after: {
      ...before,
      screening: screeningAfter(before.screening, declined),
      statements,
      in_force,
      label_changes: before.label_changes + (isSame ? 0 : 1),
      version: before.version + 1,
    },
    move: isSame ? undefined : { from: before.in_force, to: in_force, at_ms: nowMs },
  };
}

/** The processors' last word, by the time it was said: a customer mistypes a CVC, then gets it right. */
function lastWord(statements: KeptSubject['statements']): Statement | undefined {
  const words = Object.values(statements).filter(({ type }) => type === 'authorized' || type === 'declined');
  return words.sort(
    (a, b) => Date.parse(b.occurred_at) - Date.parse(a.occurred_at) || b.recorded_at_ms - a.recorded_at_ms,
  )[0];
}

const returned = (isTaken: boolean, wasTaken = false): Return | undefined =>
  isTaken === wasTaken ? undefined : isTaken ? 'taken_back' : 'given_back';

const ACCOUNT = 'attribute.payment_account_reference#';
const CARD = 'attribute.card_fingerprint#';

/**
 * The card of a decline: by its payment account reference, no matter who named it; else as the screening knew it, unless that was
 * a tracked fingerprint, which may be a token of this attempt alone, and the processor knows better.
 */
function declinedCard({ card, entities }: KeptSubject['screening'], { card: reported }: StoredOutcome) {
  const named = reported === undefined ? entities : [reported, ...entities];
  const by = (prefix: string): string | undefined => {
    const key = named.find((each) => each.startsWith(prefix));
    return key === undefined ? undefined : pseudonymOf({ key });
  };
  return by(ACCOUNT) ?? card ?? by(CARD);
}

function declineEffect(
  { screening, in_force }: KeptSubject,
  outcome: StoredOutcome,
  statements: KeptSubject['statements'],
  nowMs: number,
): DeclineEffect | undefined {
  const isWord = outcome.type === 'authorized' || outcome.type === 'declined';
  if (!isWord || screening.subject_type !== 'transaction') return undefined;
  const decline = isCountedDecline(outcome)
    ? {
        // A decline follows its screening, whatever the clock of its source says.
        at_ms: Math.max(screening.screened_at_ms, Math.min(nowMs, Date.parse(outcome.occurred_at))),
        ulid: outcome.ulid,
        card: declinedCard(screening, outcome),
        is_wrong_cvc: outcome.decline_reason === 'incorrect_cvc' || outcome.cvc_check === 'fail',
        is_shared: outcome.is_shared === true,
      }
    : undefined;
  // A label about the payment stays.
  const hasEarned = screening.automated_decision === 'allow' && screening.earning !== undefined && in_force === null;
  const last = lastWord(statements);
  const earned = hasEarned && last ? returned(isCountedDecline(last), screening.unearned) : undefined;
  // The amount of a stopped payment left the windows when it was stopped.
  const hasSpent = !isStopped(screening.automated_decision);
  const spent = hasSpent ? returned(last?.type === 'declined', screening.unspent) : undefined;
  return (decline ?? earned ?? spent) ? { decline, earned, spent } : undefined;
}

function screeningAfter(
  { unearned, unspent, ...rest }: KeptSubject['screening'],
  { earned, spent }: DeclineEffect = {},
): KeptSubject['screening'] {
  const isTaken = (now: Return | undefined, before = false) => (now === undefined ? before : now === 'taken_back');
  return {
    ...rest,
    ...(isTaken(earned, unearned) ? { unearned: true } : {}),
    ...(isTaken(spent, unspent) ? { unspent: true } : {}),
  };
}

/** A subject after a person's review, which replaces any current label. */
export function reviewOnSubject(before: KeptSubject, review: KnownLabel): KeptSubject {
  return {
    ...before,
    review,
    in_force: { ...review, source: 'review' },
    label_changes: before.label_changes + 1,
    version: before.version + 1,
  };
}

const ANYTHING_BUT_A_USER = 'device#';
const sameReach = (a: SourcedLabel | null, b: SourcedLabel | null): boolean =>
  (a !== null && countsOn(a.source, ANYTHING_BUT_A_USER)) === (b !== null && countsOn(b.source, ANYTHING_BUT_A_USER));

/** The effect of a move on one entity: the label it counts from now on and the one it no longer does; undefined if none. */
export function moveOn(
  { from, to, at_ms }: LabelMove,
  entity: string,
): { readonly label: NewLabel; readonly previousLabel: KnownLabel | undefined } | undefined {
  const previousLabel = from && countsOn(from.source, entity) ? from : undefined;
  const next = to && countsOn(to.source, entity) ? to : undefined;
  if (previousLabel === undefined && next === undefined) return undefined;
  return { label: next ?? { label: 'none', known_at_ms: at_ms }, previousLabel };
}
