import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { accountOfPk, PARTITION } from '../keys';
import type { Key } from '../sdk/key';
import { MOVED, STREAMED_ENTITIES } from './copied-change';

/** An item as DynamoDB sends it: numbers stay text, so that none loses a digit on the way. */
export type StoredItem = Readonly<Record<string, AttributeValue>>;

/**
 * How an item moves with its account.
 *
 *   copied    any time: nobody reads it at the other end before the account is there
 *   opening   last of all: what makes the account known there, and its keys and addresses accepted
 *   counted   after the move, added to what is there by then: counts that follow the stream
 */
export type Travel = 'copied' | 'opening' | 'counted';

export const kindOf = ({ pk }: Key): string => pk.split('#', 1)[0] ?? '';

export const keyOfItem = (item: StoredItem): Key => ({ pk: item.pk?.S ?? '', sk: item.sk?.S ?? '' });

/** How keys are written where they are compared. */
export const nameOfKey = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

const STAGE_KINDS: ReadonlySet<string> = new Set([PARTITION.erasePass, PARTITION.mark, PARTITION.model]);

/** How an item moves with this account; undefined if it belongs to another one, or to the stage. */
export function travelOf(item: StoredItem, accountId: string): Travel | undefined {
  const key = keyOfItem(item);
  const kind = kindOf(key);
  if (STAGE_KINDS.has(kind)) return undefined;
  if (kind === PARTITION.accounts) return key.sk === accountId ? 'opening' : undefined;
  if (kind === PARTITION.keyHash) return item.account_id?.S === accountId ? 'opening' : undefined;
  if (kind === PARTITION.inbound) {
    if (item.account_id?.S !== accountId) return undefined;
    return key.sk === 'INBOUND' ? 'opening' : 'copied';
  }
  if (accountOfPk(key.pk) !== accountId) return undefined;
  if (kind === PARTITION.account && key.sk === 'ACCOUNT') return 'opening';
  return kind === PARTITION.overview ? 'counted' : 'copied';
}

/** What the deployment that an account leaves keeps writing for a while, and the other one never does: see `lateItems`. */
export const LATE_KINDS: ReadonlySet<string> = new Set([PARTITION.links, PARTITION.message, PARTITION.deliveries]);

const DUE = 'DUE#';

/** Whether a sweep would look at it. */
export const isDue = (item: StoredItem): boolean => item.due_pk?.S?.startsWith(DUE) ?? false;

/** The deployment where a delivery was begun brings it to its end: the other one only lists it. */
export const isDelivery = (item: StoredItem): boolean => item.entity?.S === 'delivery';

export const isPending = (item: StoredItem): boolean => isDelivery(item) && item.status?.S === 'pending';

/** An item as it is kept at the other end, without its mark: held back from sweeps until the account is there. */
export function arrivedItem(item: StoredItem, isHeld: boolean): StoredItem {
  const { [MOVED]: _mark, ...rest } = item;
  if (!isDue(item) || !(isHeld || isDelivery(item))) return rest;
  const { due_pk, due_sk, ...quiet } = rest;
  return quiet;
}

/** What is written at the other end; the mark must be new for every write. */
export const markedItem = (item: StoredItem, mark: string): StoredItem =>
  STREAMED_ENTITIES.has(item.entity?.S ?? '') ? { ...item, [MOVED]: { S: mark } } : item;
