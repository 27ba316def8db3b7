import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import type { LocalRun } from '../../local/start-local';
import { localClient } from '../../shared/runtime/admin-wiring';
import { type WireItem, wireBytes } from '../support/wire-size';
import { kindOfItem } from './capacity-meter';

/** The mean size of items of each kind, and how many there are, from a scan of the whole table. */
export async function itemSizes({ awsEndpoint, secret, outputs }: LocalRun) {
  const client = new DynamoDBClient(localClient({ awsEndpoint, secret }));
  const kinds = new Map<string, { items: number; bytes: number }>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName: outputs.TableName })) {
    for (const item of Items as unknown as WireItem[]) {
      const kind = kinds.get(kindOfItem(item)) ?? { items: 0, bytes: 0 };
      kind.items += 1;
      kind.bytes += wireBytes(item);
      kinds.set(kindOfItem(item), kind);
    }
  }
  client.destroy();
  return new Map([...kinds].map(([kind, { items, bytes }]) => [kind, { items, bytes: bytes / items }]));
}

export type ItemSizes = Awaited<ReturnType<typeof itemSizes>>;
