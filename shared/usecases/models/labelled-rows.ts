import { waterLevel } from '../../domain/models/account-shares';
import { actorsOf, type StoredLabel } from '../../domain/models/stored-label';
import { rowOfLabel, type TrainingRow } from '../../domain/models/training-row';
import { TRAINING_RULE } from '../../domain/models/training-rule';
import { PRESUMED_AFTER_MS, SAMPLE_STANDS_FOR } from '../../domain/screening/subjects/record-members';

/** A training row that still knows its subject, its account and who labelled it. */
export interface LabelledRow extends TrainingRow {
  readonly subject_id: string;
  /** Its account, numbered from 0. */
  readonly account: number;
  readonly account_id: string;
  /** Who gave the label; empty if nobody did (it is presumed), or if an old label does not say. */
  readonly actors?: readonly string[];
}

/** Where labels come from. */
export interface LabelPort {
  accounts(): Promise<readonly string[]>;
  storedInMonth(accountId: string, month: string): Promise<readonly StoredLabel[]>;
}

/** Accounts that are read concurrently: 10,000 of them take half a minute instead of ten. */
const AT_ONCE = 16;

/**
 * The newest labels of all accounts, and the sample alongside them, in the order of screening. If there are more than
 * training takes, room is shared out account by account: one that labels a lot does not crowd out the others.
 */
export async function labelledRows(labels: LabelPort, nowMs: number): Promise<LabelledRow[]> {
  const { window_ms, most_rows } = TRAINING_RULE;
  const accounts = await labels.accounts();
  const since = nowMs - window_ms;
  const rows: LabelledRow[][] = accounts.map(() => []);
  let level = Number.POSITIVE_INFINITY;
  for (const month of monthsBack(nowMs, since)) {
    // Whole months, newest first: an account whose room is full needs none that are older.
    const open = accounts.flatMap((accountId, account) =>
      (rows[account] as LabelledRow[]).length < level ? [{ accountId, account }] : [],
    );
    for (let first = 0; first < open.length; first += AT_ONCE) {
      const some = open.slice(first, first + AT_ONCE);
      const pages = await Promise.all(some.map(({ accountId }) => labels.storedInMonth(accountId, month)));
      pages.forEach((page, i) => {
        const { accountId, account } = some[i] as (typeof some)[number];
        for (const stored of page) {
          if (!teachesNow(stored, nowMs)) continue;
          (rows[account] as LabelledRow[]).push({ ...labelledRow(stored), account, account_id: accountId });
        }
      });
    }
    const counts = rows.map(({ length }) => length);
    level = Math.floor(waterLevel(counts, most_rows));
    for (const own of rows) if (own.length > level) keepNewest(own, level);
  }
  return rows.flatMap((own) => withoutEarly(own, nowMs)).sort(byTime);
}

/** Nearly everything is labelled: this share of the traffic, by at least so many labels. */
const LABELLED_SHARE = 0.9;
/** This share of labels has come when nothing more is waited for. */
const COME_SHARE = 0.95;

/**
 * Where people label nearly everything, a label that is missing has not come yet, and nothing is presumed before it would have:
 * a single fraud of last week that counts as 64 honest payments makes a model far too mild.
 */
function withoutEarly(rows: LabelledRow[], nowMs: number): LabelledRow[] {
  const delays = rows
    .flatMap(({ presumed, labeled_at_ms, screened_at_ms }) => (presumed ? [] : [labeled_at_ms - screened_at_ms]))
    .sort((a, b) => a - b);
  const untilMs = nowMs - (delays[Math.floor(COME_SHARE * delays.length)] ?? 0);
  let [given, unlabelled] = [0, 0];
  for (const { presumed, screened_at_ms, weight = 1 } of rows) {
    if (screened_at_ms > untilMs) continue;
    if (presumed) unlabelled += weight;
    else given++;
  }
  const isLabelled = given >= TRAINING_RULE.least_labels && given >= LABELLED_SHARE * (given + unlabelled);
  return isLabelled ? rows.filter(({ presumed, screened_at_ms }) => !presumed || screened_at_ms <= untilMs) : rows;
}

/** Whether a label is young enough, still valid, and old enough to be believed. */
export const teachesNow = (stored: StoredLabel, nowMs: number): boolean =>
  stored.screened_at_ms >= nowMs - TRAINING_RULE.window_ms && !hasEnded(stored, nowMs) && !isTooFresh(stored, nowMs);

/** The table may keep it for days longer, but nobody may learn from it any more. */
const hasEnded = ({ ttl = Number.POSITIVE_INFINITY }: StoredLabel, nowMs: number): boolean => ttl * 1000 <= nowMs;

/** Nobody has said anything about it, and there was hardly time to. */
const isTooFresh = ({ source, screened_at_ms }: StoredLabel, nowMs: number): boolean =>
  source === 'sample' && nowMs - screened_at_ms < PRESUMED_AFTER_MS;

const byTime = (a: LabelledRow, b: LabelledRow): number => a.screened_at_ms - b.screened_at_ms;

function keepNewest(rows: LabelledRow[], most: number): void {
  rows.sort(byTime).splice(0, rows.length - most);
}

/** The training row of a label, without its account. */
export function labelledRow(stored: StoredLabel): Omit<LabelledRow, 'account' | 'account_id'> {
  const row = { ...rowOfLabel(stored), subject_id: stored.subject_id };
  if (stored.source === 'sample') {
    const labeled_at_ms = stored.screened_at_ms + PRESUMED_AFTER_MS;
    return { ...row, labeled_at_ms, presumed: true, weight: SAMPLE_STANDS_FOR };
  }
  return { ...row, actors: actorsOf(stored) };
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
