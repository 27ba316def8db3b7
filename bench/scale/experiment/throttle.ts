import type { AwsAnswer, AwsCall } from '../../../local/aws/call';
import type { Intercept, Proceed } from '../../../local/aws/front';
import { kindOfKey } from '../../../shared/domain/entities/entity-ref';
import { readItem } from '../../../shared/store/entities/item-reading';
import { historyOf } from '../../../shared/store/entities/read-history';
import { spreadIn, spreadReading } from '../../../shared/store/entities/spread-reading';
import { entityKey, entityShard, PARTITION } from '../../../shared/store/keys';
import type { EntityItem } from '../../../shared/store/sdk/attribute-value';
import { type WireItem, wireBytes, writeUnits } from '../../support/wire-size';

/** What one item of a call takes from its partition, and from that of an index. */
export interface ItemUse {
  readonly pk: string;
  readonly indexPk?: string;
  readonly units: number;
  readonly isWrite: boolean;
}

type Input = Readonly<Record<string, unknown>>;
const TRANSACTION_FACTOR = 2;

const textOf = (item: WireItem | undefined, name: string): string => String(item?.[name]?.S ?? '');

function writeOf(part: Input, factor = 1): ItemUse {
  const item = part.Item as WireItem | undefined;
  const indexPk = textOf(item, 'due_pk');
  const units = factor * (item ? writeUnits(wireBytes(item)) : 1);
  const pk = textOf(item ?? (part.Key as WireItem | undefined), 'pk');
  return { pk, units, isWrite: true, ...(indexPk ? { indexPk } : {}) };
}

const readOf = (pk: string, isConsistent: unknown): ItemUse => ({ pk, units: isConsistent ? 1 : 0.5, isWrite: false });

/** The keys of a `BatchGetItem`, of the one table that there is. */
export function batchKeys(input: Input): readonly WireItem[] {
  return Object.values(input.RequestItems as Record<string, { Keys: WireItem[] }>).flatMap(({ Keys }) => Keys);
}

/** The writes of a `BatchWriteItem`, likewise. */
export function batchWrites(input: Input): ReadonlyArray<Readonly<Record<string, Input>>> {
  return Object.values(input.RequestItems as Record<string, ReadonlyArray<Record<string, Input>>>).flat();
}

/** What a call takes, item by item in their order. Reads and updates count as small items: those of the hot keys are. */
export function usesOf({ operation, input }: Pick<AwsCall, 'operation' | 'input'>): readonly ItemUse[] {
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [writeOf(input)];
    case 'TransactWriteItems':
      return (input.TransactItems as ReadonlyArray<Readonly<Record<string, Input>>>).flatMap((entry) =>
        Object.values(entry).map((part) => writeOf(part, TRANSACTION_FACTOR)),
      );
    case 'BatchWriteItem':
      return batchWrites(input).flatMap((entry) => Object.values(entry).map((part) => writeOf(part)));
    case 'BatchGetItem':
      return batchKeys(input).map((key) => readOf(textOf(key, 'pk'), true));
    case 'GetItem':
      return [readOf(textOf(input.Key as WireItem, 'pk'), input.ConsistentRead)];
    case 'Query': {
      const values = input.ExpressionAttributeValues as Readonly<Record<string, { S?: string }>> | undefined;
      return [readOf(values?.[':pk']?.S ?? '', input.ConsistentRead)];
    }
    default:
      return [];
  }
}

/** What a table without capacity answers with depends on how it is billed. */
export type Billing = 'on-demand' | 'provisioned';

/** DynamoDB's own words (developer guide, "error handling" and `TransactWriteItems`). */
const REFUSAL = {
  'on-demand': {
    type: 'com.amazon.coral.availability#ThrottlingException',
    code: 'ThrottlingError',
    message:
      'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html',
  },
  provisioned: {
    type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
    code: 'ProvisionedThroughputExceeded',
    message:
      'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
  },
} as const satisfies Record<Billing, object>;

const answer = (status: number, body: object): AwsAnswer => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify(body),
});

/** Capacity of the whole table, and of each partition key of the table and its index. */
export interface Capacity {
  readonly table: TokenBuckets;
  readonly writes: TokenBuckets;
  readonly reads: TokenBuckets;
}

