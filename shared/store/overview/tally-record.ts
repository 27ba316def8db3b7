import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { labelOf } from '../../domain/cases/outcome';
import { type Counters, DECISIONS, labelledCounters, screenedCounters } from '../../domain/overview/overview-counters';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { toScreening } from '../screening/screening-store';
import type { ChangeRecord } from '../webhooks/change-record';

interface Tally {
  readonly account_id: string;
  readonly at_ms: number;
  readonly counters: Counters;
}

const LARGEST_TIME_MS = 8.64e15;

/** Throws on a screening that would spoil its batch: an invalid time or invalid names. */
function checked(record: ScreeningRecord, accountId: unknown): asserts accountId is string {
  const { subject_type, automated_decision, risk_score, screened_at_ms, contributions } = record;
  const isSound =
    typeof accountId === 'string' &&
    Math.abs(screened_at_ms) <= LARGEST_TIME_MS &&
    DECISIONS.includes(automated_decision) &&
    (subject_type === 'transaction' || subject_type === 'event') &&
    risk_score >= 0 &&
    contributions.every(({ signal }) => typeof signal === 'string');
  if (!isSound) throw new Error('A screening in the stream lacks what is counted');
}

/** Reads what a change record adds to an account's counts; undefined if it does not count. */
export function readTally({ eventName, dynamodb }: ChangeRecord): Tally | undefined {
  if (eventName === 'REMOVE' || !dynamodb?.NewImage) return undefined;
  const item = unmarshall(dynamodb.NewImage as Record<string, AttributeValue>);
  if (item.entity !== 'screening') return undefined;
  const record = toScreening(item);
  checked(record, item.account_id);
  const origin = { account_id: item.account_id, at_ms: record.screened_at_ms };
  if (!dynamodb.OldImage) return { ...origin, counters: screenedCounters(record) };
  const before = toScreening(unmarshall(dynamodb.OldImage as Record<string, AttributeValue>));
  if (!record.review || record.review_count === before.review_count) return undefined;
  const previous = before.review ? labelOf(before.review.decision) : undefined;
  return { ...origin, counters: labelledCounters(record, previous, labelOf(record.review.decision)) };
}
