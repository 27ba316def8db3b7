import { seededRandom } from '../shared/domain/models/seeded-random';
import { EMPTY_TALLY } from '../shared/domain/models/shadow-tally';
import type { StoredLabel } from '../shared/domain/models/stored-label';
import { FEATURE_NAMES, featureSlot } from '../shared/domain/screening/features';
import { packVector } from '../shared/domain/screening/subjects/feature-vector-codec';
import { memoryObjects } from '../shared/store/memory/memory-objects';
import { modelRegistry } from '../shared/store/models/model-registry';
import { runTraining } from '../shared/usecases/models/run-training';
import { trainModel } from '../training/engine/learn/train-model';
import type { Measurement } from './support/measurement';

const ROWS = 200_000;
const DAY_MS = 86_400_000;

/** Labels as the table holds them: half of the slots missing, fraud in 3 of 100, hidden in five of the features. */
function labels(nowMs: number): StoredLabel[] {
  const random = seededRandom(1);
  const telling = ['user_tx_10m', 'device_tx_1h', 'amount_ln_usd', 'hour_utc', 'ip_tx_1h'] as const;
  const slots = telling.map((name) => FEATURE_NAMES.indexOf(name as never)).filter((slot) => slot >= 0);
  return Array.from({ length: ROWS }, (_, i) => {
    const vector = Float32Array.from(FEATURE_NAMES, () => (random() < 0.5 ? Number.NaN : 10 * random()));
    vector[featureSlot('is_transaction')] = 1;
    let sum = 0;
    for (const slot of slots) {
      vector[slot] = 10 * random();
      sum += vector[slot] as number;
    }
    const screened_at_ms = nowMs - Math.round(((ROWS - i) / ROWS) * 170 * DAY_MS);
    return {
      subject_id: `txn_${i}`,
      label: sum > 7.2 * slots.length || random() < 0.01 ? 'fraud' : 'legitimate',
      source: 'case',
      analyst_id: null,
      labeled_at: new Date(screened_at_ms + DAY_MS).toISOString(),
      screened_at_ms,
      risk_score: 5,
      model_version: 'rules-1',
      feature_version: 1,
      vector: packVector(vector),
    } satisfies StoredLabel;
  });
}

/** How much of Lambda's 15 minutes and memory a training run needs at the maximum number of rows. */
export async function run(): Promise<Measurement[]> {
  const nowMs = Date.UTC(2026, 10, 14);
  const all = labels(nowMs);
  const byMonth = new Map<string, StoredLabel[]>();
  for (const label of all) {
    const month = new Date(label.screened_at_ms).toISOString().slice(0, 7);
    const others = byMonth.get(month);
    if (others) others.push(label);
    else byMonth.set(month, [label]);
  }
  let peak = 0;
  const watch = () => {
    peak = Math.max(peak, process.memoryUsage().rss);
    return true;
  };
  const before = process.cpuUsage();
  const report = await runTraining({
    stage: 'production',
    clock: { now: () => nowMs },
    registry: modelRegistry(memoryObjects()),
    labels: { accounts: async () => ['acc_1'], storedInMonth: async (_account, month) => byMonth.get(month) ?? [] },
    tallies: { find: async () => EMPTY_TALLY },
    base: undefined,
    fit: (rows, parent, at, plan) => trainModel(rows, { nowMs: at, parent, source: 'labels', onTree: watch, plan }),
  });
  const { user, system } = process.cpuUsage(before);
  watch();
  const seconds = (user + system) / 1e6;
  const bytes = all.reduce((sum, { vector }) => sum + vector.length + 250, 0);
  console.log(`${ROWS} labels of ${FEATURE_NAMES.length} features, ${(bytes / 1e6).toFixed(0)} MB in the table`);
  console.log(`outcome ${report.outcome}: ${report.detail}`);
  const found = `${seconds.toFixed(0)} s CPU, ${(peak / 1e6).toFixed(0)} MB`;
  console.log(`${found} (including the labels)`);
  return [{ what: `a training run on ${ROWS} labels`, found, aim: '< 15 min' }];
}
