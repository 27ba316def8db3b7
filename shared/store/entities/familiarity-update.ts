import { isTransaction, windowCents } from '../../domain/entities/attempt-counts';
import {
  EARNED_COUNTERPARTS,
  type EarnedCounterpart,
  type EarnedMember,
  type Earning,
  parseEarning,
} from '../../domain/entities/earning';
import type { Attempt, EntityKind, KnownLabel } from '../../domain/entities/entity-history';
import { kindOfKey } from '../../domain/entities/entity-ref';
import { bucketIndex, KIND } from '../../domain/entities/kind-spec';
import { confirmedDay } from '../../domain/entities/largest-day';
import type { DeclineEffect, NewLabel } from '../../domain/outcomes/kept-change';
import type { LabelledScreening } from '../../domain/outcomes/kept-subject';
import { atMostUsd } from '../../domain/screening/currency-rates';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import {
  addTo,
  deleteFrom,
  finishUpdate,
  removeName,
  setFrom,
  setOnce,
  startUpdate,
  type UpdateBuilder,
} from '../sdk/update-builder';
import { type Addend, addend, attemptWrites, currentName, dollarAddends } from './attempt-writes';
import { addDecline } from './decline-sets';
import { setName } from './distinct-sets';
import { type Habit, habitAddends, type Unconditional } from './earn-update';
import { expirySeconds, NAME } from './entity-attributes';
import { negated, packCents } from './log-amounts';
import { bucketName, STOPPED_LEVEL, TRANSACTION_LEVELS } from './time-buckets';

export interface Labelled {
  readonly record: LabelledScreening;
  readonly label: NewLabel;
  readonly previousLabel: KnownLabel | undefined;
}

/** The habits that a record's attempt shows. */
function habitOf({ amount, currency, event_type, screened_at_ms }: LabelledScreening): Habit {
  const amount_usd = amount === undefined || currency === undefined ? undefined : atMostUsd(amount, currency);
  return {
    action: event_type ?? 'transaction',
    at_ms: screened_at_ms,
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    ...(amount_usd === undefined ? {} : { amount_usd }),
  };
}

function move(builder: UpdateBuilder, addends: readonly Addend[], step: number): void {
  if (step === 0) return;
  for (const { name, value } of addends) addTo(builder, name, step > 0 ? value : { N: negated(value.N) });
}

const confirmedMember = (counterpart: EarnedCounterpart, { member }: EarnedMember): string =>
  counterpart === 'amounts' ? confirmedDay(member) : member;

/** Everything new that the attempt used becomes familiar at once. */
function confirm(builder: UpdateBuilder, { members }: Earning, atMs: number): void {
  for (const counterpart of EARNED_COUNTERPARTS) {
    const held = members[counterpart];
    if (held !== undefined) addTo(builder, setName(counterpart, atMs), { SS: [confirmedMember(counterpart, held)] });
  }
}

/** Everything new with the attempt is forgotten, from every epoch it may have been written to. */
function forget(builder: UpdateBuilder, { members }: Earning, timesMs: readonly number[]): void {
  for (const counterpart of EARNED_COUNTERPARTS) {
    const held = members[counterpart];
    if (held === undefined) continue;
    const texts = [...new Set([held.member, held.member + held.since, confirmedMember(counterpart, held)])];
    for (const name of new Set(timesMs.map((atMs) => setName(counterpart, atMs)))) deleteFrom(builder, name, texts);
  }
}

/** Takes back what an allowed attempt earned: its result was never stored. Undefined if it earned nothing. */
export function unearnUpdate(record: ScreeningRecord): Unconditional | undefined {
  if (record.earning === undefined) return undefined;
  const builder = startUpdate();
  const earning = parseEarning(record.earning);
  forget(builder, earning, [record.screened_at_ms]);
  if (earning.isFull) move(builder, habitAddends(habitOf(record)), -1);
  if (builder.nameCount === 0) return undefined;
  const { ConditionExpression: _, ...params } = finishUpdate(builder, '');
  return params;
}

function moveMark(builder: UpdateBuilder, mark: string, label: NewLabel['label']): void {
  if (label === 'none') addTo(builder, NAME.undecidedMarks, { SS: [mark] });
  else deleteFrom(builder, NAME.undecidedMarks, [mark]);
  if (label === 'fraud') addTo(builder, NAME.rejectedMarks, { SS: [mark] });
  else deleteFrom(builder, NAME.rejectedMarks, [mark]);
}

