import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { labelOf } from '../../domain/cases/outcome';
import { currentLabel, isMissedFraud } from '../../domain/outcomes/kept-subject';
import { resolvedCounters } from '../../domain/overview/desk-counters';
import {
  addCounters,
  type Counters,
  DECISIONS,
  labelledCounters,
  missedCounters,
  movedCounters,
  screenedCounters,
} from '../../domain/overview/overview-counters';
import type { RuledScreening } from '../../domain/overview/rule-share';
import { currentDecision, type ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { toCase } from '../cases/case-items';
import type { ChangeRecord } from '../change-record';
import { accountOfPk } from '../keys';
import { toKept } from '../outcomes/kept-items';
import { toScreening } from '../screening/screening-reader';

interface Tally {
  readonly account_id: string;
  readonly at_ms: number;
  readonly counters: Counters;
  readonly about?: 'desk';
}

const LARGEST_TIME_MS = 8.64e15;

/** Throws on a screening that would spoil its batch: an invalid time or invalid names. */
function checked(record: ScreeningRecord): void {
  const { subject_type, automated_decision, risk_score, screened_at_ms, contributions } = record;
  const isSound =
    Math.abs(screened_at_ms) <= LARGEST_TIME_MS &&
    DECISIONS.includes(automated_decision) &&
    (subject_type === 'transaction' || subject_type === 'event') &&
    risk_score >= 0 &&
    contributions.every(({ signal }) => typeof signal === 'string');
  if (!isSound) throw new Error('A screening in the stream lacks what is counted');
}

/** Counts that a changed label adds, for a subject that is kept for outcomes from outside. */
function keptTally(item: Record<string, unknown>, oldImage: object | undefined): Tally | undefined {
  const kept = toKept(item);
  const { screening, signals, in_force, review } = kept;
  // A subject may be stored with its first outcome: before it there was its review, which its screening counts.
  const before = oldImage
    ? toKept(unmarshall(oldImage as Record<string, AttributeValue>))
    : { screening, in_force: currentLabel({ review, statements: {} }) };
  const { risk_score, screened_at_ms: at_ms } = screening;
  if (typeof item.account_id !== 'string' || !(risk_score >= 0) || !(Math.abs(at_ms) <= LARGEST_TIME_MS)) {
    throw new Error('A kept subject in the stream lacks what is counted');
  }
  const contributions = signals.map((signal) => ({ signal, points: 1, detail: '' }));
  const counters = addCounters(
    labelledCounters({ ...screening, contributions }, before.in_force?.label, in_force?.label),
    missedCounters(screening, isMissedFraud(before), isMissedFraud(kept)),
  );
  return counters.size === 0 ? undefined : { account_id: item.account_id, at_ms, counters };
}

/** Counts that a just resolved case adds: to the time of its creation, as lists of cases are cut. */
function resolvedTally(item: Record<string, unknown>, oldImage: object | undefined): Tally | undefined {
  if (!oldImage) return undefined;
  const [before, after] = [toCase(unmarshall(oldImage as Record<string, AttributeValue>)), toCase(item)];
  if (before.status !== 'open' || (after.status !== 'approved' && after.status !== 'rejected')) return undefined;
  if (typeof item.account_id !== 'string' || !(Math.abs(after.created_at_ms) <= LARGEST_TIME_MS)) {
    throw new Error('A case in the stream lacks what is counted');
  }
  const { account_id } = item;
  return { account_id, at_ms: after.created_at_ms, counters: resolvedCounters(after), about: 'desk' };
}

export function readTally({ eventName, dynamodb }: ChangeRecord): Tally | undefined {
  if (eventName === 'REMOVE' || !dynamodb?.NewImage) return undefined;
  const item = unmarshall(dynamodb.NewImage as Record<string, AttributeValue>);
  if (item.entity === 'case') return resolvedTally(item, dynamodb.OldImage);
  if (item.entity === 'kept') return keptTally(item, dynamodb.OldImage);
  if (item.entity !== 'screening') return undefined;
  const record = toScreening(item);
  checked(record);
  const origin = { account_id: accountOfPk(item.pk), at_ms: record.screened_at_ms };
  if (!dynamodb.OldImage) return { ...origin, counters: screenedCounters(record) };
  const before = toScreening(unmarshall(dynamodb.OldImage as Record<string, AttributeValue>));
  if (!record.review || record.review_count === before.review_count) return undefined;
  const moved = movedCounters(record, currentDecision(before), currentDecision(record));
  // Where labels from outside may count as well, what is kept for them says which one is current.
  if (record.kept_until_ms !== undefined) return moved.size === 0 ? undefined : { ...origin, counters: moved };
  const previous = before.review ? labelOf(before.review.decision) : undefined;
  const labelled = labelledCounters(record, previous, labelOf(record.review.decision));
  return { ...origin, counters: addCounters(moved, labelled) };
}

/** Reads who decided a new screening; undefined for any other change. An image is read by hand: most say nothing. */
export function readRuled({ eventName, dynamodb }: ChangeRecord): RuledScreening | undefined {
  const image = dynamodb?.NewImage as Record<string, AttributeValue> | undefined;
  if (eventName !== 'INSERT' || image?.entity?.S !== 'screening' || image.pk?.S === undefined) return undefined;
  const { kind, name } = image.decided_by?.M ?? {};
  return { account_id: accountOfPk(image.pk.S), rule: kind?.S === 'rule' ? name?.S : undefined };
}
