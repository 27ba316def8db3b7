import { seededRandom } from '../../../shared/domain/models/seeded-random';
import type { StoredLabel } from '../../../shared/domain/models/stored-label';
import { FEATURE_NAMES, featureSlot } from '../../../shared/domain/screening/features';
import { packVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import { memoryObjects } from '../../../shared/store/memory/memory-objects';
import { modelRegistry } from '../../../shared/store/models/model-registry';
import { readEvaluation } from '../../../shared/usecases/models/model-files';
import { runTraining } from '../../../shared/usecases/models/run-training';
import { trainModel } from '../../../training/engine/learn/train-model';
import { trainingPorts } from '../../support/stores/stored-labels';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ACCOUNTS = ['acc_1', 'acc_2', 'acc_3', 'acc_4'];
const STRANGER = 'acc_4';

/** The label that an account gives its i-th attempt. */
type Truth = (isFraud: boolean, i: number) => boolean;
const truthful: Truth = (isFraud) => isFraud;
const mostlyTruthful: Truth = (isFraud, i) => (i % 5 === 0 ? !isFraud : isFraud);

/** Four accounts label; fraud is what no signal sees: amounts of about 70 dollars. */
function shops() {
  const registry = modelRegistry(memoryObjects());
  const random = seededRandom(5);
  const stored = new Map<string, StoredLabel[]>(ACCOUNTS.map((id) => [id, []]));
  let nowMs = Date.UTC(2026, 9, 1);
  return {
    registry,
    run: () =>
      runTraining({
        stage: 'sandbox',
        clock: { now: () => nowMs },
        registry,
        ...trainingPorts(stored),
        base: undefined,
        // Nobody moves anybody here: with so few labels, a forest that learns from all would be refused for that alone.
        fit: (rows, parent, at, plan) =>
          trainModel(
            rows.map((row) => (row.account_id === STRANGER ? { ...row, weight: 0 } : row)),
            { ...{ nowMs: at, source: 'labels', parent, plan }, settings: { num_iterations: 20, learning_rate: 0.2 } },
          ),
      }),
    /** So many labels of every account within the given days; `truth` says what the last one calls fraud. */
    label: (days: number, each: number, truth: Truth) => {
      for (let i = 0; i < each; i++) {
        nowMs += Math.floor((days * DAY) / each);
        for (const [account, own] of stored) {
          const isFraud = random() < 0.35;
          const vector = new Float32Array(FEATURE_NAMES.length).fill(Number.NaN);
          vector[featureSlot('is_transaction')] = 1;
          vector[featureSlot('amount_ln_usd')] = isFraud
            ? 4.2 + 0.3 * random()
            : 1 + (random() < 0.4 ? 3.1 : 5) * random();
          vector[featureSlot('hour_utc')] = 24 * random();
          const says = account === STRANGER ? truth : truthful;
          own.push({
            subject_id: `txn_${account}_${own.length}`,
            label: says(isFraud, own.length) ? 'fraud' : 'legitimate',
            source: 'case',
            analyst_id: null,
            labeled_at: new Date(nowMs).toISOString(),
            screened_at_ms: nowMs,
            risk_score: 5,
            model_version: 'rules-1',
            feature_version: 1,
            vector: packVector(vector),
          });
        }
      }
    },
  };
}

async function teachersOf(registry: ReturnType<typeof shops>['registry'], version: string | null): Promise<string[]> {
  const { teaching } = (await readEvaluation(registry, version ?? '')) ?? {};
  return (teaching?.shares ?? []).map(({ account_id }) => account_id).sort();
}

describe('a first model', () => {
  it('is trained without an account whose labels the others explain clearly worse than usual, and says so', async () => {
    const { label, run, registry } = shops();
    label(20, 150, mostlyTruthful);
    const report = await run();
    const why = expect.stringMatching(/^the others' labels rank those of acc_4 with AUC 0\.[78]/);
    expect(report.outcome).toBe('shadow_started');
    expect(report.detail).toContain('won on the newest labels; without acc_4: the others');
    expect(report.held).toEqual([{ whose: STRANGER, status: 'left_out', labels: 150, found: why }]);
    expect(await teachersOf(registry, report.version)).toEqual(ACCOUNTS.filter((id) => id !== STRANGER));
    // Nothing waits for an operator: once there is a champion, later models have bounds of their own.
    expect((await registry.state()).state.label_reviews ?? []).toEqual([]);
    label(2, 60, truthful);
    expect(await run()).toMatchObject({ outcome: 'promoted', held: [] });
    label(2, 60, truthful);
    const next = await run();
    expect(next.held).toEqual([]);
    expect(await teachersOf(registry, next.version)).toEqual(ACCOUNTS);
  });

  it('learns from everybody where all label truthfully', async () => {
    const { label, run, registry } = shops();
    label(20, 150, truthful);
    const report = await run();
    expect(report).toMatchObject({ outcome: 'shadow_started', detail: 'won on the newest labels', held: [] });
    expect(await teachersOf(registry, report.version)).toEqual(ACCOUNTS);
  });
});