/** Gives back what an allowed attempt had earned, as old as it was: the label that took it is withdrawn. */
function giveBack(builder: UpdateBuilder, { members, isFull }: Earning, atMs: number): void {
  for (const counterpart of EARNED_COUNTERPARTS) {
    const held = members[counterpart];
    if (held === undefined || !(isFull || counterpart === 'devices')) continue;
    addTo(builder, setName(counterpart, atMs), { SS: [held.member + held.since] });
  }
}

function userFamiliarity(builder: UpdateBuilder, { record, label, previousLabel }: Labelled): void {
  const { stopped, earning: text, subject_type, screened_at_ms, automated_decision } = record;
  const isApproved = label.label === 'legitimate';
  const wasApproved = previousLabel?.label === 'legitimate';
  if (stopped !== undefined) {
    moveMark(builder, stopped, label.label);
    const step = Number(isApproved) - Number(wasApproved);
    if (step !== 0 && subject_type === 'transaction') addTo(builder, NAME.approved, { N: `${step}` });
  }
  if (text === undefined) return;
  const earning = parseEarning(text);
  // Without a label, an attempt counts if it was allowed; one that was challenged counts once it is known to be genuine.
  const wasAllowed = automated_decision === 'allow' && !record.unearned;
  const countsAlone = wasAllowed && earning.isFull;
  const wasCounted = previousLabel === undefined ? countsAlone : wasApproved;
  const isCounted = label.label === 'none' ? countsAlone : isApproved;
  move(builder, habitAddends(habitOf(record)), Number(isCounted) - Number(wasCounted));
  if (isApproved) confirm(builder, earning, label.known_at_ms);
  else if (label.label === 'none' && wasAllowed) {
    if (!wasApproved) giveBack(builder, earning, label.known_at_ms);
  } else forget(builder, earning, [screened_at_ms, label.known_at_ms, previousLabel?.known_at_ms ?? screened_at_ms]);
}

/** An entity other than the user: a stopped transaction counts like any other once it is approved. */
function otherFamiliarity(builder: UpdateBuilder, { record, label, previousLabel }: Labelled, entity: string): void {
  if (record.stopped === undefined || record.subject_type !== 'transaction') return;
  const step = Number(label.label === 'legitimate') - Number(previousLabel?.label === 'legitimate');
  if (step === 0) return;
  addTo(builder, NAME.stopped, { N: `${-step}` });
  if (KIND[kindOfKey(entity)].dollarLogs) move(builder, dollarAddends(habitOf(record)), step);
}

/** The effect of a label on the familiarity of one entity, besides being counted. */
export function addFamiliarity(builder: UpdateBuilder, labelled: Labelled, entity: string): void {
  const { record, label } = labelled;
  if (record.stopped === undefined && record.earning === undefined) return;
  if (kindOfKey(entity) === 'user') userFamiliarity(builder, labelled);
  else otherFamiliarity(builder, labelled, entity);
  if (record.earning === undefined) return;
  const wasTrusted = isTrustedBy(record, entity);
  if (label.label === 'legitimate' || (label.label === 'none' && wasTrusted)) {
    setOnce(builder, NAME.trustedSince, { N: `${record.screened_at_ms}` });
  } else if (label.label === 'fraud' && wasTrusted) {
    removeName(builder, NAME.trustedSince);
    // Otherwise it would be trusted as one of which nothing was ever stopped.
    if (kindOfKey(entity) !== 'user') addTo(builder, NAME.stopped, { N: '0' });
  }
}

const isTrustedBy = ({ earning = '', entities, automated_decision, unearned }: LabelledScreening, entity: string) =>
  automated_decision === 'allow' && !unearned && parseEarning(earning).trusts.includes(entities.indexOf(entity));

/**
 * Counts a decline on an entity of its payment, and takes back what the payment had earned and spent, or gives it back once
 * the bank has authorized it. Undefined if it changes nothing there.
 */
