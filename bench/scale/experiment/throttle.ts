import type { AwsAnswer, AwsCall } from '../../../local/aws/call';
import type { Intercept, Proceed } from '../../../local/aws/front';
import { batchKeys, batchWrites, type ItemUse, usesOf } from './call-units';
import type { TokenBuckets } from './token-bucket';

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
