import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { userOf } from '../../domain/entities/entity-ref';
import { currentDecision, type ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import type { SubjectType } from '../../domain/screening/subjects/subject-id';
import { ulidTimeMs } from '../../domain/ulid';
import { unpackEntities } from '../entities/packed-entities';
import { decidedPk, decidedShard, historyPk, resultKey } from '../keys';
import { abortAfter, reach, type Table } from '../sdk/client';
import { unpackExplanation } from './packed-explanation';

const LOOK_LIMIT_MS = 2_000;

/** The type of a screening: only events have an `event_type`. */
export const typeOf = ({ event_type }: Partial<ScreeningRecord>): SubjectType => (event_type ? 'event' : 'transaction');

export function toScreening(item: Record<string, unknown>): ScreeningRecord {
  const { pk, sk, entity, account_id, ttl, history_pk, due_pk, due_sk, ...kept } = item;
  const { amount, entities, explained, nw, iv, ...rest } = kept;
  const [network] = unpackEntities(nw);
  const record = rest as unknown as ScreeningRecord;
  return {
    ...record,
    ...(explained === undefined ? {} : unpackExplanation(explained)),
    entities: unpackEntities(entities),
    ...(network === undefined ? {} : { network }),
    ...(typeof iv === 'string' ? { intelligence: iv } : {}),
    subject_type: record.subject_type ?? typeOf(record),
    screened_at_ms: record.screened_at_ms ?? ulidTimeMs(record.ulid),
    ...(amount === undefined ? {} : { amount: Number(amount) }),
    missing: (item.missing as string[] | undefined) ?? [],
    review: (item.review as ScreeningRecord['review'] | undefined) ?? null,
  };
}

export function screeningReader(table: Table) {
  return {
    async find(accountId: string, ulid: string, limitMs = LOOK_LIMIT_MS): Promise<ScreeningRecord | undefined> {
      const command = new GetCommand({ TableName: table.name, Key: resultKey(accountId, ulid), ConsistentRead: true });
      const { Item: item } = await reach(() => abortAfter(limitMs, (options) => table.client.send(command, options)));
      return item && toScreening(item);
    },
  };
}

/** Attributes of the history index besides keys: enough to pick decisions and draw links without reading the results. */
export const HISTORY_PROJECTION = ['automated_decision', 'review_count', 'entities'] as const;

const monthOf = (record: ScreeningRecord): string => new Date(record.screened_at_ms).toISOString().slice(0, 7);

/**
 * Decisions that have their own list. Allowed ones are only found by user; those under review are in the lists of
 * cases, which exist anyway.
 */
const isListed = (decision: string): boolean => decision !== 'allow' && decision !== 'review';

export function decidedAttributes(accountId: string, record: ScreeningRecord): { due_pk?: string; due_sk?: string } {
  const decision = currentDecision(record);
  if (record.unlisted || !isListed(decision)) return {};
  const { ulid } = record;
  return { due_pk: decidedPk(accountId, decision, monthOf(record), decidedShard(ulid)), due_sk: ulid };
}

/** Everything that puts a screening into lists; nothing for an account that keeps no history. */
export function listingAttributes(accountId: string, record: ScreeningRecord): Record<string, string> {
  const user = userOf(record) ?? record.listed_user;
  if (record.unlisted || user === undefined) return {};
  return { history_pk: historyPk(accountId, user), ...decidedAttributes(accountId, record) };
}
