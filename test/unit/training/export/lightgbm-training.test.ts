import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { readModel } from '../../../../bin/model/commands';
import { auc } from '../../../../shared/domain/models/evaluation/ranking-curve';
import { forestScorer } from '../../../../shared/domain/models/forest';
import type { ModelArtefact } from '../../../../shared/domain/models/model-artefact';
import { rowScorer, storedSignals } from '../../../../shared/domain/models/row-scorer';
import { inputReader } from '../../../../shared/domain/models/scoring-model';
import { observedOf, type TrainingRow, vectorOf } from '../../../../shared/domain/models/training-row';
import { labelledRow } from '../../../../shared/usecases/models/labelled-rows';
import type { TrainingPlan } from '../../../../shared/usecases/models/model-files';
import type { TrainingResult } from '../../../../training/engine/learn/train-model';
import { exportRows } from '../../../../training/export/export-rows';
import type { ExportManifest } from '../../../../training/export/manifest';
import { inAThread } from '../../../support/machine/in-a-thread';
import { temporaryFolder } from '../../../support/machine/temporary-folder';
import { patient } from '../../../support/patience';
import { labelPages, labelsToExport, NOW_MS } from './labels-to-export';

jest.setTimeout(patient(120_000));

const SCRIPT = join(__dirname, '../../../../training/python/train.py');
const ENGINE = join(__dirname, '../../../../training/engine/learn/train-model.ts');
const hasLightgbm = spawnSync('python3', ['-c', 'import lightgbm, pyarrow']).status === 0;

const ACCOUNT = 'acc_1';
const labels = labelsToExport(1_600, 11);
const rowOf = (at: number): TrainingRow => ({
  ...labelledRow(labels[at] as (typeof labels)[number]),
  account_id: ACCOUNT,
});

/** The score of a row by the forest alone. */
function rawScorer(artefact: ModelArtefact): (row: TrainingRow) => number {
  const read = inputReader(artefact);
  const score = forestScorer(artefact.forest);
  return (row) => {
    const vector = vectorOf(row);
    return score(read(vector, { observed: observedOf(row), account_id: ACCOUNT }, storedSignals(vector)));
  };
}

if (!hasLightgbm) it.skip('training/python/train.py: needs python3 with lightgbm and pyarrow', () => undefined);
else {
  describe('a model that LightGBM trained on an export', () => {
    const folder = temporaryFolder('lightgbm');
    let summary: { readonly folder: string; readonly held_out: { readonly rows: number; readonly auc: number } };
    let idToLabel: Map<number, number>;
    beforeAll(async () => {
      const pages = labelPages({ [ACCOUNT]: labels }, 500);
      await exportRows(
        { stage: 'sandbox', clock: { now: () => NOW_MS }, labels: pages, reviews: [], parent: undefined },
        folder,
      );
      const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as ExportManifest;
      const byTime = new Map(labels.map(({ screened_at_ms }, at) => [screened_at_ms, at]));
      idToLabel = new Map();
      for (const { rows_file } of manifest.parts) {
        const bytes = readFileSync(join(folder, rows_file));
        const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
        for (const { id, screened_at } of await parquetReadObjects({ file, columns: ['id', 'screened_at'] })) {
          idToLabel.set(Number(id), byTime.get(Number(screened_at)) as number);
        }
      }
      const given = [SCRIPT, folder, '--out', join(folder, 'out'), '--threads', '1'];
      const ran = spawnSync('python3', [...given, '--predictions', join(folder, 'predictions.json')], {
        encoding: 'utf8',
      });
      if (ran.status !== 0) throw new Error(ran.stderr);
      summary = JSON.parse(ran.stdout);
    });

    it('is taken, and scores as LightGBM itself does', () => {
      const { artefact } = readModel(summary.folder);
      expect(artefact.card).toMatchObject({ source: 'lightgbm', rows: idToLabel.size, parent: null });
      expect(artefact.attributes.columns.map(({ source }) => source)).toContain('attributes.box');
      const predictions: { id: number[]; raw: number[] } = JSON.parse(
        readFileSync(join(folder, 'predictions.json'), 'utf8'),
      );
      expect(predictions.id.length).toBe(summary.held_out.rows);
      const raw = rawScorer(artefact);
      const furthest = predictions.id.reduce((most, id, at) => {
        const ours = raw(rowOf(idToLabel.get(id) as number));
        return Math.max(most, Math.abs(ours - (predictions.raw[at] as number)));
      }, 0);
      expect(furthest).toBeLessThan(1e-9);
    });

    it('agrees with our own trainer on the same rows', async () => {
      const rows = [...idToLabel.values()].map(rowOf);
      const train = (taught: readonly TrainingRow[], plan?: TrainingPlan) =>
        inAThread<TrainingResult>(ENGINE, 'trainModel', taught, { nowMs: NOW_MS, source: 'labels', plan });
      const ours = await train(rows);
      const newest = ours.heldOut?.rows ?? [];
      expect(newest.length).toBe(summary.held_out.rows);
      // The forest that judged the newest fifth before it had seen it, without the signals beside it.
      const earlier = await train(rows.slice(0, rows.length - newest.length), ours.plan);
      const raw = rawScorer(earlier.artefact);
      const labelled = Uint8Array.from(newest, ({ label }) => label);
      expect(Math.abs(summary.held_out.auc - auc(newest.map(raw), labelled))).toBeLessThan(0.03);
      const { artefact } = readModel(summary.folder);
      expect(artefact.trust).toEqual(ours.artefact.trust);
      expect(artefact.audience).toEqual(ours.artefact.audience);
      // Fitted over the same folds.
      expect(Math.abs(artefact.calibration.slope - ours.artefact.calibration.slope)).toBeLessThan(0.15);
      // And the encodings are the same numbers.
      for (const column of artefact.attributes.columns) {
        const own = ours.artefact.attributes.columns.find(({ feature }) => feature === column.feature);
        if (own) expect(column).toEqual(own);
      }
      const [theirs, own] = [rowScorer(artefact), rowScorer(ours.artefact)];
      const [a, b] = [rows.map((row) => theirs(row).probability), rows.map((row) => own(row).probability)];
      const isHigh = Uint8Array.from(b, (value) => (value > 0.5 ? 1 : 0));
      expect(auc(a, isHigh)).toBeGreaterThan(0.95);
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      expect(sum(a) / sum(b)).toBeGreaterThan(0.8);
      expect(sum(a) / sum(b)).toBeLessThan(1.25);
    });
  });
}
