import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { needWord, UsageError } from '../cli/command-line';
import type { Command } from '../cli/command-table';
import { progressLine } from '../cli/progress-line';
import { verifyBackup } from './backup/backup-file';
import { exportTable, importTable } from './backup/copy-table';
import type { Target } from './target';

const fileOf = (path: string): string => {
  const file = resolve(path);
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`);
  return file;
};

/** Backups of a stage's table: docs/backup-and-restore.md. */
export const TABLE_COMMANDS: Readonly<Record<string, Command<Target['deps']>>> = {
  'table export': {
    usage: 'table export FILE [--table NAME]',
    does: 'copy the table into a file; cut off, the same command goes on',
    run: async (deps, given) => {
      const file = resolve(needWord(given, 0, 'file to write'));
      const progress = progressLine();
      const { items, pages } = await exportTable(deps.tableNamed(given.texts.table), {
        file,
        stage: deps.stage,
        nowMs: deps.clock.now(),
        onProgress: (done, page) => progress.show(() => `${done} items, page ${page}`),
      }).finally(progress.done);
      return `${items} items in ${pages} pages are in ${file}. It holds personal data: keep it like the table.`;
    },
  },
  'table verify': {
    usage: 'table verify FILE',
    does: 'check that a backup is whole and undamaged',
    run: async (_deps, given) => {
      const { header, items } = await verifyBackup(fileOf(needWord(given, 0, 'backup')));
      return `whole and undamaged: ${items} items of ${header.stage}, table ${header.table}, exported at ${header.exported_at}`;
    },
  },
  'table import': {
    usage: 'table import FILE [--table NAME] [--overwrite]',
    does: 'put a backup back; what is there and differs is kept without --overwrite',
    run: async (deps, given) => {
      const progress = progressLine();
      const { written, same, overwritten } = await importTable(deps.tableNamed(given.texts.table), {
        file: fileOf(needWord(given, 0, 'backup')),
        stage: deps.stage,
        isOverwriting: given.flags.has('overwrite'),
        onProgress: (done, total) => progress.show(() => `${done} of ${total} items`),
      }).finally(progress.done);
      return `${written} items written, ${same} were there already, ${overwritten} overwritten.`;
    },
  },
};
