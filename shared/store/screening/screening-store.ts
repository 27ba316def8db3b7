import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { RETENTION_MS, type ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { type CountedDecision, decisionUpdate } from '../entities/decision-update';
import { entityKey, resultKey } from '../keys';
import { abortAfter, insist, reach, type Table, within } from '../sdk/client';
import { documentParams } from '../sdk/document-params';

const LOOK_LIMIT_MS = 2_000;

const ttlOf = (record: ScreeningRecord): number => Math.ceil((record.screened_at_ms + RETENTION_MS) / 1000);

/** The amount is stored as text: DynamoDB's numbers end at 1e-130, JSON's do not. */
export function screeningItem(accountId: string, record: ScreeningRecord): Record<string, unknown> {
  const { amount, missing, review, ...rest } = record;
  return {
    ...resultKey(accountId, record.ulid),
    entity: 'screening',
    account_id: accountId,
    ...rest,
    ...(amount === undefined ? {} : { amount: String(amount) }),
    ...(missing.length === 0 ? {} : { missing }),
    ...(review === null ? {} : { review }),
    ttl: ttlOf(record),
  };
}

export function toScreening(item: Record<string, unknown>): ScreeningRecord {
  const { pk, sk, entity, account_id, ttl, amount, ...rest } = item;
  return {
    ...(rest as unknown as ScreeningRecord),
    ...(amount === undefined ? {} : { amount: Number(amount) }),
    missing: (item.missing as string[] | undefined) ?? [],
    review: (item.review as ScreeningRecord['review'] | undefined) ?? null,
  };
}

/** The write of a screening; it fails if one with this ID exists. */
export const screeningPut = (table: Table, accountId: string, record: ScreeningRecord) => ({
  TableName: table.name,
  Item: screeningItem(accountId, record),
  ConditionExpression: 'attribute_not_exists(pk)',
});

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

/** Writes screenings, each exactly once. */
export function screeningWriter(table: Table) {
  return {
    find: screeningReader(table).find,

    /** Stores a screening that opens no case: one plain write. */
    async insert(accountId: string, record: ScreeningRecord, limitMs: number): Promise<void> {
      const command = new PutCommand(screeningPut(table, accountId, record));
      await reach(() => insist(limitMs, (options) => table.client.send(command, options)));
    },

    /** Counts a review or block on the user's history; `allow` is the rest. */
    async countDecision(
      accountId: string,
      userEntity: string,
      { decision, step, atMs }: CountedDecision,
      limitMs: number,
    ): Promise<void> {
      const command = new UpdateCommand({
        TableName: table.name,
        Key: entityKey(accountId, userEntity),
        ...documentParams(decisionUpdate({ decision, atMs, step })),
      });
      await within(limitMs, table.client.send(command));
    },
  };
}
