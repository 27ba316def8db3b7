import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { WireItem } from '../../../shared/store/table-copy-store';
import { UsageError } from '../../cli/command-line';

/**
 * A table in a file: lines of JSON.
 *
 *   {"format":"fraud-screening-table/1","stage":"sandbox","table":"…","exported_at":"…"}
 *   {"pk":{"S":"…"},"sk":{"S":"…"},…}          an item as DynamoDB sends it, so that no type is lost
 *   …
 *   {"page":1,"items":214,"sha256":"…","next":{"pk":…,"sk":…}}
 *
 * Each page ends with a mark: a hash over the last mark's hash and the page's lines, and where the next page begins. A
 * copy that was cut off goes on behind its last mark; a byte that was changed anywhere breaks the chain there.
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
  /** Where it ends in the file, in bytes. */
  readonly end: number;
}

export const FORMAT = 'fraud-screening-table/1';

const chained = (before: string, lines: readonly string[]): string =>
  createHash('sha256').update(before).update(lines.join('\n')).digest('hex');

/** The hash of a page covers its mark, too: with a wrong `next`, a copy would go on in the wrong place. */
const pageHash = (before: string, lines: readonly string[], { page, items, next }: Omit<Mark, 'sha256'>): string =>
  chained(before, [...lines, JSON.stringify({ page, items, next })]);

/** A line that ends a page; one that was cut off in its middle is none. */
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
    // Said below, in words.
  }
  throw new UsageError(`${file} is not a backup of a table.`);
}

/** Walks through a backup page by page, each checked; what lies behind the last mark is left out. */
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
        throw new UsageError(`${file} is damaged in page ${mark.page}: its checksum is not that of its items.`);
      }
      yield { header, mark, end, items: page.map((item) => JSON.parse(item) as WireItem) };
      page = [];
    }
  }
  if (!header) headerOf(file, undefined);
}

/** What a whole backup holds; refuses one that is damaged or was cut off. */
export async function verifyBackup(file: string): Promise<{ readonly header: Header; readonly items: number }> {
  let last: (Page & { readonly header: Header }) | undefined;
  let items = 0;
  for await (const page of readPages(file)) {
    last = page;
    items += page.items.length;
  }
  if (last?.mark.next !== null) {
    throw new UsageError(`${file} is not complete. Run the same export again: it goes on where it was cut off.`);
  }
  return { header: last.header, items };
}

/** A backup that is being written. */
export interface BackupWriter {
  readonly pages: number;
  readonly items: number;
  /** Where to go on; undefined at the beginning of the table. */
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
      const place = { page: pages + 1, items: lines.length, next: then ?? null };
      chain = pageHash(chain, lines, place);
      const mark: Mark = { ...place, sha256: chain };
      await handle.appendFile(`${[...lines, JSON.stringify(mark)].join('\n')}\n`);
      // On the disk before it counts: a mark that a power cut could take back would be no mark.
      await handle.datasync();
      pages += 1;
      items += lines.length;
      next = then;
    },
    close: () => handle.close(),
  };
}

/** Begins a backup, or goes on with one of the same table that was cut off. */
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
  if (!last) throw new UsageError(`${file} has no page yet: delete it, and export again.`);
  if (last.header.table !== header.table || last.header.stage !== header.stage) {
    throw new UsageError(
      `${file} is a backup of ${last.header.stage}, table ${last.header.table}: choose another file.`,
    );
  }
  if (last.mark.next === null) throw new UsageError(`${file} is a complete backup already: choose another file.`);
  const handle = await open(file, 'r+');
  await handle.truncate(last.end);
  await handle.close();
  const { sha256: chain, page: pages, next } = last.mark;
  return writer(await open(file, 'a'), { chain, pages, items, next });
}