const TABLE = 'table';

export type LimitedCall = Parameters<Intercept>[0];

/**
 * Stands in front of DynamoDB Local, which never throttles, and answers as DynamoDB does when a partition key or the table
 * has no capacity left: an exception, a cancelled transaction with a reason for each item, or what it left out of a batch.
 */
export function throttle(
  capacity: () => Capacity,
  isLimited: (call: LimitedCall) => boolean,
  billing: Billing = 'on-demand',
) {
  const refused = new Map<string, number>();
  const { type, code, message } = REFUSAL[billing];

  const passes = ({ pk, indexPk, isWrite }: ItemUse): boolean => {
    const { table, writes, reads } = capacity();
    if (!isWrite) return reads.has(pk);
    // An index that is behind holds up the writes to its table.
    return table.has(TABLE) && writes.has(pk) && (indexPk === undefined || writes.has(indexPk));
  };
  const charge = ({ pk, indexPk, units, isWrite }: ItemUse): void => {
    const { table, writes, reads } = capacity();
    (isWrite ? writes : reads).use(pk, units);
    if (!isWrite) return;
    table.use(TABLE, units);
    if (indexPk !== undefined) writes.use(indexPk, 1);
  };
  const count = ({ pk }: ItemUse): void => {
    const [kind = ''] = pk.split('#');
    refused.set(kind, (refused.get(kind) ?? 0) + 1);
  };

  /** A batch without some of its items, which come back as unprocessed. */
  async function partly(call: AwsCall, uses: readonly ItemUse[], proceed: Proceed): Promise<AwsAnswer> {
    const isRead = call.operation === 'BatchGetItem';
    const [tableName = ''] = Object.keys(call.input.RequestItems as object);
    const all: readonly unknown[] = isRead ? batchKeys(call.input) : batchWrites(call.input);
    const ok = uses.map(passes);
    const shape = (items: readonly unknown[]) => {
      const before = (call.input.RequestItems as Record<string, object>)[tableName];
      return { [tableName]: isRead ? { ...before, Keys: items } : items };
    };
    const [taken, left] = [true, false].map((wanted) => all.filter((_, index) => ok[index] === wanted));
    uses.forEach((use, index) => {
      (ok[index] ? charge : count)(use);
    });
    const answered = await proceed({ ...call.input, RequestItems: shape(taken ?? []) });
    const name = isRead ? 'UnprocessedKeys' : 'UnprocessedItems';
    return answer(answered.status, { ...JSON.parse(String(answered.body)), [name]: shape(left ?? []) });
  }

  const intercept: Intercept = async (call, proceed) => {
    if (call.service !== 'dynamodb' || !isLimited(call)) return undefined;
    const uses = usesOf(call);
    const late = uses.filter((use) => !passes(use));
    if (late.length === 0) {
      uses.forEach(charge);
      return undefined;
    }
    // If nothing of a batch can be processed, DynamoDB refuses it as a whole.
    if (call.operation.startsWith('Batch') && late.length < uses.length) return partly(call, uses, proceed);
    late.forEach(count);
    if (call.operation !== 'TransactWriteItems') return answer(400, { __type: type, message });
    const reasons = uses.map((use) => (late.includes(use) ? { Code: code, Message: message } : { Code: 'None' }));
    return answer(400, {
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
      Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
      CancellationReasons: reasons,
    });
  };
  return { intercept, refused };
}

/** How fast a bucket fills, and how much it holds. */
export interface BucketSize {
  readonly perSecond: number;
  /** What can be taken at once from a bucket that nobody used for a while. */
  readonly burst: number;
}

/** Capacity by key, as partitions have it. Like DynamoDB's, a bucket may go into debt: whatever it is asked for passes while it is not empty. */
export function tokenBuckets(now: () => number, size: (key: string) => BucketSize) {
  const levels = new Map<string, { level: number; atMs: number }>();

  function levelOf(key: string): number {
    const { perSecond, burst } = size(key);
    const known = levels.get(key);
    if (!known) return burst;
    return Math.min(burst, known.level + ((now() - known.atMs) / 1000) * perSecond);
  }

  return {
    /** Whether a key has capacity left. */
    has: (key: string): boolean => levelOf(key) > 0,
    /** Uses units of a key, whether or not it has them. */
    use(key: string, units: number): void {
      levels.set(key, { level: levelOf(key) - units, atMs: now() });
    },
    /** Fills every bucket. */
    reset: (): void => levels.clear(),
  };
}

