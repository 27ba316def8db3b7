import { hash } from 'node:crypto';
import { entityNames, pseudonymOf } from '../entities/entity-ref';
import type { Pseudonyms } from '../entities/pseudonyms';
import type { ReadRow, WarehouseFiles, WarehouseTable } from './warehouse-tables';

/** As Glue's JSON reader takes timestamps. */
export const timestamp = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');

/** Somebody whose rows are erased: the hash of their pseudonym, so that the mark itself is not a trace of them. */
export interface ErasedMark {
  readonly account_id: string;
  readonly mark: string;
  /** Later rows are new, and stay. */
  readonly requested_at: string;
}

/** The prefix of the files with marks, and the table that Athena reads them as. */
export const ERASED = 'erased';

export const ERASED_COLUMNS = { account_id: 'string', mark: 'string', requested_at: 'timestamp' } as const;

const markOf = (pseudonym: string): string => hash('sha256', pseudonym, 'hex').toUpperCase();

/** The mark of a row's person, in SQL. */
export const MARK_SQL = 'to_hex(sha256(to_utf8(r.user_pseudonym)))';

/** Every event once, since Firehose and the relay may both write a record twice, and nobody who asked to be erased. */
export const rowsSql = (table: WarehouseTable, columns: readonly string[], where = 'true'): string =>
  `SELECT ${columns.map((name) => `r.${name}`).join(', ')}
FROM (SELECT *, row_number() OVER (PARTITION BY event_id ORDER BY dt, hour) AS copy FROM raw_${table} WHERE ${where}) r
LEFT JOIN (SELECT account_id, mark, max(requested_at) AS until FROM ${ERASED} GROUP BY account_id, mark) e
  ON e.account_id = r.account_id AND e.mark = ${MARK_SQL}
WHERE r.copy = 1 AND (e.until IS NULL OR r.occurred_at > e.until)`;

/** Everybody who is erased. */
export async function marksIn(files: Pick<WarehouseFiles, 'below' | 'read'>): Promise<ErasedMark[]> {
  const marks: ErasedMark[] = [];
  for await (const { key } of files.below(`${ERASED}/`))
    marks.push(...(linesOf(await files.read(key)) as ErasedMark[]));
  return marks;
}

export const linesFrom = (values: readonly object[]): Uint8Array =>
  Buffer.from(values.map((each) => `${JSON.stringify(each)}\n`).join(''));

export const linesOf = (file: Uint8Array): unknown[] =>
  Buffer.from(file)
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** The marks of a user: rows keep the pseudonym of their time, so there is one for each identity key. */
export function erasedMarks(accountId: string, userId: string, pseudonyms: Pseudonyms, nowMs: number): ErasedMark[] {
  const names = pseudonyms.byEachKey().map((by) => pseudonymOf(entityNames(accountId, by).user(userId)));
  return names.map((name) => ({ account_id: accountId, mark: markOf(name), requested_at: timestamp(nowMs) }));
}

/** Whether a row is about one of the erased. */
export function isErasedBy(marks: readonly ErasedMark[]): (row: ReadRow) => boolean {
  const inTime = [...marks].sort((a, b) => (a.requested_at < b.requested_at ? -1 : 1));
  const until = new Map(inTime.map(({ account_id, mark, requested_at }) => [`${account_id} ${mark}`, requested_at]));
  return ({ account_id, user_pseudonym, occurred_at }) => {
    const end = typeof user_pseudonym === 'string' && until.get(`${account_id} ${markOf(user_pseudonym)}`);
    // Files hold instants, errors hold texts.
    const at = occurred_at instanceof Date ? timestamp(occurred_at.getTime()) : String(occurred_at);
    return typeof end === 'string' && at <= end;
  };
}
