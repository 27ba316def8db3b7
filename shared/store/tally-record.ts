import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Counters, labelledCounters, screenedCounters } from '../domain/overview/overview-counters';
import { labelOf } from '../domain/subjects/outcome';
import type { ChangeRecord } from './change-record';
import { toScreening } from './screening-store';

/** Reads what a change record adds to an account's figures; undefined when it counts for nothing. */
export function readTally({
  eventName,
  dynamodb,
}: ChangeRecord): { readonly account_id: string; readonly at_ms: number; readonly counters: Counters } | undefined {
  if (eventName === 'REMOVE' || !dynamodb?.NewImage) return undefined;
  const item = unmarshall(dynamodb.NewImage as Record<string, AttributeValue>);
  if (item.entity !== 'screening') return undefined;
  const record = toScreening(item);
  const place = { account_id: item.account_id as string, at_ms: record.screened_at_ms };
  if (!dynamodb.OldImage) return { ...place, counters: screenedCounters(record) };
  const before = toScreening(unmarshall(dynamodb.OldImage as Record<string, AttributeValue>));
  if (!record.review || record.review_count === before.review_count) return undefined;
  const previous = before.review ? labelOf(before.review.decision) : undefined;
  return { ...place, counters: labelledCounters(record, previous, labelOf(record.review.decision)) };
}
