import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import type { Intercept } from '../../local/aws/front';
import type { LocalRun } from '../../local/start-local';
import { localClient } from '../../shared/runtime/admin-wiring';
import { PARTITION } from '../../shared/store/keys';
import { HISTORY_PROJECTION } from '../../shared/store/screening/screening-reader';
import { type WireItem, wireBytes, writeUnits } from '../support/wire-size';

/** Units that one caller used, by what it did: `PutItem SUBJECT/RESULT`. */
interface Use {
  calls: number;
  writeUnits: number;
  readUnits: number;
}

interface Write {
  readonly operation: string;
  readonly key: WireItem;
  readonly item: WireItem | undefined;
  /** Bytes that an update sends: it cannot add more than that. */
  readonly values: WireItem;
  /** Its `UpdateExpression` with the names that it uses. */
  readonly changes: string;
  readonly indexKey: string | undefined;
}

type Input = Readonly<Record<string, unknown>>;

const textOf = (key: WireItem | undefined, name: string): string => String(key?.[name]?.S ?? '');

const idOf = (key: WireItem): string => `${textOf(key, 'pk')} ${textOf(key, 'sk')}`;

/** `SUBJECT/RESULT`: the kind of item that a key belongs to. */
export const kindOfItem = (key: WireItem): string =>
  [textOf(key, 'pk'), textOf(key, 'sk')]
    .map((part) => part.split('#')[0] ?? '')
    .filter((part) => !/^[0-9A-Z]{26}$/.test(part))
    .join('/');

