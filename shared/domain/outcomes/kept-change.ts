import type { KnownLabel } from '../entities/entity-history';
import { countsOn, type KeptSubject, labelInForce, type SourcedLabel, type Statement } from './kept-subject';
import type { StoredOutcome } from './outside-outcome';
import { processorWord } from './processor-word';

/** A label that counts from now on, or `none`: the one before it is withdrawn and nothing takes its place. */
export type NewLabel = KnownLabel | { readonly label: 'none'; readonly known_at_ms: number };

/** The move from one label to another, as entities count it. */
export interface LabelMove {
  readonly from: SourcedLabel | null;
  readonly to: SourcedLabel | null;
  readonly at_ms: number;
}

/** A subject before and after an outcome, and what moves in the counters; no move if the label stays. */
export interface KeptChange {
  readonly before: KeptSubject;
  readonly after: KeptSubject;
  readonly move: LabelMove | undefined;
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

/** The statements with one more; a won dispute withdraws what its dispute said, in whatever order they come. */
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
 * What an outcome changes on its subject. The label is decided anew from everything that was said: its result does not
 * depend on the order. `siblings` are the ULIDs of the other outcomes from the same source.
 */
export function outcomeOnSubject(
  before: KeptSubject,
  outcome: StoredOutcome,
  siblings: readonly string[],
  nowMs: number,
): KeptChange {
  const statements = withStatement(before.statements, outcome, siblings);
  const found = labelInForce({ review: before.review, statements });
  const isSame = found?.label === before.in_force?.label && sameReach(found, before.in_force);
  // The same label from another source still counts since it first became known.
  const known_at_ms = isSame ? (before.in_force?.known_at_ms ?? nowMs) : nowMs;
  const in_force = found && { ...found, known_at_ms };
  return {
    before,
    after: {
      ...before,
      statements,
      in_force,
      label_changes: before.label_changes + (isSame ? 0 : 1),
      version: before.version + 1,
    },
    move: isSame ? undefined : { from: before.in_force, to: in_force, at_ms: nowMs },
  };
}

/** A subject after a person's review, which replaces whatever was in force. */
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

/** What a move means for one entity: the label it counts from now on and the one it no longer does; undefined if none. */
export function moveOn(
  { from, to, at_ms }: LabelMove,
  entity: string,
): { readonly label: NewLabel; readonly previousLabel: KnownLabel | undefined } | undefined {
  const previousLabel = from && countsOn(from.source, entity) ? from : undefined;
  const next = to && countsOn(to.source, entity) ? to : undefined;
  if (previousLabel === undefined && next === undefined) return undefined;
  return { label: next ?? { label: 'none', known_at_ms: at_ms }, previousLabel };
}
