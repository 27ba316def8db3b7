import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { splitNewest } from '../../../../shared/domain/models/account-shares';
import type { LabelReview } from '../../../../shared/domain/models/registry-state';
import type { StoredLabel } from '../../../../shared/domain/models/stored-label';
import { observedOf, vectorOf } from '../../../../shared/domain/models/training-row';
import { FEATURE_NAMES } from '../../../../shared/domain/screening/features';
import { labelledRows } from '../../../../shared/usecases/models/labelled-rows';
import { type ExportDeps, exportRows } from '../../../../training/export/export-rows';
import type { ExportManifest } from '../../../../training/export/manifest';
import { temporaryFolder } from '../../../support/machine/temporary-folder';
import { labelPages, labelsToExport, NOW_MS } from './labels-to-export';

const all = labelsToExport(900, 3);
const LABELS: Readonly<Record<string, readonly StoredLabel[]>> = {
  acc_large: all.slice(0, 600),
  acc_small: all.slice(600, 880),
  acc_tiny: all.slice(880),
};
const HELD: LabelReview = {
  ...{ whose: 'acc_small/analyst:careless', status: 'held', from: null, until: null },
  ...{ labels: 9, found: 'departs', held: null, decided: null },
};

const depsOf = (change: Partial<ExportDeps> = {}): ExportDeps => ({
  ...{ stage: 'sandbox', clock: { now: () => NOW_MS }, labels: labelPages(LABELS, 70), reviews: [HELD] },
  ...{ parent: undefined, rowsOfPart: 64, ...change },
});
const folderFor = () => temporaryFolder('export');

function filesIn(folder: string): Record<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
  return Object.fromEntries(files.map((path) => [relative(folder, path), readFileSync(path)]));
}

async function readParts(folder: string, manifest: ExportManifest, which: 'rows_file' | 'observed_file') {
  const objects: Record<string, unknown>[] = [];
  for (const part of manifest.parts) {
    const bytes = readFileSync(join(folder, part[which]));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    objects.push(...(await parquetReadObjects({ file })));
  }
  return objects;
}

describe('an export', () => {
  let folder: string;
  let manifest: ExportManifest;
  beforeAll(async () => {
    folder = folderFor();
    await exportRows(depsOf(), folder);
    manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  });

  it('has every row that training would read, as it was scored', async () => {
    const labels = labelPages(LABELS, 70);
    const storedInMonth = async (account: string, month: string) => {
      const stored: StoredLabel[] = [];
      for await (const page of labels.pagesInMonth(account, month)) stored.push(...page);
      return stored;
    };
    const expected = await labelledRows({ accounts: labels.accounts, storedInMonth }, NOW_MS);
    const taught = expected.filter(
      (row) => !(row.account_id === 'acc_small' && row.actors?.includes('analyst:careless')),
    );
    const rows = await readParts(folder, manifest, 'rows_file');
    const observed = await readParts(folder, manifest, 'observed_file');
    expect(rows.length).toBe(taught.length);
    expect(manifest).toMatchObject({ rows: taught.length, held_labels: expected.length - taught.length });
    expect(manifest.held_labels).toBeGreaterThan(0);
    const byTime = [...rows].sort((a, b) => Number(a.screened_at) - Number(b.screened_at));
    taught.forEach((row, at) => {
      const found = byTime[at] as Record<string, unknown>;
      expect(found).toMatchObject({
        ...{ account: row.account_id, label: row.label, weight: row.weight ?? 1, presumed: row.presumed ?? false },
        ...{ screened_at: new Date(row.screened_at_ms), labeled_at: new Date(row.labeled_at_ms) },
      });
      // All of them would take a minute.
      if (at % 10 > 0) return;
      expect(FEATURE_NAMES.map((name) => found[name])).toEqual([...vectorOf(row)]);
      const seen = observed.filter(({ id }) => id === found.id);
      expect(seen.map(({ name, bucket, number }) => ({ name, bucket, number }))).toEqual(observedOf(row));
    });
  });

  it('says which accounts teach, and holds out the rows that our own trainer would', async () => {
    const rows = await readParts(folder, manifest, 'rows_file');
    expect(manifest.accounts.map(({ account_id }) => account_id)).toEqual(['acc_large', 'acc_small']);
    const teaching = rows
      .filter(({ account }) => account !== 'acc_tiny')
      .map((row) => ({
        account_id: String(row.account),
        label: row.label as 0 | 1,
        screened_at_ms: Number(row.screened_at),
        isNewest:
          Number(row.number) >=
          (manifest.accounts.find(({ account_id }) => account_id === row.account)?.held_out_from ?? Number.NaN),
      }));
    const { share, most_rows } = manifest.folds;
    const { older, newest } = splitNewest(teaching, share, most_rows);
    expect(newest.length).toBeGreaterThan(100);
    expect([older.some(({ isNewest }) => isNewest), newest.every(({ isNewest }) => isNewest)]).toEqual([false, true]);
  });

  it('names what may be learnt from, and what may only raise a score', () => {
    const names = new Map(manifest.features.map(({ name, monotone }) => [name, monotone]));
    expect([names.get('user_fraud_labels'), names.get('rules_log_odds'), names.get('amount_ln_usd')]).toEqual([
      1, 1, 0,
    ]);
    expect(names.has('user_labels_7d')).toBe(false);
    expect(Object.keys(manifest.trust.judged).length).toBeGreaterThan(0);
  });

  it('that was interrupted anywhere continues, and ends with the same bytes', async () => {
    const whole = filesIn(folder);
    expect(Object.keys(whole).length).toBeGreaterThan(20);
    for (const pages of [1, 4, 9]) {
      const other = folderFor();
      let left = pages;
      const interrupted = labelPages(LABELS, 70, () => {
        if (left-- === 0) throw new Error('interrupted');
      });
      await expect(exportRows(depsOf({ labels: interrupted }), other)).rejects.toThrow('interrupted');
      // An hour later: the window must not move.
      const clock = { now: () => NOW_MS + 3_600_000 };
      const { wasContinued } = await exportRows(depsOf({ clock }), other);
      expect(wasContinued).toBe(true);
      const again = filesIn(other);
      expect(Object.keys(again)).toEqual(Object.keys(whole));
      for (const [name, bytes] of Object.entries(whole)) expect(again[name]?.equals(bytes)).toBe(true);
    }
  });

  it('does not continue that of another stage', async () => {
    const other = folderFor();
    let left = 5;
    const interrupted = labelPages(LABELS, 70, () => {
      if (left-- === 0) throw new Error('interrupted');
    });
    await expect(exportRows(depsOf({ labels: interrupted }), other)).rejects.toThrow('interrupted');
    await expect(exportRows(depsOf({ stage: 'production' }), other)).rejects.toThrow('holds an export of sandbox');
  });
});
