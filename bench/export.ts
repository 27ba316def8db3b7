import { execFileSync, fork, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { readModel } from '../bin/model/add';
import { forestScorer } from '../shared/domain/models/forest';
import { storedSignals } from '../shared/domain/models/row-scorer';
import { inputReader } from '../shared/domain/models/scoring-model';
import { observedOf, vectorOf } from '../shared/domain/models/training-row';
import { FEATURE_NAMES } from '../shared/domain/screening/features';
import { labelledRow } from '../shared/usecases/models/labelled-rows';
import type { ExportManifest } from '../training/export/manifest';
import type { ExportProgress } from './support/export-child';
import type { Measurement } from './support/measurement';
import { ACCOUNT, SIMULATED_LABELS, simulatedPages } from './support/simulated-labels';

/*
 * Export of training rows in a process of its own, once without a break and once killed half-way and run again; then
 * LightGBM on them, where Python has it: `npm run bench -- export`.
 */
const TRAIN = join(__dirname, '../training/python/train.py');
/** After the part at which the process is killed, so that it dies in the middle of the next one. */
const KILL_AFTER_MS = 1_500;

function buildChild(directory: string): string {
  const outfile = join(directory, 'export-child.cjs');
  const entryPoints = [join(__dirname, 'support/export-child.ts')];
  buildSync({ entryPoints, outfile, bundle: true, platform: 'node', target: 'node20', format: 'cjs' });
  return outfile;
}

/** Exports to a folder; with a number of rows, kills the process once so many are written. Resolves with its last message. */
function exportTo(folder: string, child: string, killAt = Number.POSITIVE_INFINITY): Promise<ExportProgress> {
  const running = fork(child, [folder]);
  let last: ExportProgress | undefined;
  let killing: NodeJS.Timeout | undefined;
  running.on('message', (progress: ExportProgress) => {
    last = progress;
    if (progress.rows >= killAt) killing ??= setTimeout(() => running.kill('SIGKILL'), KILL_AFTER_MS);
    if (progress.has_ended) running.disconnect();
  });
  return new Promise((resolve, reject) => {
    running.once('exit', (code, signal) => {
      const isExpected = last?.has_ended === (killing === undefined) && (signal === 'SIGKILL' || code === 0);
      if (last !== undefined && isExpected) resolve(last);
      else reject(new Error(`The export ended with ${code ?? signal}`));
    });
  });
}

/** Every file of a folder with its size and hash, so that two exports need not be in memory to be compared. */
function filesIn(folder: string): ReadonlyMap<string, { readonly bytes: number; readonly sha256: string }> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(
    files.map((name) => {
      const bytes = readFileSync(join(folder, name));
      return [name, { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }];
    }),
  );
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

/** Time, memory and size of an export, whether memory grows with the rows, and whether an interrupted one ends up the same. */
export async function run(): Promise<Measurement[]> {
  const directory = mkdtempSync(join(tmpdir(), 'export-bench-'));
  const [whole, resumed] = [join(directory, 'whole'), join(directory, 'resumed')];
  try {
    const child = buildChild(directory);
    const start = performance.now();
    const { rows, cpu_s, tenth_bytes, peak_bytes } = await exportTo(whole, child);
    const seconds = (performance.now() - start) / 1000;
    const files = filesIn(whole);
    const size = [...files.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    console.log(
      `${rows} rows × ${FEATURE_NAMES.length} features: ${seconds.toFixed(0)} s, ${cpu_s.toFixed(0)} s CPU, ${megabytes(size)} of files`,
    );
    console.log(`memory: ${megabytes(tenth_bytes)} after a tenth of the rows, ${megabytes(peak_bytes)} at most`);
    const found = `${seconds.toFixed(0)} s, ${megabytes(peak_bytes)}`;
    return [
      { what: `export of ${rows} training rows`, found, aim: 'flat memory' },
      await resumedExport(resumed, child, files),
      ...(await trainedElsewhere(whole)),
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Kills an export half-way, runs it again, and compares every file with those of one that was never interrupted. */
async function resumedExport(folder: string, child: string, whole: ReturnType<typeof filesIn>): Promise<Measurement> {
  const killed = await exportTo(folder, child, SIMULATED_LABELS / 2);
  const { was_continued, cpu_s } = await exportTo(folder, child);
  const files = filesIn(folder);
  const isSame = [...whole].every(([name, { sha256 }]) => files.get(name)?.sha256 === sha256);
  const differing = isSame && files.size === whole.size ? 'all files the same' : 'FILES DIFFER';
  console.log(
    `killed after ${killed.rows} rows, ${was_continued ? 'resumed' : 'NOT RESUMED'} (${cpu_s.toFixed(0)} s CPU): ${files.size} files, ${differing}`,
  );
  return { what: 'the same export, killed half-way and run again', found: differing, aim: 'all files the same' };
}

/** The sample script on the same rows, and our scorer on the model it made. */
async function trainedElsewhere(folder: string): Promise<Measurement[]> {
  if (spawnSync('python3', ['-c', 'import lightgbm, pyarrow']).status !== 0) {
    console.log('LightGBM: not run, python3 has no lightgbm and pyarrow here (pip install lightgbm pyarrow)');
    return [];
  }
  const start = performance.now();
  const file = join(folder, 'predictions.json');
  const words = [TRAIN, folder, '--out', join(folder, 'out'), '--predictions', file];
  const printed: Trained = JSON.parse(execFileSync('python3', words, { encoding: 'utf8' }));
  const { held_out, trees } = printed;
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `LightGBM: ${trees} trees in ${seconds.toFixed(0)} s, AUC ${held_out.auc.toFixed(4)} on ${held_out.rows} rows`,
  );
  const { compared, furthest } = await agreement(folder, printed.folder, JSON.parse(readFileSync(file, 'utf8')));
  console.log(`our scorer on ${compared} of its predictions: ${furthest.toExponential(1)} apart at most`);
  return [
    { what: 'LightGBM on the export', found: `${seconds.toFixed(0)} s, AUC ${held_out.auc.toFixed(4)}` },
    {
      what: `our scores and LightGBM's of ${compared} rows`,
      found: `${furthest.toExponential(1)} apart`,
      aim: 'below 1e-9',
    },
  ];
}

interface Trained {
  readonly folder: string;
  readonly trees: number;
  readonly held_out: { readonly auc: number; readonly rows: number };
}

/** How far our scores of the stored labels are from those that LightGBM itself gave the exported rows. */
async function agreement(
  folder: string,
  model: string,
  predictions: { readonly id: readonly number[]; readonly raw: readonly number[] },
) {
  const { artefact } = readModel(model);
  const [read, score] = [inputReader(artefact), forestScorer(artefact.forest)];
  const expected = new Map(predictions.id.map((id, at) => [id, predictions.raw[at] as number]));
  const manifest: ExportManifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  let id = 0;
  let compared = 0;
  let furthest = 0;
  for (const month of manifest.months) {
    for await (const page of simulatedPages(ACCOUNT, month)) {
      for (const stored of page) {
        const theirs = expected.get(id++);
        if (theirs === undefined) continue;
        const row = labelledRow(stored);
        const vector = vectorOf(row);
        const observed = { observed: observedOf(row), account_id: ACCOUNT };
        furthest = Math.max(furthest, Math.abs(score(read(vector, observed, storedSignals(vector))) - theirs));
        compared++;
      }
    }
  }
  if (id !== manifest.rows) throw new Error(`${id} labels, but ${manifest.rows} exported rows`);
  return { compared, furthest };
}
