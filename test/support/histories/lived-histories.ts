import { modelMetrics } from '../../../shared/domain/models/evaluation/model-metrics';
import { averagePrecision, rankingCurve } from '../../../shared/domain/models/evaluation/ranking-curve';
import { forestScorer } from '../../../shared/domain/models/forest';
import type { ModelCard } from '../../../shared/domain/models/model-artefact';
import { parseLightgbm } from '../../../shared/domain/models/parse-lightgbm';
import { EMPTY_TALLY, modelIn, type ShadowTally } from '../../../shared/domain/models/registry-state';
import { type RowScore, rowScorer } from '../../../shared/domain/models/row-scorer';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import type { StoredLabel } from '../../../shared/domain/models/stored-label';
import { rowOfLabel, type TrainingRow, vectorOf } from '../../../shared/domain/models/training-row';
import { holdOut } from '../../../shared/domain/models/training-rule';
import { FEATURE_NAMES, featureSlot } from '../../../shared/domain/screening/features';
import { packVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import { memoryObjects } from '../../../shared/store/memory/memory-objects';
import { modelRegistry } from '../../../shared/store/models/model-registry';
import { openArtefact } from '../../../shared/usecases/models/model-files';
import { runTraining, type TrainingDeps } from '../../../shared/usecases/models/run-training';
import { fitBounds } from '../../../training/engine/learn/fit-bounds';
import { fitCalibration } from '../../../training/engine/learn/fit-calibration';
import { featureGains } from '../../../training/engine/learn/select-features';
import { writeLightgbm } from '../../../training/engine/lightgbm/write-lightgbm';
import { train } from '../../../training/engine/trainer/train';

const DAY = 86_400_000;
const STEPS = 7;
const READ = ['amount_ln_usd', 'hour_utc'] as const;
const SLOTS = READ.map(featureSlot);
const SETTINGS = { num_iterations: 25, learning_rate: 0.25, num_leaves: 6, min_data_in_leaf: 10, lambda_l2: 2 };

/** How a history begins: of the first labels many are wrong, and a second kind of fraud comes later. */
function plotOf(seed: number) {
  const random = seededRandom(seed);
  const [share, wrong] = [0.2 + 0.15 * random(), 0.2 + 0.15 * random()];
  return { random, share, wrong, rightFrom: 1 + Math.floor(2 * random()), secondFrom: 2 + Math.floor(3 * random()) };
}

const grow = (rows: readonly TrainingRow[]) => {
  const values = Float32Array.from(rows.flatMap((row) => SLOTS.map((slot) => vectorOf(row)[slot] as number)));
  const data = { featureNames: READ, values, labels: Uint8Array.from(rows, ({ label }) => label) };
  const model = train(data, { settings: SETTINGS });
  const text = writeLightgbm(model);
  return { text, forest: parseLightgbm(text), features: featureGains(model) };
};

/** The trainer on the two features that matter here: hundreds of trainings in the time of one. */
const fit: TrainingDeps['fit'] = (rows, parent, nowMs) => {
  const { older, newest } = holdOut(rows, parent) ?? { older: rows, newest: [] };
  const before = grow(older);
  const logOddsOf = forestScorer(before.forest);
  const logOdds = Float64Array.from(newest, (row) =>
    logOddsOf(Float32Array.from(SLOTS, (slot) => vectorOf(row)[slot] as number)),
  );
  const labels = Uint8Array.from(newest, ({ label }) => label);
  const weights = new Float64Array(newest.length).fill(1);
  const line = fitBounds(fitCalibration(logOdds, labels, weights), { logOdds, labels, weights });
  const card: ModelCard = {
    source: 'labels',
    ...{ trained_at: new Date(nowMs).toISOString(), parent: parent?.version ?? null, window: null },
    ...{ rows: rows.length, labels: { fraud: 0, legitimate: 0 }, holdout: null, score_shares: [], monotone: {} },
    ...{ settings: {}, features: [] },
  };
  const made = (forest: typeof before, version: string) => ({
    ...{ version, forest: forest.forest, attributes: { columns: [] }, trust: { judged: {} } },
    ...{ calibration: { ...line, role: 'replace' as const }, card: { ...card, features: forest.features } },
  });
  const scoreOf = rowScorer(made(before, 'before'));
  const said: RowScore[] = newest.map(scoreOf);
  const all = grow(rows);
  const heldOut = {
    rows: newest,
    scores: Uint8Array.from(said, ({ risk_score }) => risk_score),
    probabilities: Float64Array.from(said, ({ probability }) => probability),
    expected: Float64Array.from(said, ({ model_probability = 0 }) => model_probability),
  };
  const artefact = made(all, `model-${rows.length}`);
  return {
    artefact: { ...artefact, card: { ...artefact.card, holdout: modelMetrics({ ...heldOut, labels }) } },
    text: all.text,
    heldOut,
  };
};

/**
 * A history of labels that come in step by step, with a training and a time in shadow after each, by production's rule: which
 * models were refused, which one was champion after each step, and the average precision of all on what none of them has seen.
 */
export async function livedHistory(seed: number) {
  const { random, share, wrong, rightFrom, secondFrom } = plotOf(seed);
  const registry = modelRegistry(memoryObjects());
  const stored: StoredLabel[] = [];
  let nowMs = Date.UTC(2026, 0, 1);
  let tally: ShadowTally = EMPTY_TALLY;

  function screened(step: number): StoredLabel {
    const isFraud = random() < share;
    const isSecond = isFraud && step >= secondFrom && random() < 0.5;
    const isWrong = step < rightFrom && random() < wrong;
    const vector = new Float32Array(FEATURE_NAMES.length).fill(Number.NaN);
    vector[featureSlot('is_transaction')] = 1;
    vector[SLOTS[0] as number] = isFraud && !isSecond ? 4.2 + 0.6 * random() : 1 + 7 * random();
    vector[SLOTS[1] as number] = isSecond ? 2 + 2 * random() : 24 * random();
    return {
      ...{ subject_id: `txn_${stored.length}`, label: isFraud !== isWrong ? 'fraud' : 'legitimate', source: 'case' },
      ...{ analyst_id: null, labeled_at: new Date(nowMs).toISOString(), screened_at_ms: nowMs, risk_score: 5 },
      ...{ model_version: 'rules-1', feature_version: 1, vector: packVector(vector) },
    };
  }

  function label(count: number, step: number): void {
    for (let i = 0; i < count; i++) {
      nowMs += DAY / 200;
      stored.push(screened(step));
    }
  }

  const deps: TrainingDeps = {
    stage: 'production',
    clock: { now: () => nowMs },
    registry,
    labels: {
      accounts: async () => ['acc_1'],
      storedInMonth: async (_account, month) =>
        stored.filter(({ screened_at_ms }) => new Date(screened_at_ms).toISOString().startsWith(month)),
    },
    tallies: { find: async () => tally },
    base: undefined,
    fit,
  };
  const refused: Array<{ version: string; step: number; why: string }> = [];
  const champions: Array<string | undefined> = [];
  let trained = 0;
  for (let step = 0; step < STEPS; step++) {
    label(Math.round(220 * 1.1 ** step), step);
    let report = await runTraining(deps);
    if (report.version !== null) trained++;
    if (report.outcome === 'shadow_started') {
      tally = { screened: 500, silent: 0, champion_stopped: 25, shadow_stopped: 30 };
      label(80, step);
      nowMs += 3 * DAY;
      report = await runTraining(deps);
    }
    if (report.outcome.endsWith('refused')) refused.push({ version: report.version ?? '', step, why: report.detail });
    champions.push(modelIn((await registry.state()).state, 'champion')?.version);
  }
  const fresh = Array.from({ length: 1_500 }, () => rowOfLabel(screened(STEPS)));
  const labels = Uint8Array.from(fresh, (row) => row.label);
  const precisionOf = async (version: string | undefined): Promise<number> => {
    const scoreOf = rowScorer(version === undefined ? undefined : await openArtefact(registry, version));
    const scores = fresh.map((row) => scoreOf(row).probability);
    return averagePrecision(rankingCurve({ scores, labels }));
  };
  return {
    seed,
    trained,
    champions: await Promise.all(champions.map(precisionOf)),
    refused: await Promise.all(
      refused.map(async ({ version, step, why }) => ({ step, why, precision: await precisionOf(version) })),
    ),
  };
}

export async function livedHistories(count: number) {
  const lived: Awaited<ReturnType<typeof livedHistory>>[] = [];
  for (let seed = 1; seed <= count; seed++) lived.push(await livedHistory(seed));
  return lived;
}
