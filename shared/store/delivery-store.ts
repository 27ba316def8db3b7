import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery, DeliveryRef, DeliveryStep, PendingDelivery } from '../domain/webhooks/delivery';
import { falseIfRefused, reach, type Table } from './client';
import { deliveryPut, keyOf, stepParams, toDelivery } from './delivery-items';
import { DELIVERY_DUE_SHARDS, DUE_INDEX, deliveryDuePk, type Key } from './keys';

/** Makes deliveries. */
export function deliveryWriter(table: Table) {
  return {
    /** Whether it is new: one that is there already keeps its state, whatever it is. */
    async insert(delivery: PendingDelivery, nowMs: number): Promise<boolean> {
      const command = new PutCommand(deliveryPut(table, delivery, nowMs));
      return reach(() => table.client.send(command)).then(() => true, falseIfRefused);
    },
  };
}

/** Moves deliveries on, each step exactly once. */
export function deliveryStepper(table: Table) {
  const get = async (Key: Key) => {
    const command = new GetCommand({ TableName: table.name, Key: { ...Key }, ConsistentRead: true });
    return (await reach(() => table.client.send(command))).Item;
  };
  return {
    async find(ref: DeliveryRef): Promise<Delivery | undefined> {
      const item = await get(keyOf(ref));
      return item && toDelivery(item);
    },

    /** Whether the step was taken; false when somebody else has moved the delivery meanwhile. */
    async step(before: PendingDelivery, step: DeliveryStep): Promise<boolean> {
      const command = new UpdateCommand(stepParams(table, before, step));
      return reach(() => table.client.send(command)).then(() => true, falseIfRefused);
    },
  };
}

export const DUE_SHARDS: readonly number[] = Array.from({ length: DELIVERY_DUE_SHARDS }, (_, shard) => shard);

/** A delivery that the sweep must look at. */
export interface WatchedDelivery {
  readonly delivery: Delivery;
  readonly requeues: number;
  readonly watchAt: string;
}

/** Finds what the sweep must look at. */
export function deliveryWatch(table: Table) {
  const read = async ({ pk, sk }: Key): Promise<WatchedDelivery | undefined> => {
    const command = new GetCommand({ TableName: table.name, Key: { pk, sk }, ConsistentRead: true });
    const { Item: item } = await reach(() => table.client.send(command));
    // The index lags behind: what is over by now is in it no more.
    if (!item?.due_sk) return undefined;
    return { delivery: toDelivery(item), requeues: (item.requeues as number) ?? 0, watchAt: item.due_sk };
  };
  return {
    /** Deliveries of a shard that are to be looked at, the most overdue first; what the index says is read anew. */
    async due(shard: number, nowMs: number, limit: number): Promise<{ found: number; due: WatchedDelivery[] }> {
      const now = new Date(nowMs).toISOString();
      const command = new QueryCommand({
        TableName: table.name,
        IndexName: DUE_INDEX,
        KeyConditionExpression: 'due_pk = :pk AND due_sk <= :now',
        ExpressionAttributeValues: { ':pk': deliveryDuePk(shard), ':now': now },
        ConsistentRead: false,
        Limit: limit,
      });
      const { Items: items = [] } = await reach(() => table.client.send(command));
      const read_ = await Promise.all(items.map((item) => read(item as Key)));
      return { found: items.length, due: read_.flatMap((each) => (each && each.watchAt <= now ? [each] : [])) };
    },
  };
}
