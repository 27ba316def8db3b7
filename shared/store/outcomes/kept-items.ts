import { type KeptChange, type LabelMove, moveOn } from '../../domain/outcomes/kept-change';
import {
  declinedEntities,
  isMissedFraud,
  type KeptSubject,
  type LabelledScreening,
} from '../../domain/outcomes/kept-subject';
import { declinedUpdate } from '../entities/familiarity-update';
import { outcomeUpdate } from '../entities/label-update';
import { NETWORK } from '../entities/rekey-item';
import {
  decidedPk,
  decidedShard,
  entityKey,
  keptKey,
  outcomeDuePk,
  outcomeDueShard,
  referenceKey,
  resultKey,
} from '../keys';
import type { Table } from '../sdk/client';
import { getItem } from '../sdk/table-calls';
import type { TransactItem } from '../sdk/transact';
import { documentParams } from '../sdk/update-builder';

const ttlOf = (untilMs: number): number => Math.ceil(untilMs / 1000);

/** The list of missed fraud is one of the lists of decisions; the entry leaves it with the label. */
function missedAttributes(accountId: string, kept: KeptSubject): { due_pk?: string; due_sk?: string } {
  if (!isMissedFraud(kept)) return {};
  const { ulid, screened_at_ms } = kept.screening;
  const month = new Date(screened_at_ms).toISOString().slice(0, 7);
  return { due_pk: decidedPk(accountId, 'missed_fraud', month, decidedShard(ulid)), due_sk: ulid };
}

/**
 * The amount is stored as text, as in the result: DynamoDB's numbers end at 1e-130, JSON's do not. The entities are a
 * separate attribute, as in the result, and so is the network: a new identity key renames them there.
 */
function keptItem(accountId: string, kept: KeptSubject): Record<string, unknown> {
  const { amount, entities, network, ...screening } = kept.screening;
  return {
    ...keptKey(accountId, screening.ulid),
    entity: 'kept',
    account_id: accountId,
    ...kept,
    screening: { ...screening, ...(amount === undefined ? {} : { amount: String(amount) }) },
    entities,
    ...(network === undefined ? {} : { [NETWORK]: [network] }),
    ...missedAttributes(accountId, kept),
    ttl: ttlOf(kept.kept_until_ms),
  };
}

export function toKept(item: Record<string, unknown>): KeptSubject {
  const { pk, sk, entity, account_id, ttl, entities, [NETWORK]: networks, due_pk, due_sk, ...rest } = item;
  const kept = rest as unknown as KeptSubject;
  const [network] = (networks as readonly string[] | undefined) ?? [];
  const named = { entities: entities as readonly string[], ...(network === undefined ? {} : { network }) };
  const { amount, ...screening } = { ...kept.screening, ...named };
  return { ...kept, screening: { ...screening, ...(amount === undefined ? {} : { amount: Number(amount) }) } };
}

/** The write of a kept subject; it fails unless the stored one is the version before it. */
export const keptPut = (accountId: string, kept: KeptSubject): TransactItem => ({
  Put: {
    Item: keptItem(accountId, kept),
    ...(kept.version === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'version = :before', ExpressionAttributeValues: { ':before': kept.version - 1 } }),
  },
});

/** The writes of a kept subject: with the first, its result says that it is kept, unless it was reviewed in the meantime. */
export function keepItems(accountId: string, kept: KeptSubject, before: KeptSubject): TransactItem[] {
  const put = keptPut(accountId, kept);
  if (kept.version > 0) return [put];
  const flag = {
    Key: resultKey(accountId, kept.screening.ulid),
    UpdateExpression: 'SET kept_until_ms = :until',
    ConditionExpression: 'review_count = :count AND attribute_not_exists(kept_until_ms)',
    ExpressionAttributeValues: { ':until': kept.kept_until_ms, ':count': before.label_changes },
  };
  return [put, { Update: flag }];
}

export function keptReader(table: Table) {
  return {
    async find(accountId: string, ulid: string): Promise<KeptSubject | undefined> {
      const item = await getItem(table, keptKey(accountId, ulid));
      return item && toKept(item);
    },
  };
}