export type TokenBuckets = ReturnType<typeof tokenBuckets>;

/** What a screening reads of an hour, against what all shards of the entity hold together. */
export interface WindowError {
  readonly attempts: number;
  /** What a screening on each shard would read more or less, as a share. */
  readonly byShard: readonly number[];
  /** What they would be off by chance alone: attempts choose shards as coins do, and few were counted since the last fold. */
  readonly byChance: number;
}

/** The mean distance from the mean, of a normal distribution with deviation 1. */
const MEAN_DISTANCE = Math.sqrt(2 / Math.PI);

const ENTITY_PK = /^ENTITY#([^#]+)#(.+)$/;

/** How far screenings are off that read a spread entity now: for each entity that is spread, by the shard that they meet. */
export function windowErrors(items: ReadonlyMap<string, EntityItem>, atMs: number): WindowError[] {
  const found: WindowError[] = [];
  for (const [pk, item] of items) {
    const [, accountId = '', name = ''] = ENTITY_PK.exec(pk) ?? [];
    const spread = spreadIn(item.sp);
    if (name === '' || name.includes('~') || spread === undefined || spread.shards === 1) continue;
    const kind = kindOfKey(name);
    const home = readItem(item, atMs);
    const shards = Array.from({ length: spread.most }, (_, shard) =>
      readItem(items.get(entityKey(accountId, entityShard(name, shard)).pk), atMs),
    );
    const hour = (reading: typeof home): number =>
      historyOf(kind, reading, atMs, undefined).transactions.windows['1h'].count;
    const exact = hour(shards.reduce((sum, shard) => spreadReading(sum, shard, 1), home));
    if (exact === 0) continue;
    const byShard = shards
      .slice(0, spread.shards)
      .map((shard) => hour(spreadReading(home, shard, spread.shards)) / exact - 1);
    const unfolded = Math.max(0, exact - hour(home));
    found.push({ attempts: exact, byShard, byChance: (MEAN_DISTANCE * Math.sqrt(spread.shards * unfolded)) / exact });
  }
  return found;
}

/** The error of a typical screening on a spread entity, and by chance alone: means over entities, by their attempts. */
export function typicalError(errors: readonly WindowError[]): { windowError: number; chanceError: number } {
  const attempts = Math.max(
    1,
    errors.reduce((sum, error) => sum + error.attempts, 0),
  );
  const mean = (of: (error: WindowError) => number): number =>
    errors.reduce((sum, error) => sum + error.attempts * of(error), 0) / attempts;
  return {
    windowError: mean(({ byShard }) => byShard.reduce((sum, off) => sum + Math.abs(off), 0) / byShard.length),
    chanceError: mean(({ byChance }) => byChance),
  };
}

const SCREENING = /Screen(Transaction|Event)/;
const ENTITY = `${PARTITION.entity}#`;

/**
 * Whether a call becomes rarer as traffic is scaled down, so that scaled-down limits are fair to it. What goes by the clock does
 * not: folds move shards home every 20 seconds at any rate; relays and tallies write once per batch, and a batch holds a record
 * or two where it would hold a hundred. At 1:5,000 a fold alone would take all that the partition of a home has; at the
 * real rates it takes 0.02%.
 */
export function scalesWithTraffic(call: LimitedCall): boolean {
  if (!SCREENING.test(call.caller)) return false;
  const uses = usesOf(call);
  const isOfEntities = uses.every(({ pk }) => pk.startsWith(ENTITY));
  const isFold = call.operation === 'TransactWriteItems' || (call.operation === 'BatchGetItem' && uses.some(isShard));
  return !(isOfEntities && isFold);
}

const isShard = ({ pk }: { readonly pk: string }): boolean => pk.includes('~');
