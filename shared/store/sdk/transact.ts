import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unavailable } from '../../domain/errors';
import { cancellationCodes, insist, reach, type Table } from './client';

type Written = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One write of a transaction; `transact` knows the table. */
export type TransactItem = {
  readonly [Kind in keyof Written]: Omit<NonNullable<Written[Kind]>, 'TableName'>;
};

const MAX_TRIES = 4;
const REQUEST_LIMIT_MS = 2_500;
const CONFLICT = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** How a transaction ended: committed, or with the positions of the items whose condition failed. */
export type TransactOutcome =
  | { readonly committed: true }
  | { readonly committed: false; readonly failed: readonly number[] };

/** Items to commit instead of those that met a rival or a busy partition; undefined to try the same again. */
export type Alternative = (conflicting: readonly TransactItem[]) => Promise<readonly TransactItem[] | undefined>;

const inTable = ({ name: TableName }: Table, item: TransactItem): Written =>
  Object.fromEntries(Object.entries(item).map(([kind, write]) => [kind, { TableName, ...write }]));

/**
 * Commits all items or none. A failed condition is a result; a conflict with another transaction says nothing about
 * ours and is retried after 20, 40 and 80 ms (a rival transaction takes a few milliseconds), or at once with what the
 * caller has instead.
 */
export async function transact(
  table: Table,
  items: readonly TransactItem[],
  limitMs = REQUEST_LIMIT_MS,
  alternative?: Alternative,
): Promise<TransactOutcome> {
  let current = items;
  let instead = alternative;
  for (let tryNumber = 1; ; tryNumber++) {
    try {
      const TransactItems = current.map((item) => inTable(table, item));
      const command = new TransactWriteCommand({ TransactItems });
      await reach(() => insist(limitMs, (options) => table.client.send(command, options)));
      return { committed: true };
    } catch (error) {
      const codes = cancellationCodes(error);
      if (!codes) throw error;
      const failed = codes.flatMap((code, index) => (code === 'ConditionalCheckFailed' ? [index] : []));
      if (failed.length > 0) return { committed: false, failed };
      if (!codes.some((code) => CONFLICT.has(code))) throw error;
      if (tryNumber >= MAX_TRIES) throw unavailable(error);
      const better = await instead?.(current.filter((_, index) => CONFLICT.has(codes[index] ?? '')));
      if (better) {
        [current, instead] = [better, undefined];
        continue;
      }
      await new Promise((resolve) => setTimeout(resolve, 10 * 2 ** tryNumber));
    }
  }
}
