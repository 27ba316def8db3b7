import {
  type ProcessorTally,
  TALLY_STEP_MS,
  type TalliedWord,
  type TallyStep,
} from '../../domain/outcomes/shared-rise';
import { processorTallyKey } from '../keys';
import type { Table } from '../sdk/client';
import { getItem, updateItem } from '../sdk/table-calls';

/** An item holds four hours: 48 steps, below a kilobyte. */
const SPAN_STEPS = 48;
export const TALLY_LIFE_MS = 2 * 86_400_000;
/** A number is declined payments, then all of them in the last six digits: `k` for users who bought before, else `n`. */
const DIGITS = 1e6;

const spanOf = (step: number): number => Math.floor(step / SPAN_STEPS);
const stepOf = (nowMs: number): number => Math.floor(nowMs / TALLY_STEP_MS);
const nameOf = (step: number, isKnown: boolean): string => `${isKnown ? 'k' : 'n'}${(step % SPAN_STEPS).toString(36)}`;

function stepsIn(item: Record<string, unknown> | undefined, span: number): Array<readonly [number, TallyStep]> {
  const countOf = (value: unknown) => {
    const packed = typeof value === 'number' ? value : 0;
    return { all: packed % DIGITS, declined: Math.floor(packed / DIGITS) };
  };
  if (item === undefined) return [];
  return Array.from({ length: SPAN_STEPS }, (_, at) => {
    const step = span * SPAN_STEPS + at;
    return [step, { known: countOf(item[nameOf(step, true)]), others: countOf(item[nameOf(step, false)]) }] as const;
  });
}

/** Processors' reports on an account's payments, in steps of five minutes. */
export function tallyOf(table: Table) {
  const read = async (accountId: string, span: number) => {
    const Key = processorTallyKey(accountId, span);
    const item = await getItem(table, Key, { ConsistentRead: false });
    return stepsIn(item, span);
  };
  return {
    /** The last four to eight hours. */
    async tally(accountId: string, nowMs: number): Promise<ProcessorTally> {
      const span = spanOf(stepOf(nowMs));
      return new Map((await Promise.all([read(accountId, span - 1), read(accountId, span)])).flat());
    },

    /** Counts a payment: one write unit. */
    async addToTally(accountId: string, { is_declined, is_known }: TalliedWord, nowMs: number): Promise<void> {
      const step = stepOf(nowMs);
      await updateItem(
        table,
        { ...processorTallyKey(accountId, spanOf(step)) },
        {
          UpdateExpression: 'SET entity = :entity, account_id = :account, #ttl = :ttl ADD #step :one',
          ExpressionAttributeNames: { '#ttl': 'ttl', '#step': nameOf(step, is_known) },
          ExpressionAttributeValues: {
            ':entity': 'processor-tally',
            ':account': accountId,
            ':ttl': Math.ceil((nowMs + TALLY_LIFE_MS) / 1000),
            ':one': is_declined ? DIGITS + 1 : 1,
          },
        },
      );
    },
  };
}