export function declinedUpdate(
  record: LabelledScreening,
  entity: string,
  { decline, earned, spent }: DeclineEffect,
  nowMs: number,
): Unconditional | undefined {
  const builder = startUpdate();
  if (decline !== undefined) addDecline(builder, decline, nowMs);
  // Networks count some payments only, and no amounts that a signal reads.
  if (spent !== undefined && record.entities.includes(entity)) {
    const addends = spentAddends(record.screened_at_ms, windowCents(habitOf(record)), nowMs);
    move(builder, addends, spent === 'taken_back' ? -1 : 1);
  }
  // As it was while it had earned something: the flag says what becomes of it.
  const { unearned: _, ...allowed } = record;
  if (earned !== undefined) moveEarned(builder, allowed, entity, earned === 'taken_back');
  if (builder.nameCount === 0) return undefined;
  setFrom(builder, NAME.ttl, NAME.listed, { N: `${expirySeconds(nowMs)}` });
  const { ConditionExpression: _none, ...params } = finishUpdate(builder, '');
  return params;
}

function moveEarned(builder: UpdateBuilder, record: LabelledScreening, entity: string, isTaken: boolean): void {
  const { earning: text = '', screened_at_ms } = record;
  const earning = parseEarning(text);
  if (kindOfKey(entity) === 'user') {
    if (earning.isFull) move(builder, habitAddends(habitOf(record)), isTaken ? -1 : 1);
    if (isTaken) forget(builder, earning, [screened_at_ms]);
    else giveBack(builder, earning, screened_at_ms);
  }
  if (!isTrustedBy(record, entity)) return;
  if (isTaken) removeName(builder, NAME.trustedSince);
  else setOnce(builder, NAME.trustedSince, { N: `${screened_at_ms}` });
  // Otherwise it would be trusted as one of which nothing was ever stopped.
  if (isTaken && kindOfKey(entity) !== 'user') addTo(builder, NAME.stopped, { N: '0' });
}

export interface StoppedAttempt {
  readonly decision: 'review' | 'block';
  readonly isTransaction: boolean;
  readonly atMs: number;
  readonly mark: string;
  /** In cents of a US dollar, as windows count it. @default 0 */
  readonly cents?: number;
}

/** The amount of a payment in the windows that still hold it: subtracted, it was not spent, and the attempt stays counted. */
function spentAddends(atMs: number, cents: number, nowMs = atMs): Addend[] {
  const live = TRANSACTION_LEVELS.filter((level) => bucketIndex(level, nowMs) - bucketIndex(level, atMs) < level.live);
  return cents === 0
    ? []
    : live.map((level) => addend(bucketName(level, bucketIndex(level, atMs)), packCents(cents, level.countDigits)));
}

/**
 * Remembers on the user's item that an attempt was stopped; send it in the transaction that stores the result. `allow`
 * is the rest of all transactions, so it is not counted. The update may be the first or the last of an entity's life: the
 * expiry it sets keeps the item from living for ever.
 */
export function stopUpdate({
  decision,
  isTransaction: isPayment,
  atMs,
  mark,
  cents = 0,
}: StoppedAttempt): Unconditional {
  const builder = startUpdate();
  setFrom(builder, NAME.ttl, NAME.listed, { N: `${expirySeconds(atMs)}` });
  addTo(builder, NAME.undecidedMarks, { SS: [mark] });
  if (isPayment) {
    addTo(builder, NAME[decision], { N: '1' });
    addTo(builder, currentName(STOPPED_LEVEL, atMs), { N: '1' });
    move(builder, spentAddends(atMs, cents), -1);
  }
  const { ConditionExpression: _, ...params } = finishUpdate(builder, '');
  return params;
}

/**
 * The same for the other entities, best effort: an attempt that was stopped makes none of them more established or
 * trusted, and its amount does not become usual. Events are not counted, but leave the mark that something was stopped.
 */
export function stoppedElsewhereUpdate(kind: EntityKind, attempt: Attempt): Unconditional {
  const builder = startUpdate();
  setFrom(builder, NAME.ttl, NAME.listed, { N: `${expirySeconds(attempt.at_ms)}` });
  addTo(builder, NAME.stopped, { N: isTransaction(attempt) ? '1' : '0' });
  if (isTransaction(attempt)) move(builder, spentAddends(attempt.at_ms, windowCents(attempt)), -1);
  if (KIND[kind].dollarLogs) {
    for (const { name, value } of attemptWrites(attempt).dollarLogs) addTo(builder, name, { N: negated(value.N) });
  }
  const { ConditionExpression: _, ...params } = finishUpdate(builder, '');
  return params;
}
