import type { RuleTest, TrialRow } from '../rules/rule-trial';
import { rowsSql, timestamp } from './erased-people';
import { recordOfRow, timeOf } from './warehouse-rows';
import type { ReadRow } from './warehouse-tables';

/** A test of a rule on the warehouse, as the text of its query holds it: nothing else has to be stored. */
interface Backtest {
  readonly account_id: string;
  readonly request: RuleTest;
}

const MARKER = '-- rule-test ';
/** The most that one call reads: ten pages of Athena's results. */
const MOST_ROWS = 9_999;
const COLUMNS = ['decision_id', 'occurred_at', 'user_id', 'stored', 'decision'];

/**
 * The decisions of an account since an instant with their labels: all of them, or else the newest of those that were not allowed,
 * have a label or are in the sample (`isSampled`). Each row has the number of all, and of the allowed ones by day. The
 * partitions are named before duplicates are removed: Athena reads no others.
 */
export function backtestSql({ account_id, request }: Backtest, sinceMs: number): string {
  const about = Buffer.from(JSON.stringify({ account_id, request, since_ms: sinceMs })).toString('base64');
  const own = `account_id = '${account_id}' AND dt >= '${timestamp(sinceMs).slice(0, 10)}'`;
  const since = `${own} AND occurred_at >= timestamp '${timestamp(sinceMs)}'`;
  return `${MARKER}${about}
WITH decided AS (${rowsSql('decisions', COLUMNS, since)} AND r.decided_by_kind <> 'sandbox'),
ended AS (
  SELECT decision_id, max_by(label_in_force, concat(kind, CAST(recorded_at AS varchar))) AS label FROM raw_outcomes
  WHERE ${own} GROUP BY decision_id
),
counted AS (
  SELECT substr(CAST(occurred_at AS varchar), 1, 10) AS day, count(*) AS allowed FROM decided WHERE decision = 'allow' GROUP BY 1
),
totals AS (
  SELECT (SELECT count(*) FROM decided) AS all_rows,
    (SELECT array_join(array_agg(concat(day, '=', CAST(allowed AS varchar))), ',') FROM counted) AS allowed_by_day
)
SELECT ${COLUMNS.map((name) => `d.${name}`).join(', ')}, l.label, t.all_rows, t.allowed_by_day
FROM decided d CROSS JOIN totals t LEFT JOIN ended l ON l.decision_id = d.decision_id
WHERE t.all_rows <= ${MOST_ROWS} OR d.decision <> 'allow' OR l.label <> 'none'
  OR (substr(d.decision_id, length(d.decision_id) - 1, 1) = '0' AND substr(d.decision_id, length(d.decision_id), 1) < 'G')
ORDER BY d.occurred_at DESC LIMIT ${MOST_ROWS}`;
}

/** The test that a query is about; undefined for another query. */
export function backtestOf(sql: string): (Backtest & { readonly since_ms: number }) | undefined {
  if (!sql.startsWith(MARKER)) return undefined;
  const [about = ''] = sql.slice(MARKER.length).split('\n');
  return JSON.parse(Buffer.from(about, 'base64').toString());
}

/** Screenings and labels from the result of the query, from when on they are complete, and how many were allowed since. */
export function backtestRows(read: readonly ReadRow[], askedSinceMs: number) {
  const rows = read.map((row): TrialRow => {
    const label = row.label === 'fraud' || row.label === 'legitimate' ? row.label : undefined;
    return { record: recordOfRow(row), label };
  });
  const [first] = read;
  const isComplete = read.length === Number(first?.all_rows ?? 0);
  const isCut = read.length === MOST_ROWS && !isComplete;
  const sinceMs = isCut ? timeOf(read.at(-1)?.occurred_at) : askedSinceMs;
  const days = String(first?.allowed_by_day ?? '')
    .split(',')
    .map((each) => each.split('='));
  const from = timestamp(sinceMs).slice(0, 10);
  const allowed = days.reduce((sum, [day = '', count = '0']) => (day >= from ? sum + Number(count) : sum), 0);
  return { rows, isComplete, allowed, sinceMs };
}
