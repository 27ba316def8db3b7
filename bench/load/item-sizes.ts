import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import type { LocalRun } from '../../local/start-local';
import { localClient } from '../../shared/runtime/admin-wiring';
import { HISTORY_PROJECTION } from '../../shared/store/screening/decision-listing';
import { type WireItem, wireBytes } from '../support/wire-size';
import { kindOfItem } from './capacity-meter';

/** What the history index holds of a result: the keys of both, and what it projects. */
const INDEXED: readonly string[] = ['pk', 'sk', 'history_pk', 'ulid', ...HISTORY_PROJECTION];

const indexBytes = (item: WireItem): number =>
  item.history_pk === undefined
    ? 0
    : wireBytes(Object.fromEntries(Object.entries(item).filter(([name]) => INDEXED.includes(name))));

/** The mean size of items of each kind, and how many there are, from a scan of the whole table. */
export async function itemSizes({ awsEndpoint, secret, outputs }: LocalRun) {
  const client = new DynamoDBClient(localClient({ awsEndpoint, secret }));
  const kinds = new Map<string, { items: number; bytes: number }>();
  let [indexed, links] = [0, 0];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: outputs.TableName })) {
    for (const item of Items as unknown as WireItem[]) {
      const kind = kinds.get(kindOfItem(item)) ?? { items: 0, bytes: 0 };
      kind.items += 1;
      kind.bytes += wireBytes(item);
      kinds.set(kindOfItem(item), kind);
      indexed += indexBytes(item);
      // One character for each entity that was new to the user.
      links += String(item.linked?.S ?? '').length;
    }
  }
  client.destroy();
  const results = kinds.get('SUBJECT/RESULT')?.items ?? 0;
  return {
    of: new Map([...kinds].map(([kind, { items, bytes }]) => [kind, { items, bytes: bytes / items }])),
    /** The mean size of an entry of the history index. */
    historyEntryBytes: results === 0 ? undefined : indexed / results,
    /** Links between users and entities that results ask for. */
    links,
  };
}

export type ItemSizes = Awaited<ReturnType<typeof itemSizes>>;
