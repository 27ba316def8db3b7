import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../shared/domain/models/seeded-random';
import type { StoredLabel } from '../shared/domain/models/stored-label';
import { packObserved } from '../shared/domain/screening/attributes/observed-codec';
import { FEATURE_NAMES, featureSlot } from '../shared/domain/screening/features';
import { packVector } from '../shared/domain/screening/subjects/feature-vector-codec';
import { subjectId } from '../shared/domain/screening/subjects/subject-id';
import { exportRows } from '../training/export/export-rows';
import { countingUlids } from '../training/replay/counting-ulids';
import type { Measurement } from './support/measurement';

/* Export of training rows, and LightGBM on them where Python has it: `npm run bench -- export`. */
const ROWS = 1_000_000;
const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 14);
const PAGE = 700;
const TRAIN = join(__dirname, '../training/python/train.py');
const TELLING = ['user_tx_10m', 'device_tx_1h', 'amount_ln_usd', 'hour_utc', 'ip_tx_1h'] as const;

/** Labels as the table's pages bring them, made one page at a time: two of three slots missing, 0 or 1; fraud in 3 of 100. */
async function* simulatedPages(_account: string, month: string): AsyncGenerator<StoredLabel[]> {
  const random = seededRandom(Date.parse(`${month}-01`) / DAY_MS);
  const newUlid = countingUlids();
  const slots = TELLING.map(featureSlot);
  const from = Math.max(Date.parse(`${month}-01`), NOW_MS - 175 * DAY_MS);
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + 1, 1);
  const until = Math.min(end.getTime(), NOW_MS - DAY_MS);
  const rows = Math.max(0, Math.round((ROWS * (until - from)) / (174 * DAY_MS)));
  let page: StoredLabel[] = [];
  for (let i = 0; i < rows; i++) {
    const vector = Float32Array.from(FEATURE_NAMES, () => {
      const draw = random();
      return draw < 0.4 ? Number.NaN : draw < 0.65 ? Math.round(random()) : Math.fround(10 * random());
    });
    let sum = 0;
    for (const slot of slots) {
      vector[slot] = 10 * random();
      sum += vector[slot] as number;
    }
    const screened_at_ms = Math.round(from + ((until - from) * i) / rows);
    page.push({
      subject_id: subjectId('transaction', newUlid(screened_at_ms)),
      label: sum > 7.2 * slots.length || random() < 0.01 ? 'fraud' : 'legitimate',
      source: 'case',
      analyst_id: null,
      labeled_at: new Date(screened_at_ms + DAY_MS).toISOString(),
      screened_at_ms,
      risk_score: 5,
      model_version: 'rules-1',
      feature_version: 6,
      vector: packVector(vector),
      observed: packObserved([
        { name: 'currency', bucket: Math.floor(5 * random()), number: Number.NaN },
        { name: 'attributes.channel', bucket: Math.floor(12 * random()), number: Number.NaN },
      ]),
    });
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

function bytesIn(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** Time, memory and size of an export, and whether memory grows with the rows. */
export async function run(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'export-bench-'));
  try {
    const start = performance.now();
    const before = process.cpuUsage();
    let tenth = 0;
    let peak = 0;
    const { rows } = await exportRows(
      {
        stage: 'sandbox',
        clock: { now: () => NOW_MS },
        labels: { accounts: async () => ['acc_1'], pagesInMonth: simulatedPages },
        reviews: [],
        parent: undefined,
        onPart: (done) => {
          peak = Math.max(peak, process.memoryUsage().rss);
          if (done <= ROWS / 10) tenth = peak;
        },
      },
      folder,
    );
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(before);
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
    console.log(
      `${rows} rows × ${FEATURE_NAMES.length} features: ${seconds.toFixed(0)} s, ${((user + system) / 1e6).toFixed(0)} s CPU, ${megabytes(bytesIn(folder))} of files`,
    );
    console.log(`memory: ${megabytes(tenth)} after a tenth of the rows, ${megabytes(peak)} at most`);
    const found = `${seconds.toFixed(0)} s, ${megabytes(peak)}`;
    const measurements: Measurement[] = [{ what: `export of ${rows} training rows`, found, aim: 'flat memory' }];
    return [...measurements, ...trainedElsewhere(folder)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The sample script on the same rows. */
function trainedElsewhere(folder: string): Measurement[] {
  if (spawnSync('python3', ['-c', 'import lightgbm, pyarrow']).status !== 0) {
    console.log('LightGBM: not run, python3 has no lightgbm and pyarrow here (pip install lightgbm pyarrow)');
    return [];
  }
  const start = performance.now();
  const printed = execFileSync('python3', [TRAIN, folder, '--out', join(folder, 'out')], { encoding: 'utf8' });
  const { held_out, trees } = JSON.parse(printed) as { held_out: { auc: number; rows: number }; trees: number };
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `LightGBM: ${trees} trees in ${seconds.toFixed(0)} s, AUC ${held_out.auc.toFixed(4)} on ${held_out.rows} rows`,
  );
  return [{ what: 'LightGBM on the export', found: `${seconds.toFixed(0)} s, AUC ${held_out.auc.toFixed(4)}` }];
}
