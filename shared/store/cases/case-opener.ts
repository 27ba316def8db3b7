import type { ReviewCase } from '../../domain/cases/review-case';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { screeningItems } from '../screening/screening-store';
import type { Table } from '../sdk/client';
import { type TransactItem, transact } from '../sdk/transact';
import { openCaseItems } from './case-items';

/** Opens cases. */
export function caseOpener(table: Table) {
  return {
    /** Stores a screening and its open case, or neither. */
    async insertWithCase(
      accountId: string,
      record: ScreeningRecord,
      reviewCase: ReviewCase,
      limitMs: number,
    ): Promise<void> {
      const items: TransactItem[] = [
        ...screeningItems(table, accountId, record),
        ...openCaseItems(table, accountId, reviewCase),
      ];
      const outcome = await transact(table, items, limitMs);
      if (!outcome.committed) throw new Error('A screening with this id exists already');
    },
  };
}
