import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportTable, importTable, verifyBackup } from '../../../bin/admin/table-commands';
import { findRunFile } from '../../../bin/admin/target';
import type { WireItem } from '../../../shared/store/sdk/wire-item';
import type { Restored } from '../../../shared/store/table-copy-store';

describe('backup', () => {
  const directory = mkdtempSync(join(tmpdir(), 'backup-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  let number = 0;
  const newFile = (): string => join(directory, `backup-${++number}.jsonl`);

  const itemOf = (n: number): WireItem => ({
    pk: { S: `ENTITY#acc#${n}` },
    sk: { S: 'ENTITY' },
    ttl: { N: String(1_800_000_000 + n) },
    text: { S: `"quoted"\n{"page":1} Zoë ${n}` },
  });
  const ITEMS = Array.from({ length: 25 }, (_, n) => itemOf(n));
  const PAGE = 7;

  /** A table in memory that hands itself out in pages, and may be cut off after some of them. */
  function tableOf(items: readonly WireItem[], failAfterPages = Number.POSITIVE_INFINITY) {
    let pages = 0;
    return {
      name: 'table',
      scan: async (from: WireItem | undefined) => {
        if (pages++ >= failAfterPages) throw new Error('the connection broke');
        const start = from ? items.findIndex(({ pk }) => pk?.S === from.pk?.S) + 1 : 0;
        const page = items.slice(start, start + PAGE);
        const isLast = start + PAGE >= items.length;
        return { items: page, next: isLast ? undefined : { pk: page.at(-1)?.pk ?? {}, sk: { S: 'ENTITY' } } };
      },
    };
  }

  function targetOf(items: readonly WireItem[] = []) {
    const kept = new Map(items.map((item) => [JSON.stringify([item.pk, item.sk]), item]));
    return {
      kept,
      restore: async (item: WireItem): Promise<Restored> => {
        const key = JSON.stringify([item.pk, item.sk]);
        const there = kept.get(key);
        if (there) return JSON.stringify(there) === JSON.stringify(item) ? 'same' : 'different';
        kept.set(key, item);
        return 'written';
      },
      overwrite: async (item: WireItem) => void kept.set(JSON.stringify([item.pk, item.sk]), item),
    };
  }

  const request = { stage: 'sandbox', nowMs: Date.parse('2026-11-14T00:00:00Z'), onProgress: () => undefined };
  const restoring = { stage: 'sandbox', isOverwriting: false, onProgress: () => undefined };

  async function exported(items = ITEMS): Promise<string> {
    const file = newFile();
    await exportTable(tableOf(items), { ...request, file });
    return file;
  }

  describe('a backup', () => {
    it('brings every item back, whatever is in it', async () => {
      const file = await exported();
      expect(await verifyBackup(file)).toMatchObject({ items: 25, header: { stage: 'sandbox', table: 'table' } });
      const target = targetOf();
      expect(await importTable(target, { ...restoring, file })).toEqual({ written: 25, same: 0, overwritten: 0 });
      expect([...target.kept.values()]).toEqual(ITEMS);
    });

    it('may be of an empty table', async () => {
      expect((await verifyBackup(await exported([]))).items).toBe(0);
    });

    it('is readable by its owner only', async () => {
      expect(statSync(await exported()).mode & 0o777).toBe(0o600);
    });

    it('resumes where it was interrupted, wherever that was', async () => {
      const whole = readFileSync(await exported(), 'utf8');
      const firstPageEnd = whole.indexOf('\n', whole.indexOf('{"page":1')) + 1;
      for (const cut of [firstPageEnd, firstPageEnd + 1, firstPageEnd + 200, whole.length - 2]) {
        const file = newFile();
        writeFileSync(file, whole.slice(0, cut));
        await expect(verifyBackup(file)).rejects.toThrow('incomplete');
        await exportTable(tableOf(ITEMS), { ...request, file });
        expect(readFileSync(file, 'utf8')).toBe(whole);
      }
    });

    it('resumes after the table failed', async () => {
      const file = newFile();
      await expect(exportTable(tableOf(ITEMS, 2), { ...request, file })).rejects.toThrow('broke');
      expect(await exportTable(tableOf(ITEMS), { ...request, file })).toEqual({ items: 25, pages: 4 });
      expect((await verifyBackup(file)).items).toBe(25);
    });

    it('that was changed by a byte anywhere is refused, and nothing of it is written', async () => {
      const file = await exported();
      const whole = readFileSync(file, 'utf8');
      const header = whole.indexOf('\n') + 1;
      for (let at = header; at < whole.length - 2; at += 61) {
        const digit = whole.charCodeAt(at) === 48 ? '1' : '0';
        writeFileSync(file, whole.slice(0, at) + digit + whole.slice(at + 1));
        const target = targetOf();
        await expect(importTable(target, { ...restoring, file })).rejects.toThrow();
        expect(target.kept.size).toBe(0);
      }
    });

    it('that lost a page is refused', async () => {
      const lines = readFileSync(await exported(), 'utf8').split('\n');
      const file = newFile();
      const second = lines.findIndex((line) => line.startsWith('{"page":1'));
      writeFileSync(file, [lines[0], ...lines.slice(second + 1)].join('\n'));
      await expect(verifyBackup(file)).rejects.toThrow('damaged');
    });

    it('is not written over', async () => {
      const file = await exported();
      await expect(exportTable(tableOf(ITEMS), { ...request, file })).rejects.toThrow('already a complete backup');
      const other = newFile();
      writeFileSync(other, 'my notes\n');
      await expect(exportTable(tableOf(ITEMS), { ...request, file: other })).rejects.toThrow('not a table backup');
      expect(readFileSync(other, 'utf8')).toBe('my notes\n');
      const cut = await exported();
      truncateSync(cut, statSync(cut).size - 1);
      appendFileSync(cut, '');
      const elsewhere = { ...tableOf(ITEMS), name: 'another' };
      await expect(exportTable(elsewhere, { ...request, file: cut })).rejects.toThrow('backup of sandbox, table table');
    });
  });

  describe('a restore', () => {
    it('keeps what is there and differs, unless it is told otherwise', async () => {
      const file = await exported();
      const mine = { ...itemOf(3), text: { S: 'newer' } };
      const target = targetOf([mine, itemOf(4)]);
      await expect(importTable(target, { ...restoring, file })).rejects.toThrow(
        /1 existing item\(s\) .*ENTITY#acc#3 \/ ENTITY/,
      );
      expect([...target.kept.values()]).toContainEqual(mine);
      const report = await importTable(target, { ...restoring, file, isOverwriting: true });
      expect(report.overwritten).toBe(1);
      expect(report.written + report.same).toBe(24);
      expect([...target.kept.values()]).toContainEqual(itemOf(3));
    });

    it('run twice changes nothing', async () => {
      const file = await exported();
      const target = targetOf();
      await importTable(target, { ...restoring, file });
      expect(await importTable(target, { ...restoring, file })).toEqual({ written: 0, same: 25, overwritten: 0 });
    });

    it('into the other stage is refused', async () => {
      const file = await exported();
      await expect(importTable(targetOf(), { ...restoring, file, stage: 'production' })).rejects.toThrow(
        'backup of sandbox and cannot be restored to production',
      );
    });
  });
});

describe('find run file', () => {
  const root = mkdtempSync(join(tmpdir(), 'run-file-'));
  afterAll(() => rmSync(root, { recursive: true }));

  function running(name: string): string {
    mkdirSync(join(root, name), { recursive: true });
    const file = join(root, name, 'run.json');
    writeFileSync(file, '{}');
    return file;
  }

  it('finds a stage that runs in memory too, and the one with its data on disk first', () => {
    expect(findRunFile(root, 'sandbox')).toBeUndefined();
    const inMemory = running('sandbox-in-memory');
    expect(findRunFile(root, 'sandbox')).toBe(inMemory);
    expect(findRunFile(root, 'production')).toBeUndefined();
    const onDisk = running('sandbox');
    expect(findRunFile(root, 'sandbox')).toBe(onDisk);
  });
});
