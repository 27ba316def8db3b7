import { reviewsIn } from '../../../../shared/domain/models/label-reviews';
import type { ModelArtefact } from '../../../../shared/domain/models/model-artefact';
import { championFor } from '../../../../shared/domain/models/registry-state';
import { rowScorer } from '../../../../shared/domain/models/row-scorer';
import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import type { StoredLabel } from '../../../../shared/domain/models/stored-label';
import { FEATURE_NAMES, featureSlot } from '../../../../shared/domain/screening/features';
import { packVector } from '../../../../shared/domain/screening/subjects/feature-vector-codec';
import { memoryObjects } from '../../../../shared/store/memory/memory-objects';
import { modelRegistry } from '../../../../shared/store/models/model-registry';
import { openArtefact } from '../../../../shared/usecases/models/model-files';
import { runTraining } from '../../../../shared/usecases/models/run-training';
import { trainModel } from '../../../../training/engine/learn/train-model';
import { trainingPorts } from '../../../support/stores/stored-labels';

const DAY = 86_400_000;
/** What fraud pays at each shop; the other sells that to honest people. */
const FRAUD_PAYS: Readonly<Record<string, number>> = { acc_shop: 70, acc_travel: 700 };

const vectorOf = (dollars: number) => {
  const vector = new Float32Array(FEATURE_NAMES.length).fill(Number.NaN);
  vector[featureSlot('is_transaction')] = 1;
  vector[featureSlot('amount_ln_usd')] = Math.log(dollars);
  return packVector(vector);
};

function platform(fraudPays = FRAUD_PAYS) {
  const registry = modelRegistry(memoryObjects());
  const random = seededRandom(3);
  const stored = new Map<string, StoredLabel[]>(Object.keys(FRAUD_PAYS).map((id) => [id, []]));
  let nowMs = Date.UTC(2026, 9, 1);
  return {
    label(days: number, each: Readonly<Record<string, number>>) {
      const last = nowMs + days * DAY;
      for (const [id, count] of Object.entries(each)) {
        const own = stored.get(id) as StoredLabel[];
        for (let i = 0; i < count; i++) {
          const isFraud = random() < 0.35;
          const at = nowMs + Math.floor(((i + 0.5) * days * DAY) / count);
          const paid = fraudPays[id] as number;
          const pays = isFraud ? paid : random() < 0.3 ? 49_000 / paid : 5;
          own.push({
            ...{ subject_id: `txn_${id}_${own.length}`, label: isFraud ? 'fraud' : 'legitimate', source: 'case' },
            ...{ analyst_id: null, labeled_at: new Date(at).toISOString(), screened_at_ms: at, risk_score: 5 },
            ...{ model_version: 'rules-1', feature_version: 1, vector: vectorOf(pays * (0.9 + 0.2 * random())) },
          });
        }
      }
      nowMs = last;
    },
    run: () =>
      runTraining({
        stage: 'sandbox',
        clock: { now: () => nowMs },
        registry,
        ...trainingPorts(stored),
        base: undefined,
        fit: (rows, parent, at, plan) =>
          trainModel(rows, {
            ...{ nowMs: at, source: 'labels', parent, plan },
            settings: { num_iterations: 20, learning_rate: 0.2 },
          }),
      }),
    state: async () => (await registry.state()).state,
    open: (version: string | null | undefined) => openArtefact(registry, version ?? ''),
  };
}

const scoreOf = (model: ModelArtefact, account_id: string, dollars: number) =>
  rowScorer(model)({ account_id, vector: vectorOf(dollars), label: 0, screened_at_ms: 0, labeled_at_ms: 0 }).risk_score;

