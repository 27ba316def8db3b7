import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { encodeUlid, ULID_RANDOM_BYTES } from '../../domain/ulid';
import {
  DELIVERY_RETENTION_MS,
  type Delivery,
  type DeliverySelection,
  type DeliveryStatus,
} from '../../domain/webhooks/delivery';
import { DELIVERY_SHARDS, deliveriesPk } from '../keys';
import { reach, type Table } from '../sdk/client';
import { toDelivery } from './delivery-store';

/** A list reads at most this many pages of 1 MB per shard: some 40,000 deliveries in total. */
const MAX_PAGES = 8;

export interface DeliverySearch {
  readonly deliveries: readonly Delivery[];
  readonly isCut: boolean;
}

/** Deliveries of an endpoint, newest first. */
export function deliveryLister(table: Table) {
  async function newestOfShard(pk: string, statuses: readonly DeliveryStatus[], want: number, oldest: string) {
    const items: Record<string, unknown>[] = [];
    let from: Record<string, unknown> | undefined;
    for (let page = 0; page < MAX_PAGES && items.length < want && (page === 0 || from); page++) {
      const command: QueryCommand = new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk > :oldest',
        FilterExpression: `#status IN (${statuses.map((_, index) => `:${index}`).join(', ')})`,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':pk': pk,
          ':oldest': oldest,
          ...Object.fromEntries(statuses.map((status, index) => [`:${index}`, status])),
        },
        ScanIndexForward: false,
        ConsistentRead: true,
        ...(from ? { ExclusiveStartKey: from } : {}),
      });
      const result = await reach(() => table.client.send(command));
      items.push(...(result.Items ?? []));
      from = result.LastEvaluatedKey;
    }
    // Where it stopped with too few: older ones may match, but were not read.
    const unknownFrom = items.length < want && from ? (from.sk as string) : '';
    return { deliveries: items.slice(0, want).map(toDelivery), unknownFrom };
  }

  return {
    /** At most `want` deliveries in one of these statuses, within their retention period. */
    async newest(
      accountId: string,
      webhookId: string,
      { statuses, want, nowMs }: DeliverySelection,
    ): Promise<DeliverySearch> {
      if (statuses.length === 0) return { deliveries: [], isCut: false };
      const oldest = encodeUlid(nowMs - DELIVERY_RETENTION_MS, new Uint8Array(ULID_RANDOM_BYTES));
      const shards = await Promise.all(
        Array.from({ length: DELIVERY_SHARDS }, (_, shard) =>
          newestOfShard(deliveriesPk(accountId, webhookId, shard), statuses, want, oldest),
        ),
      );
      const unknownFrom =
        shards
          .map((shard) => shard.unknownFrom)
          .sort()
          .at(-1) ?? '';
      const deliveries = shards
        .flatMap((shard) => shard.deliveries)
        // Below that, another shard may hold newer ones that were not read: the list would have a gap.
        .filter(({ delivery_id }) => delivery_id.slice('dlv_'.length) > unknownFrom)
        .sort((a, b) => (a.delivery_id < b.delivery_id ? 1 : -1))
        .slice(0, want);
      return { deliveries, isCut: unknownFrom !== '' && deliveries.length < want };
    },
  };
}
