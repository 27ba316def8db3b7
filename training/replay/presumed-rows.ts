import type { TrainingRow } from '../../shared/domain/models/training-row';
import { SAMPLE_STANDS_FOR } from '../../shared/domain/screening/subjects/record-members';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import type { ScreenedRow } from './recent-traffic';

/** Nobody objected to it for so long: it is presumed legitimate until somebody does. */
export const PRESUMED_AFTER_MS = 7 * 86_400_000;

/** The sample of allowed traffic that production keeps for training, each row in place of 64. */
export interface PresumedRows {
  add(record: ScreeningRecord): void;
  /** A label replaces what was presumed. */
  remove(ulid: string): void;
  /** Those that have waited long enough. */
  rows(nowMs: number): TrainingRow[];
}

/** An empty sample. */
export function presumedRows(): PresumedRows {
  const kept = new Map<string, ScreenedRow>();
  let allowed = 0;
  return {
    add(record) {
      // One in 64, like production's; its choice by the random end of an ID would come in clumps here, where IDs are counted.
      if (record.automated_decision !== 'allow' || allowed++ % SAMPLE_STANDS_FOR !== 0) return;
      const { vector, observed, screened_at_ms } = record;
      kept.set(record.ulid, { vector, observed, screened_at_ms });
    },
    remove(ulid) {
      kept.delete(ulid);
    },
    rows(nowMs) {
      const rows: TrainingRow[] = [];
      for (const { vector, observed, screened_at_ms } of kept.values()) {
        const labeled_at_ms = screened_at_ms + PRESUMED_AFTER_MS;
        if (labeled_at_ms > nowMs) continue;
        rows.push({
          ...{ vector, observed, screened_at_ms, labeled_at_ms },
          ...{ label: 0, weight: SAMPLE_STANDS_FOR, presumed: true },
        });
      }
      return rows;
    },
  };
}
