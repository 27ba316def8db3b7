import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { needWord, UsageError } from '../../shared/cli/command-line';
import type { Command } from '../../shared/cli/command-table';
import { progressLine } from '../../shared/cli/progress-line';
import { replayErasures } from '../../shared/usecases/personal-data/replay-erasures';
import { verifyBackup } from './backup/backup-file';
import { exportTable, importTable } from './backup/copy-table';
import type { Target } from './target';

const fileOf = (path: string): string => {
  const file = resolve(path);
  if (!existsSync(file)) throw new UsageError(`No such file: ${file}`);
  return file;
};

/** Backups of a stage's table: docs/backup-and-restore.md. */
export const TABLE_COMMANDS: Readonly<Record<string, Command<Target['deps']>>> = {
  'table export': {
    usage: 'table export FILE [--table NAME]',
    does: 'copy the table into a file. If interrupted, rerun to resume',
    run: async (deps, given) => {
      const file = resolve(needWord(given, 0, 'file to write'));
      const progress = progressLine();
      const { items, pages } = await exportTable(deps.tableNamed(given.texts.table), {
        file,
        stage: deps.stage,
        nowMs: deps.clock.now(),
        onProgress: (done, page) => progress.show(() => `${done} items, page ${page}`),
      }).finally(progress.done);
      return `Exported ${items} items in ${pages} pages to ${file}. It contains personal data: protect it like the table.`;
    },
  },
  'table verify': {
    usage: 'table verify FILE',
    does: 'check that a backup is complete and undamaged',
    run: async (_deps, given) => {
      const { header, items } = await verifyBackup(fileOf(needWord(given, 0, 'backup')));
      return `complete and undamaged: ${items} items of ${header.stage}, table ${header.table}, exported at ${header.exported_at}`;
    },
  },
  'table import': {
    usage: 'table import FILE [--table NAME] [--overwrite]',
    does: 'restore a backup; existing items that differ are kept unless --overwrite is given',
    run: async (deps, given) => {
      const progress = progressLine();
      const { written, same, overwritten } = await importTable(deps.tableNamed(given.texts.table), {
        file: fileOf(needWord(given, 0, 'backup')),
        stage: deps.stage,
        isOverwriting: given.flags.has('overwrite'),
        onProgress: (done, total) => progress.show(() => `${done} of ${total} items`),
      }).finally(progress.done);
      return `${written} items written, ${same} unchanged, ${overwritten} overwritten.`;
    },
  },
  'erasures replay': {
    usage: 'erasures replay [--table NAME]',
    does: 'after a restore: erase again, in the restored table, every user erased since the backup',
    run: async (deps, given) => {
      const restored = deps.tracesIn(given.texts.table);
      const pseudonyms = await deps.identity.pseudonyms();
      const { erasures, erased } = await replayErasures({
        clock: deps.clock,
        remembered: deps.tracesIn(undefined).remembered,
        pages: (lookup, nowMs) => restored.pages(lookup, pseudonyms, nowMs),
        erase: restored.erase,
        eraseIfAlone: restored.eraseIfAlone,
      });
      return `${erased} items erased, for ${erasures} erasure(s).`;
    },
  },
};