export interface Linked {
  readonly ulid: string;
  /** The pseudonym of its user; undefined if nobody is to be known. */
  readonly user: string | undefined;
  readonly atMs: number;
  readonly kept_until_ms: number;
}

/**
 * Gives references their subject; fails where one belongs to another user's, since a dispute would then reach somebody
 * who never made the payment. The same user may name it again: an order that is paid at the second try. If outcomes wait for a reference, it has a `due_pk`, and the sweep finds it at once;
 * otherwise `due_sk` alone means nothing, because the index is sparse.
 */
export function referenceUpdates(
  accountId: string,
  references: readonly string[],
  { ulid, user, atMs, kept_until_ms }: Linked,
): TransactItem[] {
  return references.map((pseudonym) => ({
    Update: {
      Key: referenceKey(accountId, pseudonym),
      UpdateExpression:
        'SET entity = :entity, account_id = :account, ulid = :ulid, at_ms = :at, kept_until_ms = :until, #ttl = :ttl, due_sk = :due, of_user = :user',
      ConditionExpression: 'attribute_not_exists(ulid) OR ulid = :ulid OR of_user = :user OR kept_until_ms <= :at',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':entity': 'reference',
        ':account': accountId,
        ':ulid': ulid,
        // Nobody's is only its own: no other screening has this name.
        ':user': user ?? ulid,
        ':at': atMs,
        ':until': kept_until_ms,
        ':ttl': ttlOf(kept_until_ms),
        ':due': new Date(atMs).toISOString(),
      },
    },
  }));
}

/** Lets an outcome wait for a reference; fails if the reference has a subject by now. */
export const holdUpdate = (
  accountId: string,
  pseudonym: string,
  { held, nowMs, untilMs }: { readonly held: string; readonly nowMs: number; readonly untilMs: number },
): TransactItem => ({
  Update: {
    Key: referenceKey(accountId, pseudonym),
    UpdateExpression:
      'SET entity = :entity, account_id = :account, due_pk = :duePk, due_sk = :due, #ttl = :ttl REMOVE ulid, of_user, at_ms, kept_until_ms ADD held :held',
    ConditionExpression: 'attribute_not_exists(ulid) OR kept_until_ms <= :now',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':entity': 'reference',
      ':account': accountId,
      ':duePk': outcomeDuePk(outcomeDueShard(pseudonym)),
      ':due': new Date(untilMs).toISOString(),
      // A day longer, so that the sweep finds it before the table deletes it.
      ':ttl': ttlOf(untilMs) + 86_400,
      ':held': new Set([held]),
      ':now': nowMs,
    },
  },
});

export function labelMoveItems(
  accountId: string,
  record: LabelledScreening,
  move: LabelMove | undefined,
): TransactItem[] {
  if (move === undefined) return [];
  return record.entities.flatMap((entity) => {
    const moved = moveOn(move, entity);
    if (moved === undefined) return [];
    const params = documentParams(outcomeUpdate({ record, ...moved }, entity));
    return [{ Update: { Key: entityKey(accountId, entity), ...params } }];
  });
}

export function declineItems(
  accountId: string,
  { declined, after: { screening } }: KeptChange,
  nowMs: number,
): TransactItem[] {
  if (declined === undefined) return [];
  return declinedEntities(screening).flatMap((entity) => {
    const params = declinedUpdate(screening, entity, declined, nowMs);
    if (params === undefined) return [];
    return [{ Update: { Key: entityKey(accountId, entity), ...documentParams(params) } }];
  });
}

/** Reads which screening a reference belongs to. */
export const referenceReader = (table: Table) => ({
  async subjectOf(accountId: string, pseudonym: string, nowMs: number): Promise<string | undefined> {
    const item = await getItem(table, referenceKey(accountId, pseudonym));
    return item && nowMs < (item.kept_until_ms ?? 0) ? (item.ulid as string) : undefined;
  },
});