describe('two accounts', () => {
  it('are taught apart, wait for nobody, and learn nothing from each other', async () => {
    const { label, run, state, open } = platform();
    label(20, { acc_shop: 400, acc_travel: 300 });
    const first = await run();
    expect(first).toMatchObject({ outcome: 'shadow_started', held: [] });
    const model = await open(first.version);
    expect(scoreOf(model, 'acc_shop', 70)).toBeGreaterThan(60);
    expect(scoreOf(model, 'acc_shop', 700)).toBeLessThan(30);
    expect(scoreOf(model, 'acc_travel', 700)).toBeGreaterThan(60);
    expect(scoreOf(model, 'acc_travel', 70)).toBeLessThan(30);
    expect(reviewsIn(await state())).toEqual([]);
    label(2, { acc_shop: 100, acc_travel: 80 });
    expect(await run()).toMatchObject({ outcome: 'promoted' });
  });

  it('have models that the labels of the other do not change', async () => {
    const [both, other] = [platform(), platform()];
    both.label(20, { acc_shop: 400, acc_travel: 300 });
    other.label(20, { acc_shop: 400, acc_travel: 260 });
    const [one, same] = [await both.open((await both.run()).version), await other.open((await other.run()).version)];
    for (const dollars of [5, 50, 70, 100, 700]) {
      expect(scoreOf(one, 'acc_shop', dollars)).toBe(scoreOf(same, 'acc_shop', dollars));
    }
  });

  it('have them although they agree: however much one labels, it changes no score of the other', async () => {
    const alike = { acc_shop: 70, acc_travel: 70 };
    const [both, other] = [platform(alike), platform({ ...alike, acc_travel: 75 })];
    both.label(20, { acc_shop: 400, acc_travel: 300 });
    other.label(20, { acc_shop: 400, acc_travel: 3_000 });
    const [one, same] = [await both.open((await both.run()).version), await other.open((await other.run()).version)];
    for (const dollars of [5, 50, 70, 100, 700]) {
      expect(scoreOf(one, 'acc_shop', dollars)).toBe(scoreOf(same, 'acc_shop', dollars));
    }
  });

  it('learn together while neither has enough for a model of its own', async () => {
    const { label, run, open } = platform({ acc_shop: 70, acc_travel: 70 });
    label(20, { acc_shop: 150, acc_travel: 150 });
    const { version, held } = await run();
    expect(held).toEqual([]);
    const model = await open(version);
    expect(model.audience).toHaveLength(2);
    for (const account of ['acc_shop', 'acc_travel']) expect(scoreOf(model, account, 70)).toBeGreaterThan(60);
  });

  it('go on one at a time: whoever gives no new labels keeps the model it has', async () => {
    const { label, run, state, open } = platform();
    label(20, { acc_shop: 400, acc_travel: 300 });
    await run();
    label(2, { acc_shop: 100, acc_travel: 30 });
    const { version } = await run();
    label(5, { acc_shop: 200 });
    const next = await run();
    expect(next).toMatchObject({ outcome: 'shadow_started', held: [] });
    const [before, after] = [await open(version), await open(next.version)];
    expect(championFor(await state(), 'sandbox')?.version).toBe(version);
    for (const dollars of [5, 70, 300, 700]) {
      expect(scoreOf(after, 'acc_travel', dollars)).toBe(scoreOf(before, 'acc_travel', dollars));
    }
  });

  it('need enough labels for a model of their own: whoever has too few waits, and the other does not', async () => {
    const { label, run, open } = platform();
    label(20, { acc_shop: 400, acc_travel: 80 });
    const first = await run();
    expect(first.outcome).toBe('shadow_started');
    expect(first.held).toMatchObject([{ whose: 'acc_travel', status: 'left_out', labels: 80 }]);
    const model = await open(first.version);
    expect(scoreOf(model, 'acc_shop', 70)).toBeGreaterThan(60);
    expect(scoreOf(model, 'acc_travel', 700)).toBe(scoreOf(model, 'acc_travel', 5));
    label(20, { acc_shop: 100, acc_travel: 400 });
    expect(await run()).toMatchObject({ outcome: 'promoted' });
    const later = await run();
    expect(later).toMatchObject({ outcome: 'shadow_started', held: [] });
    expect(scoreOf(await open(later.version), 'acc_travel', 700)).toBeGreaterThan(60);
  });
});
