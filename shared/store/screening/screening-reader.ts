import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import type { SubjectType } from '../../domain/screening/subjects/subject-id';
import { ulidTimeMs } from '../../domain/ulid';
import { unpackEntities } from '../entities/packed-entities';
import { resultKey } from '../keys';
import { abortAfter, reach, type Table } from '../sdk/client';
import { unpackExplanation } from './packed-explanation';

const LOOK_LIMIT_MS = 2_000;

/** What was screened, by what an event has and a payment has not. */
export const typeOf = ({ event_type }: Partial<ScreeningRecord>): SubjectType => (event_type ? 'event' : 'transaction');

/** A screening from its item. */
export function toScreening(item: Record<string, unknown>): ScreeningRecord {
  const { pk, sk, entity, account_id, ttl, history_pk, due_pk, due_sk, ...kept } = item;
  const { amount, entities, explained, nw, ...rest } = kept;
  const [network] = unpackEntities(nw);
  const record = rest as unknown as ScreeningRecord;
  return {
    ...record,
    ...(explained === undefined ? {} : unpackExplanation(explained)),
    entities: unpackEntities(entities),
    ...(network === undefined ? {} : { network }),
    subject_type: record.subject_type ?? typeOf(record),
    screened_at_ms: record.screened_at_ms ?? ulidTimeMs(record.ulid),
    ...(amount === undefined ? {} : { amount: Number(amount) }),
    missing: (item.missing as string[] | undefined) ?? [],
    review: (item.review as ScreeningRecord['review'] | undefined) ?? null,
  };
}

/** Reads screenings. */
export function screeningReader(table: Table) {
  return {
    async find(accountId: string, ulid: string, limitMs = LOOK_LIMIT_MS): Promise<ScreeningRecord | undefined> {
      const command = new GetCommand({ TableName: table.name, Key: resultKey(accountId, ulid), ConsistentRead: true });
      const { Item: item } = await reach(() => abortAfter(limitMs, (options) => table.client.send(command, options)));
      return item && toScreening(item);
    },
  };
}
