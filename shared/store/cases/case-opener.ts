import type { ReviewCase } from '../../domain/cases/review-case';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { screeningItems } from '../screening/screening-store';
import type { Table } from '../sdk/client';
import { openCaseItems } from './case-items';
import { countedCommits } from './counted-commit';

/** Opens cases. */
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
        ...screeningItems(table, accountId, record),
        ...openCaseItems(table, accountId, reviewCase, how),
      ]);
      if (!outcome.committed) throw new Error('A screening with this id exists already');
    },
  };
}
