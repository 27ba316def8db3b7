import { reviewsIn } from '../../../shared/domain/models/label-reviews';
import { modelIn } from '../../../shared/domain/models/registry-state';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import type { StoredLabel } from '../../../shared/domain/models/stored-label';
import { FEATURE_NAMES, featureSlot } from '../../../shared/domain/screening/features';
import { packVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import { memoryObjects } from '../../../shared/store/memory/memory-objects';
import { modelRegistry } from '../../../shared/store/models/model-registry';
import { runTraining, type TrainingDeps } from '../../../shared/usecases/models/run-training';
import { trainModel } from '../../../training/engine/learn/train-model';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 9, 1);
const EACH = 150;
const LATE = START + 0.9 * EACH * HOUR;
const ACCOUNTS = ['acc_1', 'acc_2', 'acc_late'];

/** Labels of an account, an hour apart; fraud is what no signal sees: amounts of about 70 dollars. */
function labelsOf(account: string): StoredLabel[] {
  const random = seededRandom(ACCOUNTS.indexOf(account) + 20);
  return Array.from({ length: EACH }, (_, i) => {
    const isFraud = random() < 0.35;
    const vector = new Float32Array(FEATURE_NAMES.length).fill(Number.NaN);
    vector[featureSlot('is_transaction')] = 1;
    vector[featureSlot('amount_ln_usd')] = isFraud ? 4.2 + 0.3 * random() : 1 + 7 * random();
    const at = START + i * HOUR;
    return {
      subject_id: `txn_${account}_${i}`,
      label: isFraud ? 'fraud' : 'legitimate',
      source: 'case',
      analyst_id: null,
      labeled_at: new Date(at).toISOString(),
      screened_at_ms: at,
      risk_score: 5,
      model_version: 'rules-1',
      feature_version: 1,
      vector: packVector(vector),
    };
  });
}

/** Trains like the service; the newest labels of `whose` move everything that is learned from them by so much. */
function trainerMovedBy(whose: string, shift: number): TrainingDeps['fit'] {
  return (rows, parent, nowMs, plan) => {
    const settings = { num_iterations: 20, learning_rate: 0.3 };
    const made = trainModel(rows, { nowMs, source: 'labels', parent, plan, settings });
    const isMoved = rows.some(
      ({ account_id, screened_at_ms, weight = 1 }) => account_id === whose && screened_at_ms >= LATE && weight > 0,
    );
    const { calibration } = made.artefact;
    const moved = { ...calibration, intercept: calibration.intercept + (isMoved ? shift : 0) };
    return { ...made, artefact: { ...made.artefact, calibration: moved } };
  };
}

async function train(fit: TrainingDeps['fit']) {
  const registry = modelRegistry(memoryObjects());
  const stored = new Map(ACCOUNTS.map((account) => [account, labelsOf(account)]));
  const report = await runTraining({
    stage: 'sandbox',
    clock: { now: () => START + EACH * HOUR },
    registry,
    labels: {
      accounts: async () => ACCOUNTS,
      storedInMonth: async (account, month) => (month === '2026-10' ? (stored.get(account) ?? []) : []),
    },
    tallies: { find: async () => ({ screened: 0, silent: 0, champion_stopped: 0, shadow_stopped: 0 }) },
    base: undefined,
    fit,
  });
  return { report, state: (await registry.state()).state };
}

/*
 * A model is compared on the newest labels before it learns from them. What starts in shadow has learned from them too:
 * somebody who labels honestly until the last day must not get past the examination.
 */
describe('the model that starts in shadow', () => {
  it('is refused when the newest labels of one account move the others, and those labels are held', async () => {
    const { report, state } = await train(trainerMovedBy('acc_late', 3));
    expect(report).toMatchObject({
      outcome: 'candidate_refused',
      detail: expect.stringMatching(/acc_late moves acc_[12] by/),
    });
    expect(modelIn(state, 'shadow')).toBeUndefined();
    expect(reviewsIn(state).map(({ whose, status }) => [whose, status])).toEqual([['acc_late', 'held']]);
  });

  it('is the one that was examined', async () => {
    const { report, state } = await train(trainerMovedBy('nobody', 3));
    expect(report.outcome).toBe('shadow_started');
    expect(modelIn(state, 'shadow')?.version).toBe(report.version);
  });
});
