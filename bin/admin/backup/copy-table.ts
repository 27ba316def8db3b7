import { UsageError } from '../../../shared/cli/command-line';
import type { WireItem } from '../../../shared/store/sdk/wire-item';
import type { TableCopyStore } from '../../../shared/store/table-copy-store';
import { FORMAT, openBackup, readPages, verifyBackup } from './backup-file';

const AT_ONCE = 16;

export interface ExportRequest {
  readonly file: string;
  readonly stage: string;
  readonly nowMs: number;
  readonly onProgress: (items: number, pages: number) => void;
}

/** Copies a table into a file, page by page; resumes an incomplete file. */
export async function exportTable(
  table: Pick<TableCopyStore, 'name' | 'scan'>,
  { file, stage, nowMs, onProgress }: ExportRequest,
): Promise<{ readonly items: number; readonly pages: number }> {
  const exported_at = new Date(nowMs).toISOString();
  const backup = await openBackup(file, { format: FORMAT, stage, table: table.name, exported_at });
  try {
    do {
      const { items, next } = await table.scan(backup.next);
      await backup.append(items, next);
      onProgress(backup.items, backup.pages);
    } while (backup.next);
    return { items: backup.items, pages: backup.pages };
  } finally {
    await backup.close();
  }
}

export interface ImportRequest {
  readonly file: string;
  readonly stage: string;
  readonly isOverwriting: boolean;
  readonly onProgress: (done: number, total: number) => void;
}

export interface ImportReport {
  written: number;
  same: number;
  overwritten: number;
}

/**
 * Restores a backup. The whole file is verified first: nothing is written from a damaged one. Identical items are
 * skipped, so an interrupted restore can be rerun; an existing item that differs stops it.
 */
export async function importTable(
  table: Pick<TableCopyStore, 'restore' | 'overwrite'>,
  { file, stage, isOverwriting, onProgress }: ImportRequest,
): Promise<ImportReport> {
  const { header, items: total } = await verifyBackup(file);
  if (header.stage !== stage) {
    throw new UsageError(
      `${file} is a backup of ${header.stage} and cannot be restored to ${stage}: its API keys and webhook secrets would not work.`,
    );
  }
  const report: ImportReport = { written: 0, same: 0, overwritten: 0 };
  const different: WireItem[] = [];
  const put = async (item: WireItem): Promise<void> => {
    const restored = await table.restore(item);
    if (restored !== 'different') report[restored] += 1;
    else if (!isOverwriting) different.push(item);
    else {
      await table.overwrite(item);
      report.overwritten += 1;
    }
  };
  let done = 0;
  for await (const { items } of readPages(file)) {
    for (let at = 0; at < items.length; at += AT_ONCE) {
      await Promise.all(items.slice(at, at + AT_ONCE).map(put));
      done += Math.min(AT_ONCE, items.length - at);
      onProgress(done, total);
    }
    if (different.length > 0) throw refusal(different, report);
  }
  return report;
}

function refusal(different: readonly WireItem[], { written }: ImportReport): UsageError {
  const [first] = different;
  const firstKey = `${first?.pk?.S} / ${first?.sk?.S}`;
  return new UsageError(
    `${different.length} existing item(s) differ from the backup, e.g. ${firstKey}. They were not changed; ${written} missing item(s) were written. Use --overwrite to replace the ones that differ.`,
  );
}
