import { ERASED, isErasedBy, linesFrom, linesOf, MARK_SQL, marksIn } from '../../domain/warehouse/erased-people';
import {
  type ReadRow,
  WAREHOUSE_TABLE_NAMES,
  WAREHOUSE_TABLES,
  type WarehouseFiles,
  type WarehouseQueries,
  type WarehouseTable,
} from '../../domain/warehouse/warehouse-tables';

/** Dependencies of erasing people from files. */
export interface EraseFromWarehouseDeps {
  readonly clock: { now(): number };
  readonly wait: (ms: number) => Promise<void>;
  readonly files: WarehouseFiles;
  readonly queries: WarehouseQueries;
  readonly parquet: {
    read(bytes: Uint8Array): Promise<ReadRow[]>;
    write(columns: ReadonlyArray<readonly [string, string]>, rows: readonly ReadRow[]): Uint8Array;
  };
  /** After this, files are deleted. */
  readonly days: number;
}

const HOUR_MS = 3_600_000;
/** Twice per day: an erasure has 24 hours, and each run asks Athena about every file. */
const EVERY_MS = 11 * HOUR_MS;
const STATE = 'erasures-state.json';
const POLL_MS = 1_000;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Takes everybody who asked for erasure out of the files of the warehouse: Athena says in which files they are, and these are
 * written again without their rows. Results of queries go, with everybody in them. A run that ends early is continued by the
 * next one; a record that arrives late is found by the run after it, as long as there are marks (30 days).
 */
export async function eraseFromWarehouse(deps: EraseFromWarehouseDeps, deadlineMs: number) {
  const { files, clock } = deps;
  const startMs = clock.now();
  const marks = await marksIn(files);
  if (marks.length === 0 || startMs - (await lastDoneMs(deps)) < EVERY_MS) return undefined;
  const isErased = isErasedBy(marks);
  const report = { people: marks.length, rewritten: 0, removed: 0, isDone: false };
  for (const table of WAREHOUSE_TABLE_NAMES) {
    for (const key of await filesWithErased(deps, table)) {
      if (clock.now() >= deadlineMs) return report;
      const rows = await deps.parquet.read(await files.read(key));
      const kept = rows.filter((row) => !isErased(row));
      if (kept.length === rows.length) continue;
      if (kept.length > 0) await files.write(key, deps.parquet.write(columnsOf(table, rows), kept));
      else await files.remove(key);
      report.rewritten += 1;
    }
    report.removed += await removeOld(deps, table);
  }
  await eraseErrors(deps, isErased);
  for await (const { key, modifiedMs } of deps.files.below('query-results/')) {
    if (modifiedMs > startMs - HOUR_MS) continue;
    await files.remove(key);
    report.removed += 1;
  }
  await files.write(STATE, Buffer.from(JSON.stringify({ done_at_ms: startMs })));
  return { ...report, isDone: true };
}

async function lastDoneMs({ files }: EraseFromWarehouseDeps): Promise<number> {
  for await (const { key } of files.below(STATE))
    return JSON.parse(Buffer.from(await files.read(key)).toString()).done_at_ms;
  return 0;
}

/** The keys of the files that hold somebody who is erased. */
async function filesWithErased(deps: EraseFromWarehouseDeps, table: WarehouseTable): Promise<string[]> {
  const { queries, days, clock } = deps;
  const since = dayOf(clock.now() - (days + 1) * 24 * HOUR_MS);
  const sql = `SELECT DISTINCT r."$path" AS path FROM raw_${table} r
JOIN ${ERASED} e ON e.account_id = r.account_id AND e.mark = ${MARK_SQL}
WHERE r.dt >= '${since}' AND r.occurred_at <= e.requested_at`;
  const id = await queries.start(sql);
  for (;;) {
    const found = await queries.state(id);
    if (found?.state === 'succeeded') break;
    if (found?.state !== 'running') throw new Error(`Athena could not look for the erased: ${found?.reason}`);
    await deps.wait(POLL_MS);
  }
  const rows = await queries.rows(id);
  return rows.map(({ path = '' }) => path.replace(/^s3:\/\/[^/]+\//, ''));
}

/** A file keeps the columns that it has. */
const columnsOf = (table: WarehouseTable, [first = {}]: readonly ReadRow[]): Array<readonly [string, string]> =>
  Object.entries(WAREHOUSE_TABLES[table]).flatMap(([name, [type]]) => (name in first ? [[name, type] as const] : []));

/** A file that was written again is younger than its rows, so the bucket's lifecycle would keep it for too long. */
async function removeOld({ files, days, clock }: EraseFromWarehouseDeps, table: WarehouseTable): Promise<number> {
  const end = `${table}/dt=${dayOf(clock.now() - days * 24 * HOUR_MS)}`;
  let removed = 0;
  for await (const { key } of files.below(`${table}/`)) {
    if (key >= end) break;
    await files.remove(key);
    removed += 1;
  }
  return removed;
}

/** Rows that did not fit their table are kept as they were sent, one per line. */
async function eraseErrors(deps: EraseFromWarehouseDeps, isErased: (row: ReadRow) => boolean): Promise<void> {
  for await (const { key } of deps.files.below('errors/')) {
    const lines = linesOf(await deps.files.read(key)) as ReadonlyArray<{ readonly rawData?: string }>;
    const kept = lines.filter(({ rawData = '' }) => {
      const text = Buffer.from(rawData, 'base64').toString();
      return !text.startsWith('{') || !isErased(JSON.parse(text));
    });
    if (kept.length === lines.length) continue;
    if (kept.length === 0) await deps.files.remove(key);
    else await deps.files.write(key, linesFrom(kept));
  }
}
