import type { ReviewCase } from '../../domain/cases/review-case';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { busyDayKey, PARTITION } from '../keys';
import { refusedBecause, screeningItems } from '../screening/screening-store';
import type { Table } from '../sdk/client';
import { updateItem } from '../sdk/table-calls';
import { type TransactItem, type TransactOutcome, transact } from '../sdk/transact';
import { dayName, tallyPosition } from './case-index';
import { type Counting, openCaseItems } from './case-items';
import { tallyTtl } from './tally-updates';

/** How long after a conflict an account's tallies are left alone, by this process. */
const BUSY_MS = 60_000;
const MOST_REMEMBERED = 10_000;

export interface CaseChange {
  readonly accountId: string;
  readonly ulid: string;
  readonly nowMs: number;
  readonly limitMs?: number | undefined;
}

const isContended = ({ Put, Update, Delete }: TransactItem): boolean => {
  const pk = String((Put?.Item ?? Update?.Key ?? Delete?.Key)?.pk);
  return [PARTITION.tally, PARTITION.cases].some((kind) => pk.startsWith(`${kind}#`));
};

/**
 * Commits changes of cases. An ordinary one counts itself in the tallies, in its own transaction. Two of them on one tally
 * item conflict; from then on, and for a minute, this process notes its changes outside the tallies instead, and opens
 * cases in the shards of busy days. The mark of the day comes first, so a list that does not find the mark misses nothing.
 */
export function countedCommits(table: Table) {
  const busyUntilMs = new Map<string, number>();
  const marked = new Set<string>();

  async function markDay({ accountId, ulid }: CaseChange): Promise<void> {
    const { dayMs } = tallyPosition(ulid);
    const Key = { ...busyDayKey(accountId, dayName(dayMs)) };
    const name = `${Key.pk} ${Key.sk}`;
    if (marked.has(name)) return;
    await updateItem(table, Key, {
      UpdateExpression: 'SET entity = :entity, #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':entity': 'busy-day', ':ttl': tallyTtl(dayMs) },
    });
    if (marked.size >= MOST_REMEMBERED) marked.clear();
    marked.add(name);
  }

  return async (change: CaseChange, itemsFor: (how: Counting) => readonly TransactItem[]): Promise<TransactOutcome> => {
    const { accountId, nowMs, limitMs } = change;
    if (nowMs < (busyUntilMs.get(accountId) ?? 0)) {
      await markDay(change);
      return transact(table, itemsFor('noted'), limitMs);
    }
    return transact(table, itemsFor('counted'), limitMs, async (conflicting) => {
      if (!conflicting.some(isContended)) return undefined;
      if (busyUntilMs.size >= MOST_REMEMBERED) busyUntilMs.clear();
      busyUntilMs.set(accountId, nowMs + BUSY_MS);
      await markDay(change);
      return itemsFor('noted');
    });
  };
}

export function caseOpener(table: Table) {
  const commit = countedCommits(table);
  return {
    /** Stores a screening and its open case, or neither. */
    async insertWithCase(
      accountId: string,
      record: ScreeningRecord,
      reviewCase: ReviewCase,
      limitMs: number,
    ): Promise<void> {
      const { ulid, created_at_ms: nowMs } = reviewCase;
      const outcome = await commit({ accountId, ulid, nowMs, limitMs }, (how) => [
        ...screeningItems(accountId, record),
        ...openCaseItems(accountId, reviewCase, how),
      ]);
      if (!outcome.committed) throw refusedBecause(record, outcome.failed);
    },
  };
}