/** The changes of an update, with names in place of their placeholders. */
function changesOf(input: Input): string {
  const names = (input.ExpressionAttributeNames ?? {}) as Record<string, string>;
  return String(input.UpdateExpression ?? '').replace(/#\w+/g, (name) => names[name] ?? name);
}

/** The index key that an update sets, if any. */
function indexKeySet(input: Input): string | undefined {
  const [, placeholder = ''] = /\bdue_pk\s*=\s*(:\w+)/.exec(changesOf(input)) ?? [];
  const values = (input.ExpressionAttributeValues ?? {}) as Record<string, { S?: string }>;
  return values[placeholder]?.S;
}

function writesOf(operation: string, input: Input): readonly Write[] {
  const write = (name: string, part: Input): Write => {
    const item = part.Item as WireItem | undefined;
    const indexKey = item ? textOf(item, 'due_pk') || undefined : indexKeySet(part);
    const values = (part.ExpressionAttributeValues ?? {}) as WireItem;
    return { operation: name, key: (item ?? part.Key) as WireItem, item, values, changes: changesOf(part), indexKey };
  };
  if (operation === 'TransactWriteItems') {
    const items = input.TransactItems as ReadonlyArray<Readonly<Record<string, Input>>>;
    return items.flatMap((entry) => Object.entries(entry).map(([name, part]) => write(name, part)));
  }
  if (operation === 'BatchWriteItem') {
    const tables = Object.values(input.RequestItems as Record<string, ReadonlyArray<Record<string, Input>>>);
    return tables.flat().flatMap((entry) => Object.entries(entry).map(([name, part]) => write(name, part)));
  }
  return ['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation) ? [write(operation, input)] : [];
}

/** The read units that a call takes if there is nothing to read: those of one item, or of each item of a batch. */
function leastUnits(input: Input): number {
  const unit = (consistent: unknown): number => (consistent ? 1 : 0.5);
  const batch = Object.values(
    (input.RequestItems ?? {}) as Record<string, { Keys: unknown[]; ConsistentRead?: boolean }>,
  );
  if (batch.length === 0) return unit(input.ConsistentRead);
  return batch.reduce((sum, { Keys, ConsistentRead }) => sum + Keys.length * unit(ConsistentRead), 0);
}

interface Consumed {
  readonly CapacityUnits?: number;
}

const TRANSACTION_FACTOR = 2;

const RESULT = 'SUBJECT/RESULT';
const CASE = 'SUBJECT/CASE';
export const CASE_TRANSACTION = 'TransactWriteItems of a case';

/** The name of a transaction that records what a processor said: of a decline, or of anything else. */
export const OUTCOME_TRANSACTION = {
  declined: 'TransactWriteItems of a decline',
  other: 'TransactWriteItems of an outcome',
} as const;

/** A decline is written to the entities of its payment, and nothing else that a processor says. */
function nameOf(writes: readonly Write[]): string {
  const kinds = new Set(writes.map(({ key }) => kindOfItem(key).split('/')[0]));
  if (writes.some(({ key }) => kindOfItem(key) === CASE)) return CASE_TRANSACTION;
  if (!kinds.has(PARTITION.source)) return 'TransactWriteItems';
  return kinds.has(PARTITION.entity) ? OUTCOME_TRANSACTION.declined : OUTCOME_TRANSACTION.other;
}

/** Every result has an entry in the history index; an update that leaves what it holds alone does not write it. */
const historyUnits = ({ key, item, changes }: Write): number =>
  kindOfItem(key) === RESULT && (item ?? HISTORY_PROJECTION.some((name) => changes.includes(name))) ? 1 : 0;

/**
 * Counts what DynamoDB calls consume, by caller and by partition key. Plain calls: as DynamoDB Local reports them.
 * Transactions, which it under-reports: AWS's rule, two units per started kilobyte of each item. An item that an update
 * changes is as large as when it was put, and what the update sends; if that was not seen, as the largest of its kind.
 */
export function capacityMeter() {
  const uses = new Map<string, Use>();
  const byKey = new Map<string, number>();
  const byIndexKey = new Map<string, number>();
  const readsByKey = new Map<string, number>();
  const queueCalls = new Map<string, number>();
  const unitsOfKind = new Map<string, number>();
  const bytesOfItem = new Map<string, number>();
  const indexed = new Map<string, string>();

  const add = (to: Map<string, number>, name: string, units: number): void => {
    to.set(name, (to.get(name) ?? 0) + units);
  };

  const count = (caller: string, what: string, units: { write?: number; read?: number }): void => {
    const name = `${caller} ${what}`;
    const use = uses.get(name) ?? { calls: 0, writeUnits: 0, readUnits: 0 };
    use.calls += 1;
    use.writeUnits += units.write ?? 0;
    use.readUnits += units.read ?? 0;
    uses.set(name, use);
  };

  const countIndex = ({ key, indexKey }: Write): number => {
    const id = idOf(key);
    const old = indexed.get(id);
    if (indexKey === undefined && old === undefined) return 0;
    if (indexKey !== undefined) indexed.set(id, indexKey);
    // Moved within the index: one entry is deleted and one added.
    for (const name of [old, indexKey]) if (name !== undefined) add(byIndexKey, name, 1);
    return old !== undefined && indexKey !== undefined ? 2 : 1;
  };

  const sizeUnits = ({ key, item, values }: Write): number => {
    const [kind, id] = [kindOfItem(key), idOf(key)];
    const before = bytesOfItem.get(id);
    const bytes = item ? wireBytes(item) : before && before + wireBytes(values);
    if (bytes !== undefined) bytesOfItem.set(id, bytes);
    const units = bytes === undefined ? (unitsOfKind.get(kind) ?? 1) : writeUnits(bytes);
    unitsOfKind.set(kind, Math.max(units, unitsOfKind.get(kind) ?? 1));
    return units;
  };

  const countTransaction = (caller: string, writes: readonly Write[]): void => {
    const units = writes.map((write) => {
      const own = TRANSACTION_FACTOR * sizeUnits(write);
      add(byKey, textOf(write.key, 'pk'), own);
      return own + countIndex(write) + historyUnits(write);
    });
    count(caller, nameOf(writes), { write: units.reduce((sum, each) => sum + each, 0) });
  };

  const countRead = (caller: string, operation: string, input: Input, units: number): void => {
    const values = input.ExpressionAttributeValues as Record<string, { S?: string }> | undefined;
    const pk = input.Key ? textOf(input.Key as WireItem, 'pk') : (values?.[':pk']?.S ?? '');
    add(readsByKey, pk, units);
    count(caller, `${operation} ${pk.split('#')[0]}`, { read: units });
  };

  const intercept: Intercept = async (call, proceed) => {
    if (call.service === 'sqs') add(queueCalls, `${call.caller} ${call.operation}`, 1);
    if (call.service !== 'dynamodb' || call.caller === 'admin') return undefined;
    const answer = await proceed({ ...call.input, ReturnConsumedCapacity: 'TOTAL' });
    const { ConsumedCapacity: told } = JSON.parse(String(answer.body)) as { ConsumedCapacity?: Consumed | Consumed[] };
    // A batch reports one for each table; there is one table.
    const [consumed] = [told].flat();
    const writes = writesOf(call.operation, call.input);
    if (call.operation === 'TransactWriteItems') countTransaction(call.caller, writes);
    else if (writes.length > 0) {
      // A failed condition is billed like the write; DynamoDB Local reports nothing then.
      const units = consumed?.CapacityUnits ?? writes.length;
      for (const write of writes) {
        countIndex(write);
        sizeUnits(write);
        add(byKey, textOf(write.key, 'pk'), units / writes.length);
        count(call.caller, `${call.operation} ${kindOfItem(write.key)}`, { write: units / writes.length });
      }
    } else {
      // A read that finds nothing is free only in DynamoDB Local.
      const least = leastUnits(call.input);
      countRead(call.caller, call.operation, call.input, Math.max(least, consumed?.CapacityUnits ?? 0));
    }
    return answer;
  };

  /** Resets the counts, but keeps what was learnt about sizes. */
  const reset = (): void => {
    for (const counts of [uses, byKey, byIndexKey, readsByKey, queueCalls]) counts.clear();
  };

  return { intercept, reset, uses, byKey, byIndexKey, readsByKey, queueCalls };
}

export type CapacityMeter = ReturnType<typeof capacityMeter>;

/** The limits of one DynamoDB partition, regardless of the table's capacity. */
export const PARTITION_LIMIT = { writeUnits: 1_000, readUnits: 3_000 } as const;

type Units = ReadonlyMap<string, number>;

export interface HotKey {
  readonly key: string;
  readonly share: number;
  readonly units: number;
}

export const totalUnits = (units: Units): number => [...units.values()].reduce((sum, value) => sum + value, 0);

export const hottest = (units: Units, total: number): HotKey[] =>
  [...units].map(([key, value]) => ({ key, units: value, share: value / total })).sort((a, b) => b.units - a.units);

const ONE_REQUEST = [PARTITION.subject, PARTITION.idempotency].map((kind) => `${kind}#`);

/** Whether more traffic makes a key hotter; one that belongs to a single request stays cold at any rate. */
export const growsWithTraffic = ({ key }: HotKey): boolean => !ONE_REQUEST.some((kind) => key.startsWith(kind));

const STATUS =
  /^(?:open|approved|rejected|expired|unresolved|all|pending|failed|delivered|succeeded|enabled|disabled)$/i;

/** Whether a key contains only the kind and a status: the mistake that makes indexes hot. */
export function isStatusOnly(key: string): boolean {
  const parts = key.split('#').slice(1);
  return parts.length > 0 && parts.every((part) => STATUS.test(part));
}

/** A result in the history index: the keys of both, and what it projects. */
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
    historyEntryBytes: results === 0 ? undefined : indexed / results,
    links,
  };
}

export type ItemSizes = Awaited<ReturnType<typeof itemSizes>>;
