import type { Delivery, DeliveryRef, DeliveryStep, PendingDelivery } from '../../domain/webhooks/delivery';
import { type DeliveryState, type DeliveryStatus, type Pending, watchAtMs } from '../../domain/webhooks/delivery-state';
import { deliveryDuePk, deliveryDueShard, deliveryKey } from '../keys';
import type { Table } from '../sdk/client';
import type { Key } from '../sdk/key';
import { ttlFrom } from './message-store';

export const ulidOfDelivery = (deliveryId: string): string => deliveryId.slice('dlv_'.length);

export const keyOf = ({ account_id, webhook_id, delivery_id }: DeliveryRef): Key =>
  deliveryKey(account_id, webhook_id, ulidOfDelivery(delivery_id));

const iso = (ms: number): string => new Date(ms).toISOString();

/** The put of a new delivery, which fails if one with this ID exists. */
export function deliveryPut(table: Table, delivery: PendingDelivery, nowMs: number) {
  const { state, ...rest } = delivery;
  return {
    TableName: table.name,
    Item: {
      ...keyOf(delivery),
      entity: 'delivery',
      ...rest,
      ...state,
      due_pk: deliveryDuePk(deliveryDueShard(ulidOfDelivery(delivery.delivery_id))),
      due_sk: iso(watchAtMs(state, nowMs)),
      ttl: ttlFrom(nowMs),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
}

const STATE_MEMBERS = {
  pending: ['next_attempt_at', 'lease_until'],
  delivered: ['completed_at'],
  failed: ['completed_at', 'reason'],
  cancelled: ['completed_at', 'reason'],
} as const satisfies Record<DeliveryStatus, readonly string[]>;

export function toDelivery(item: Record<string, unknown>): Delivery {
  const { delivery_id, account_id, webhook_id, message_id, event_type, created_at, origin, redelivery_of, attempts } =
    item as unknown as Delivery;
  const { status, attempt } = item as unknown as DeliveryState;
  const members = STATE_MEMBERS[status].map((name) => [name, item[name]]);
  const state = { status, attempt, ...Object.fromEntries(members) } as DeliveryState;
  const ids = { delivery_id, account_id, webhook_id, message_id, event_type };
  const packed = item.packed as Uint8Array | undefined;
  const carried = packed === undefined ? {} : { packed };
  return { ...ids, created_at, origin, redelivery_of, state, attempts, ...carried };
}

/**
 * The update that advances a pending delivery by one step, provided that nobody else has: every step changes the
 * attempt number, the due time or the status, so these three are the fence.
 */
export function stepParams(table: Table, before: PendingDelivery, step: DeliveryStep) {
  const { after, record, lookAtMs, requeues, watchedAt } = step;
  const { next_attempt_at, lease_until, completed_at, reason } = after as Partial<
    Pending & { completed_at: string; reason: string }
  >;
  const set: Record<string, unknown> = { status: after.status, attempt: after.attempt };
  const remove: string[] = [];
  const put = (name: string, value: unknown): void => {
    if (value === undefined) remove.push(name);
    else set[name] = value;
  };
  put('next_attempt_at', next_attempt_at);
  put('lease_until', lease_until);
  put('completed_at', completed_at);
  put('reason', reason);
  put('requeues', requeues);
  if (after.status !== 'pending') remove.push('due_pk', 'due_sk');
  else if (lookAtMs !== undefined) set.due_sk = iso(lookAtMs);
  const assignments = Object.keys(set).map((name) => `#${name} = :${name}`);
  if (record) assignments.push('attempts = list_append(attempts, :record)');
  return {
    TableName: table.name,
    Key: keyOf(before),
    UpdateExpression: [
      `SET ${assignments.join(', ')}`,
      ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `#${name}`).join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: [
      '#status = :was_status AND #attempt = :was_attempt AND #next_attempt_at = :was_due',
      ...(watchedAt === undefined ? [] : ['due_sk = :watched']),
    ].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(
      [...Object.keys(set), ...remove, 'next_attempt_at'].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
      ...(record ? { ':record': [record] } : {}),
      ':was_status': before.state.status,
      ':was_attempt': before.state.attempt,
      ':was_due': before.state.next_attempt_at,
      ...(watchedAt === undefined ? {} : { ':watched': watchedAt }),
    },
  };
}
