import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type Command, needWord, UsageError } from '../../shared/cli/command-line';
import { progressLine } from '../../shared/cli/progress-line';
import type { WireItem } from '../../shared/store/sdk/wire-item';
import type { TableCopyStore } from '../../shared/store/table-copy-store';
import { replayErasures } from '../../shared/usecases/personal-data/replay-erasures';
import type { Target } from './target';

/**
 * A table in a file: lines of JSON.
 *
 *   {"format":"fraud-screening-table/1","stage":"sandbox","table":"…","exported_at":"…"}
 *   {"pk":{"S":"…"},"sk":{"S":"…"},…}          an item as DynamoDB sends it, so that no type is lost
 *   …
 *   {"page":1,"items":214,"sha256":"…","next":{"pk":…,"sk":…}}
 *
 * Each page ends with a mark: a hash over the last mark's hash and the page's lines, and where the next page begins. An
 * interrupted copy resumes after its last mark; a changed byte breaks the chain at that point.
 */
export interface Header {
  readonly format: typeof FORMAT;
  readonly stage: string;
  readonly table: string;
  readonly exported_at: string;
}

export interface Mark {
  readonly page: number;
  readonly items: number;
  readonly sha256: string;
  /** Where the next page begins; null on the last. */
  readonly next: WireItem | null;
}

export interface Page {
  readonly mark: Mark;
  readonly items: readonly WireItem[];
  readonly end: number;
}

export const FORMAT = 'fraud-screening-table/1';

const chained = (before: string, lines: readonly string[]): string =>
  createHash('sha256').update(before).update(lines.join('\n')).digest('hex');

/** The hash of a page also covers its mark: with a wrong `next`, a copy would resume at the wrong position. */
const pageHash = (before: string, lines: readonly string[], { page, items, next }: Omit<Mark, 'sha256'>): string =>
  chained(before, [...lines, JSON.stringify({ page, items, next })]);

/** A line that ends a page; a truncated line does not count. */
function markOf(line: string): Mark | undefined {
  if (!line.startsWith('{"page":')) return undefined;
  try {
    return JSON.parse(line) as Mark;
  } catch {
    return undefined;
  }
}

function headerOf(file: string, line: string | undefined): Header {
  try {
    const header = JSON.parse(line ?? '') as Header;
    if (header.format === FORMAT) return header;
  } catch {
    // Reported below.
  }
  throw new UsageError(`${file} is not a table backup.`);
}

/** Reads a backup page by page, verifying each; anything after the last mark is ignored. */
export async function* readPages(file: string): AsyncGenerator<Page & { readonly header: Header }> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let header: Header | undefined;
  let chain = '';
  let end = 0;
  let page: string[] = [];
  for await (const line of lines) {
    end += Buffer.byteLength(line) + 1;
    if (!header) {
      header = headerOf(file, line);
      chain = chained('', [line]);
      continue;
    }
    const mark = markOf(line);
    if (!mark) page.push(line);
    else {
      chain = pageHash(chain, page, mark);
      if (mark.sha256 !== chain || mark.items !== page.length) {
        throw new UsageError(`${file} is damaged in page ${mark.page}: the checksum does not match the items.`);
      }
      yield { header, mark, end, items: page.map((item) => JSON.parse(item) as WireItem) };
      page = [];
    }
  }
  if (!header) headerOf(file, undefined);
}

export async function verifyBackup(file: string): Promise<{ readonly header: Header; readonly items: number }> {
  let last: (Page & { readonly header: Header }) | undefined;
  let items = 0;
  for await (const page of readPages(file)) {
    last = page;
    items += page.items.length;
  }
  if (last?.mark.next !== null) {
    throw new UsageError(`${file} is incomplete. Rerun the same export to resume it.`);
  }
  return { header: last.header, items };
}

export interface BackupWriter {
  readonly pages: number;
  readonly items: number;
  /** Where to resume; undefined at the beginning of the table. */
  readonly next: WireItem | undefined;
  append(items: readonly WireItem[], next: WireItem | undefined): Promise<void>;
  close(): Promise<void>;
}

function writer(
  handle: FileHandle,
  state: { chain: string; pages: number; items: number; next?: WireItem | undefined },
) {
  let { chain, pages, items, next } = state;
  return {
    get pages() {
      return pages;
    },
    get items() {
      return items;
    },
    get next() {
      return next;
    },
    async append(page: readonly WireItem[], then: WireItem | undefined): Promise<void> {
      const lines = page.map((item) => JSON.stringify(item));
      const position = { page: pages + 1, items: lines.length, next: then ?? null };
      chain = pageHash(chain, lines, position);
      const mark: Mark = { ...position, sha256: chain };
      await handle.appendFile(`${[...lines, JSON.stringify(mark)].join('\n')}\n`);
      // Synced to disk before it counts: a power cut must not take a mark back.
      await handle.datasync();
      pages += 1;
      items += lines.length;
      next = then;
    },
    close: () => handle.close(),
  };
}

export async function openBackup(file: string, header: Header): Promise<BackupWriter> {
  if (!existsSync(file)) {
    const handle = await open(file, 'wx', 0o600);
    const line = JSON.stringify(header);
    await handle.appendFile(`${line}\n`);
    return writer(handle, { chain: chained('', [line]), pages: 0, items: 0 });
  }
  let last: (Page & { readonly header: Header }) | undefined;
  let items = 0;
  for await (const page of readPages(file)) {
    last = page;
    items += page.items.length;
  }
  if (!last) throw new UsageError(`${file} has no complete page. Delete it and export again.`);
  if (last.header.table !== header.table || last.header.stage !== header.stage) {
    throw new UsageError(
      `${file} is a backup of ${last.header.stage}, table ${last.header.table}. Choose another file.`,
    );
  }
  if (last.mark.next === null) throw new UsageError(`${file} is already a complete backup. Choose another file.`);
  const handle = await open(file, 'r+');
  await handle.truncate(last.end);
  await handle.close();
  const { sha256: chain, page: pages, next } = last.mark;
  return writer(await open(file, 'a'), { chain, pages, items, next });
}

const AT_ONCE = 16;

export interface ExportRequest {
  readonly file: string;
  readonly stage: string;
  readonly nowMs: number;
  readonly onProgress: (items: number, pages: number) => void;
}

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
