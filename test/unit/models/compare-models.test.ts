import { scoreShares } from '../../../shared/domain/models/evaluation/calibration';
import { importLightgbm } from '../../../shared/domain/models/import-lightgbm';
import type { ModelArtefact } from '../../../shared/domain/models/model-artefact';
import { rowScorer } from '../../../shared/domain/models/row-scorer';
import { FEATURE_NAMES, featureSlot } from '../../../shared/domain/screening/features';
import { RULES_VERSION } from '../../../shared/domain/screening/screen';
import { packVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import { aucOf, compareModels, fraudShare, healthOn, summaryOf } from '../../../shared/usecases/models/compare-models';
import type { LabelledRow } from '../../../shared/usecases/models/labelled-rows';
import { writeLightgbm } from '../../../training/engine/lightgbm/write-lightgbm';
import { train } from '../../../training/engine/trainer/train';

const START_MS = Date.UTC(2026, 2, 1);
const HOUR = 3_600_000;

/** A model that finds amounts above 100 dollars suspicious, and nothing else. */
function amountModel(): ModelArtefact {
  const values = Float32Array.from({ length: 200 }, (_, i) => Math.log(100) + (i - 99.5) / 10);
  const labels = Uint8Array.from(values, (value) => Number(value > Math.log(100)));
  const settings = { num_iterations: 10, num_leaves: 2, learning_rate: 0.5 };
  const text = writeLightgbm(train({ featureNames: ['amount_ln_usd'], values, labels }, { settings }));
  return importLightgbm(text, { calibration: { slope: 1, intercept: 0, role: 'replace' } });
}

/** Payments, an hour apart, of two accounts in turn; every fourth is fraud, and of a large amount. */
function rowsOf(count: number, change: (i: number) => Partial<LabelledRow> = () => ({})): LabelledRow[] {
  return Array.from({ length: count }, (_, i) => {
    const label = i % 4 === 0 ? 1 : 0;
    const vector = new Float32Array(FEATURE_NAMES.length).fill(Number.NaN);
    vector[featureSlot('is_transaction')] = 1;
    vector[featureSlot('amount_ln_usd')] = Math.log(label === 1 ? 500 : 20);
    const screened_at_ms = START_MS + i * HOUR;
    const known = { label, screened_at_ms, labeled_at_ms: screened_at_ms + HOUR } as const;
    const owner = { account: i % 2, account_id: `acc_${i % 2}` };
    return { subject_id: `txn_${i}`, ...owner, vector: packVector(vector), ...known, ...change(i) };
  });
}

const model = amountModel();

it('compares a model with the signals alone, on the same rows', () => {
  const { rows, champion, challenger, comparison, flips } = compareModels(rowsOf(80), undefined, model);
  expect(rows).toMatchObject({ fraud: 20, legitimate: 60, presumed: 0, accounts: 2 });
  expect([champion.version, challenger.version]).toEqual([RULES_VERSION, model.version]);
  expect(challenger.auc).toBe(1);
  expect(champion.auc).toBeLessThan(1);
  expect(comparison.auc_gain).toBeCloseTo(challenger.auc - champion.auc);
  expect(flips.furthest.every(({ subject_id }) => /^txn_\d+$/.test(subject_id))).toBe(true);
});

it('finds no difference between a model and itself, nor a decision that would change', () => {
  const { champion, challenger, comparison, flips } = compareModels(rowsOf(80), model, model);
  expect(champion).toEqual(challenger);
  expect(comparison).toMatchObject({ average_precision_gain: 0, auc_gain: 0, better_share: 0.5 });
  const moved = flips.table.filter((flip) => flip.champion !== flip.challenger);
  expect(moved.reduce((sum, { fraud, legitimate }) => sum + fraud + legitimate, 0)).toBe(0);
});

it('puts amounts at stake in dollars, by the weight of their rows', () => {
  const weighted = rowsOf(40, (i) => ({
    ...{ account: 0, account_id: 'acc_0' },
    ...(i % 4 === 0 ? {} : { presumed: true, weight: 64 }),
  }));
  const { thresholds, histogram } = compareModels(weighted, undefined, model).challenger;
  for (const { caught, missed, caught_usd, missed_usd, false_alarms, false_alarms_usd } of thresholds) {
    expect(caught + missed).toBe(10);
    expect(caught_usd + missed_usd).toBeCloseTo(10 * 500, 0);
    expect(false_alarms_usd).toBeCloseTo(false_alarms * 20, 0);
  }
  expect(histogram.reduce((sum, { legitimate }) => sum + legitimate, 0)).toBe(30 * 64);
});

it('ranks rows by a model; rows of one kind cannot be ranked', () => {
  expect(aucOf(rowsOf(40), model)).toBe(1);
  expect(
    aucOf(
      rowsOf(40, (i) => ({ label: i % 4 === 0 ? 0 : 1 })),
      model,
    ),
  ).toBe(0);
  expect(
    aucOf(
      rowsOf(40, () => ({ label: 0 })),
      model,
    ),
  ).toBeNaN();
});

it('measures the drift from the scores of the evaluation, where those are known', () => {
  const rows = rowsOf(40);
  const scores = Uint8Array.from(rows, (row) => rowScorer(model)(row).risk_score);
  const judgedOn = (score_shares: readonly number[]) => ({ ...model, card: { ...model.card, score_shares } });
  const shares = scoreShares(scores);
  expect(healthOn(rows, judgedOn(shares)).drift).toBeCloseTo(0);
  expect(healthOn(rows, judgedOn([...shares].reverse())).drift).toBeGreaterThan(0.25);
  expect(healthOn(rows, judgedOn([])).drift).toBeNaN();
  expect(healthOn(rows, undefined).drift).toBeNaN();
  expect(healthOn([], judgedOn(shares)).drift).toBeNaN();
});

it('says what a score means and whom it stops, by weight', () => {
  // Three in four are sampled and stand for many: little of this traffic is fraud.
  const rows = rowsOf(80, (i) => (i % 4 === 0 ? {} : { presumed: true, weight: 64 }));
  const { harm } = compareModels(rows, undefined, model);
  expect(harm.actual).toBe(20);
  expect(harm.fraud_share).toBeCloseTo(20 / (20 + 60 * 64));
  expect(harm.honest_stopped).toEqual({ champion: 0, challenger: 0 });
  expect(harm.expected.challenger).toBeGreaterThan(harm.expected.champion);
});

it('sums up rows by kind, account and span of time', () => {
  const rows = rowsOf(8, (i) => (i === 3 ? { presumed: true, weight: 64 } : {}));
  expect(summaryOf(rows)).toEqual({
    ...{ from: '2026-03-01T00:00:00.000Z', to: '2026-03-01T07:00:00.000Z' },
    ...{ fraud: 2, legitimate: 5, presumed: 1, accounts: 2 },
  });
  expect(summaryOf([])).toMatchObject({ from: '1970-01-01T00:00:00.000Z', fraud: 0, legitimate: 0, accounts: 0 });
});

it('takes the share of fraud from the traffic that the rows stand for', () => {
  expect(fraudShare(rowsOf(8))).toBe(0.25);
  expect(fraudShare(rowsOf(8, (i) => (i === 3 ? { presumed: true, weight: 93 } : {})))).toBe(0.02);
  expect(fraudShare([])).toBe(0);
});
