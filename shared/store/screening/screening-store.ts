import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { windowCents } from '../../domain/entities/attempt-counts';
import { kindOfKey, userOf } from '../../domain/entities/entity-ref';
import { keptSubject } from '../../domain/outcomes/kept-subject';
import { atMostUsd } from '../../domain/screening/currency-rates';
import { isStopped } from '../../domain/screening/decide';
import { RETENTION_MS, ReferencesTaken, type ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { ulidTimeMs } from '../../domain/ulid';
import { stopUpdate } from '../entities/familiarity-update';
import { packEntities } from '../entities/packed-entities';
import { entityKey, resultKey } from '../keys';
import { keptPut, referenceUpdates } from '../outcomes/kept-items';
import { insist, reach, type Table } from '../sdk/client';
import { type TransactItem, transact } from '../sdk/transact';
import { documentParams } from '../sdk/update-builder';
import { packExplanation } from './packed-explanation';
import { listingAttributes, screeningReader, typeOf } from './screening-reader';

const ttlOf = (record: ScreeningRecord): number => Math.ceil((record.screened_at_ms + RETENTION_MS) / 1000);

/**
 * A stopped screening has the longest explanation, is written in a transaction, at twice the price, and gets a review. The
 * empty list is for functions of the version before, which run alongside this one while it is being deployed.
 */
function explanationAttributes(record: ScreeningRecord) {
  const { automated_decision: decision, contributions, what_if } = record;
  if (isStopped(decision)) return { contributions: [], explained: packExplanation(record) };
  return { contributions, ...(what_if === undefined ? {} : { what_if }) };
}

/**
 * Below a kilobyte, a result is one write unit: what its key or other members say is left out. The amount is stored as
 * text: DynamoDB's numbers end at 1e-130, JSON's do not.
 */
export function screeningItem(accountId: string, record: ScreeningRecord): Record<string, unknown> {
  const { amount, missing, review, subject_type, screened_at_ms, entities, contributions, what_if, ...others } = record;
  const { network, intelligence: iv, sent, ...rest } = others;
  const item = {
    ...resultKey(accountId, record.ulid),
    entity: 'screening',
    ...rest,
    entities: packEntities(entities),
    ...(network === undefined ? {} : { nw: packEntities([network]) }),
    ...(iv === undefined ? {} : { iv }),
    ...explanationAttributes(record),
    ...(subject_type === typeOf(record) ? {} : { subject_type }),
    ...(screened_at_ms === ulidTimeMs(record.ulid) ? {} : { screened_at_ms }),
    ...(amount === undefined ? {} : { amount: String(amount) }),
    ...(missing.length === 0 ? {} : { missing }),
    ...(review === null ? {} : { review }),
    ...listingAttributes(accountId, record),
    ttl: ttlOf(record),
  };
  if (sent === undefined) return item;
  // Somebody will look at what was not simply allowed, and it has the most to say: it keeps all, even if that begins a unit.
  return { ...item, ...(record.automated_decision === 'allow' ? fitting(item, sent) : { sent }) };
}

const WRITE_UNIT = 1024;
const SLACK = 48;

/** As much of what was sent as the last write unit of the item has room for: it never costs another one. */
function fitting(item: Record<string, unknown>, sent: Uint8Array): { sent?: Uint8Array } {
  const members = Object.entries({ ...item, sent: '' });
  const bytes = members.reduce((sum, [name, value]) => sum + name.length + storedBytes(value), 0);
  const begun = bytes % WRITE_UNIT;
  // Just begun by our count, a unit may not have begun by DynamoDB's.
  const room = begun < SLACK ? 0 : WRITE_UNIT - begun;
  return room < LEAST_SENT ? {} : { sent: sent.length <= room ? sent : sent.subarray(0, room) };
}

/** Less than this tells next to nothing. */
const LEAST_SENT = 8;

/**
 * How large DynamoDB counts a value, or slightly more
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html).
 */
function storedBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return 2 + Math.ceil(String(value).length / 2);
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + 1 + storedBytes(each), 3);
  if (value === null || typeof value !== 'object') return 1;
  return Object.entries(value).reduce((sum, [name, each]) => sum + 1 + Buffer.byteLength(name) + storedBytes(each), 3);
}

/** The write of a screening; it fails if one with this ID exists. */
const screeningPut = (accountId: string, record: ScreeningRecord) => ({
  Item: screeningItem(accountId, record),
  ConditionExpression: 'attribute_not_exists(pk)',
});

export function stopOf({
  automated_decision: decision,
  stopped,
  subject_type,
  screened_at_ms,
  entities,
  amount,
  currency,
}: ScreeningRecord) {
  const user = entities.find((key) => kindOfKey(key) === 'user');
  if (!isStopped(decision) || stopped === undefined || user === undefined) return undefined;
  const isTransaction = subject_type === 'transaction';
  const amount_usd = amount === undefined || currency === undefined ? undefined : atMostUsd(amount, currency);
  const cents = windowCents(amount_usd === undefined ? {} : { amount_usd });
  return { user, params: stopUpdate({ decision, isTransaction, atMs: screened_at_ms, mark: stopped, cents }) };
}

/** Items that a screening with references keeps for outcomes from outside; none without references. */
function keptItems(accountId: string, record: ScreeningRecord): TransactItem[] {
  const { ulid, references = [], kept_until_ms, screened_at_ms: atMs } = record;
  if (kept_until_ms === undefined) return [];
  const user = userOf(record) ?? record.listed_user;
  return [
    keptPut(accountId, keptSubject(record, kept_until_ms)),
    ...referenceUpdates(accountId, references, { ulid, user, atMs, kept_until_ms }),
  ];
}

/** Where the references of a screening are among `screeningItems`: after the result and what is kept of it. */
const FIRST_REFERENCE = 2;

/** Why a screening was not stored, by the positions of `screeningItems` that were refused. */
export function refusedBecause({ references = [] }: ScreeningRecord, failed: readonly number[]): Error {
  const taken = references.filter((_, at) => failed.includes(FIRST_REFERENCE + at));
  return taken.length === 0 || failed.includes(0)
    ? new Error('A screening with this id exists already')
    : new ReferencesTaken(taken);
}

/** A screening, with its references, and what the user's history remembers of one that was stopped. */
export function screeningItems(accountId: string, record: ScreeningRecord): TransactItem[] {
  const items: TransactItem[] = [{ Put: screeningPut(accountId, record) }, ...keptItems(accountId, record)];
  const stop = stopOf(record);
  if (stop === undefined) return items;
  const Key = entityKey(accountId, stop.user);
  return [...items, { Update: { Key, ...documentParams(stop.params) } }];
}

export function screeningWriter(table: Table) {
  return {
    find: screeningReader(table).find,

    /** Stores a screening that opens no case: one plain write, or a transaction if it was blocked or has references. */
    async insert(accountId: string, record: ScreeningRecord, limitMs: number): Promise<void> {
      const items = screeningItems(accountId, record);
      if (items.length > 1) {
        const outcome = await transact(table, items, limitMs);
        if (!outcome.committed) throw refusedBecause(record, outcome.failed);
        return;
      }
      const command = new PutCommand({ TableName: table.name, ...screeningPut(accountId, record) });
      await reach(() => insist(limitMs, (options) => table.client.send(command, options)));
    },
  };
}
