import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../shared/cli/command-line';
import type { Label } from '../../shared/domain/cases/outcome';
import type { StoredLabel } from '../../shared/domain/models/stored-label';
import type { TrialRow } from '../../shared/domain/rules/rule-trial';
import { isSampled } from '../../shared/domain/screening/subjects/record-members';
import { subjectId } from '../../shared/domain/screening/subjects/subject-id';
import { isErasedBy, marksIn } from '../../shared/domain/warehouse/erased-people';
import { recordOfRow, timeOf } from '../../shared/domain/warehouse/warehouse-rows';
import type { ReadRow, WarehouseFiles } from '../../shared/domain/warehouse/warehouse-tables';
import { readParquet } from '../../shared/store/warehouse/parquet-rows';
import { warehouseFiles } from '../../shared/store/warehouse/warehouse-files';

/** A screening of the warehouse, and how it ended. */
export interface KeptDecision extends TrialRow {
  readonly labeled_at_ms?: number | undefined;
}

/** All decisions of a warehouse by account, oldest first. */
export type KeptDecisions = ReadonlyMap<string, readonly KeptDecision[]>;

type Files = Pick<WarehouseFiles, 'below' | 'read'>;

/** The files of a folder, or of a bucket: `s3://` and its name. */
function filesAt(location: string, region: string | undefined): Files {
  const [, bucket] = /^s3:\/\/([^/]+)\/?$/.exec(location) ?? [];
  if (bucket !== undefined) {
    if (!region) throw new UsageError('Set AWS_REGION to the region of the bucket.');
    return warehouseFiles({ bucket, region });
  }
  const isFile = (key: string): boolean => statSync(join(location, key)).isFile();
  const all = readdirSync(location, { recursive: true, encoding: 'utf8' }).filter(isFile).sort();
  const below = async function* (prefix: string) {
    for (const key of all) if (key.startsWith(prefix)) yield { key, modifiedMs: 0 };
  };
  return { below, read: async (key) => readFileSync(join(location, key)) };
}

/** Rows as the views have them: each event once, and nobody who asked to be erased. */
async function* rowsOf(files: Files, table: string, isErased: (row: ReadRow) => boolean): AsyncGenerator<ReadRow> {
  const seen = new Set<unknown>();
  for await (const { key } of files.below(`${table}/dt=`)) {
    if (!key.endsWith('.parquet') && !key.includes(`-${table}-`)) continue;
    for (const row of await readParquet(await files.read(key))) {
      if (seen.has(row.event_id) || isErased(row)) continue;
      seen.add(row.event_id);
      yield row;
    }
  }
}

/** A person's last review counts; without any, what the last outcome left. */
const standing = (row: ReadRow | undefined): number =>
  row === undefined ? -1 : timeOf(row.recorded_at) + (row.kind === 'review' ? Number.MAX_SAFE_INTEGER / 2 : 0);

const labelOf = (row: ReadRow | undefined): Pick<KeptDecision, 'label' | 'labeled_at_ms'> =>
  row === undefined || row.label_in_force === 'none'
    ? {}
    : { label: row.label_in_force as Label, labeled_at_ms: timeOf(row.recorded_at) };

/** Reads a whole warehouse: a million decisions take about two gigabytes of memory. */
export async function readWarehouse(location: string, region?: string): Promise<KeptDecisions> {
  const files = filesAt(location, region);
  const isErased = isErasedBy(await marksIn(files));
  const ended = new Map<string, ReadRow>();
  for await (const row of rowsOf(files, 'outcomes', isErased)) {
    const id = String(row.decision_id);
    if (standing(row) > standing(ended.get(id))) ended.set(id, row);
  }
  const decisions = new Map<string, KeptDecision[]>();
  for await (const row of rowsOf(files, 'decisions', isErased)) {
    const own = decisions.get(String(row.account_id)) ?? [];
    decisions.set(String(row.account_id), own);
    own.push({ record: recordOfRow(row), ...labelOf(ended.get(String(row.decision_id))) });
  }
  for (const own of decisions.values()) own.sort((a, b) => a.record.screened_at_ms - b.record.screened_at_ms);
  return decisions;
}

/** Training rows of a warehouse: decisions with a label, and the sample that is presumed legitimate. */
export function warehouseLabels(kept: KeptDecisions) {
  const stored = ({ record, label, labeled_at_ms }: KeptDecision): StoredLabel[] => {
    if (label === undefined && !isSampled(record)) return [];
    const { screened_at_ms, risk_score, model_version, feature_version, vector, observed } = record;
    return [
      {
        label: label ?? 'legitimate',
        source: label === undefined ? 'sample' : 'decision_review',
        analyst_id: null,
        labeled_at: new Date(labeled_at_ms ?? screened_at_ms).toISOString(),
        subject_id: subjectId(record.subject_type, record.ulid),
        ...{ screened_at_ms, risk_score, model_version, feature_version, vector, observed },
      },
    ];
  };
  return {
    accounts: async () => [...kept.keys()],
    async *pagesInMonth(accountId: string, month: string, after = '') {
      const own = (kept.get(accountId) ?? []).filter(
        ({ record }) => new Date(record.screened_at_ms).toISOString().startsWith(month) && record.ulid > after,
      );
      yield own.sort((a, b) => (a.record.ulid < b.record.ulid ? -1 : 1)).flatMap(stored);
    },
  };
}
