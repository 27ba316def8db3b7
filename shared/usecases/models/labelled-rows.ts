import type { StoredLabel } from '../../domain/models/stored-label';
import { rowOfLabel, type TrainingRow } from '../../domain/models/training-row';
import { TRAINING_RULE } from '../../domain/models/training-rule';
import { SAMPLE_STANDS_FOR } from '../../domain/screening/subjects/traffic-sample';

/** A training row that still knows its subject and account. */
export interface LabelledRow extends TrainingRow {
  readonly subject_id: string;
  /** Its account, numbered from 0. */
  readonly account: number;
}

/** Where labels come from. */
export interface LabelPort {
  accounts(): Promise<readonly string[]>;
  storedInMonth(accountId: string, month: string): Promise<readonly StoredLabel[]>;
}

/** Accounts that are read concurrently: 10,000 of them take half a minute instead of ten. */
const AT_ONCE = 16;

/** The newest labels of all accounts, and the sample alongside them, in the order of screening. */
export async function labelledRows(labels: LabelPort, nowMs: number): Promise<LabelledRow[]> {
  const { window_ms, most_rows } = TRAINING_RULE;
  const accounts = await labels.accounts();
  const since = nowMs - window_ms;
  const rows: LabelledRow[] = [];
  for (const month of monthsBack(nowMs, since)) {
    for (let first = 0; first < accounts.length; first += AT_ONCE) {
      const some = accounts.slice(first, first + AT_ONCE);
      const pages = await Promise.all(some.map((accountId) => labels.storedInMonth(accountId, month)));
      pages.forEach((page, i) => {
        for (const stored of page)
          if (stored.screened_at_ms >= since && !hasEnded(stored, nowMs)) rows.push(labelledRow(stored, first + i));
      });
    }
    // Whole months: of two labels of the same age, neither is preferred for its account.
    if (rows.length >= most_rows) break;
  }
  return rows.sort((a, b) => a.screened_at_ms - b.screened_at_ms).slice(-most_rows);
}

/** The table may keep it for days longer, but nobody may learn from it any more. */
const hasEnded = ({ ttl = Number.POSITIVE_INFINITY }: StoredLabel, nowMs: number): boolean => ttl * 1000 <= nowMs;

function labelledRow(stored: StoredLabel, account: number): LabelledRow {
  const row = { ...rowOfLabel(stored), subject_id: stored.subject_id, account };
  return stored.source === 'sample' ? { ...row, presumed: true, weight: SAMPLE_STANDS_FOR } : row;
}

/** Months as they appear in keys, newest first. */
export function monthsBack(nowMs: number, sinceMs: number): string[] {
  const months: string[] = [];
  const oldest = new Date(sinceMs).toISOString().slice(0, 7);
  const at = new Date(nowMs);
  at.setUTCDate(1);
  for (;;) {
    const month = at.toISOString().slice(0, 7);
    if (month < oldest) return months;
    months.push(month);
    at.setUTCMonth(at.getUTCMonth() - 1);
  }
}
