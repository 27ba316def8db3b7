import { join } from 'node:path';
import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../../shared/domain/accounts/account';
import type { EntityHistory } from '../../../../shared/domain/entities/entity-history';
import { decodeArtefact, encodeArtefact } from '../../../../shared/domain/models/artefact-blob';
import { auc } from '../../../../shared/domain/models/evaluation/ranking-curve';
import { rowScorer, storedSignals } from '../../../../shared/domain/models/row-scorer';
import { openModel } from '../../../../shared/domain/models/scoring-model';
import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import { observedOf, rowOfLabel, type TrainingRow, vectorOf } from '../../../../shared/domain/models/training-row';
import { FEATURE_NAMES } from '../../../../shared/domain/screening/features';
import { PROBABILITY_SHIFT } from '../../../../shared/domain/screening/score';
import { screen } from '../../../../shared/domain/screening/screen';
import { packVector } from '../../../../shared/domain/screening/subjects/feature-vector-codec';
import { fitCalibration } from '../../../../training/engine/learn/fit-calibration';
import { sampleRows } from '../../../../training/engine/learn/sample-rows';
import type { TrainingResult, TrainModelOptions } from '../../../../training/engine/learn/train-model';
import { isRiskEvidence } from '../../../../training/engine/learn/training-matrix';
import { inAThread } from '../../../support/machine/in-a-thread';
import { sized } from '../../../support/sized';
import { arbitraryFacts, withFrauds } from '../../screening/arbitrary-facts';
import { type RuledRow, START_MS } from './labelled-by-a-rule';

const DAY_MS = 86_400_000;
const RULED = join(__dirname, 'labelled-by-a-rule.ts');

// Fewer and larger steps than ours, but not so few that a forest of 19 trees says .51 where .43 happens.
const options = {
  nowMs: START_MS + 30 * DAY_MS,
  source: 'labels',
  parent: { version: 'base-1', calibration: { slope: 0.25, intercept: 0, role: 'nudge' } },
  settings: { num_iterations: 150, learning_rate: 0.06 },
} as const;
const made = (count: number, seed: number): Promise<RuledRow[]> => inAThread(RULED, 'labelledByARule', count, seed);
const trained = (from: readonly TrainingRow[], given: TrainModelOptions): Promise<TrainingResult> =>
  inAThread(join(__dirname, '../../../../training/engine/learn/train-model.ts'), 'trainModel', from, given);

let rows: RuledRow[];
beforeAll(async () => {
  rows = await made(4_000, 8);
});

describe('a model trained from labels', () => {
  let training: TrainingResult;
  let artefact: TrainingResult['artefact'];
  beforeAll(async () => {
    training = await trained(rows, options);
    ({ artefact } = training);
  });

  it('says what it learnt from, and how good it was on what it had not seen', () => {
    const { card } = artefact;
    const fraud = rows.reduce((sum, { label }) => sum + label, 0);
    expect(card).toMatchObject({ source: 'labels', parent: 'base-1', labels: { fraud, legitimate: 4000 - fraud } });
    expect(card.window).toEqual({ from: '2026-01-01T00:00:00.000Z', to: expect.stringMatching(/^2026-01-03/) });
    expect(card.holdout).toMatchObject({ rows: 800 });
    // Most of the way from guessing to the rule itself: what the rule leaves to chance nobody can learn.
    const unseen = rows.slice(-800);
    const ideal = auc(
      unseen.map(({ risk }) => risk),
      Uint8Array.from(unseen, ({ label }) => label),
    );
    expect(ideal).toBeGreaterThan(0.8);
    expect(card.holdout?.auc).toBeGreaterThan(0.5 + 0.7 * (ideal - 0.5));
    expect(card.score_shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    expect(artefact.version).toMatch(/^model-20260131-[0-9a-f]{10}$/);
  });

  it('uses an attribute that nobody configured', () => {
    expect(artefact.attributes.columns.map(({ source }) => source)).toContain('attributes.box');
    expect(training.findings).toEqual([{ name: 'attributes.box', rows: 4000, values: 2, made: 'category' }]);
  });

  it('means the probabilities it says, before signals that labels have not judged add theirs', async () => {
    const model = openModel(artefact);
    const later = (await made(3_000, 99)).map((row) => {
      const vector = vectorOf(row);
      const said = model.opinion(vector, { observed: observedOf(row) }, storedSignals(vector));
      const logOdds = said.log_odds + (said.base_log_odds ?? Number.NaN) - PROBABILITY_SHIFT;
      return { probability: 1 / (1 + Math.exp(-logOdds)), label: row.label };
    });
    for (const [from, to] of [
      [0, 0.05],
      [0.05, 0.3],
      [0.3, 1],
    ] as const) {
      const band = later.filter(({ probability }) => probability >= from && probability < to);
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const [said, happened] = [mean(band.map((row) => row.probability)), mean(band.map((row) => row.label))];
      expect(band.length).toBeGreaterThan(50);
      expect(Math.abs(said - happened)).toBeLessThan(0.08);
    }
  });

  it('is the same once more, and comes back from its blob', async () => {
    const few = { ...options, settings: { ...options.settings, num_iterations: 30 } };
    const some = rows.slice(0, 1_500);
    const [once, again] = [await trained(some, few), await trained(some, few)];
    expect(again.artefact.version).toBe(once.artefact.version);
    expect(again.text).toBe(once.text);
    const opened = rowScorer(decodeArtefact(encodeArtefact(artefact)));
    const direct = rowScorer(artefact);
    for (const row of rows.slice(0, 50)) expect(opened(row)).toEqual(direct(row));
  });

  it('scores a stored row as screening scored it', () => {
    const model = openModel(artefact);
    const scoreOf = rowScorer(artefact);
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        const { risk_score, probability, vector } = screen(facts, DEFAULT_SETTINGS, model);
        const row = { vector: packVector(vector), label: 0, screened_at_ms: 0, labeled_at_ms: 0 } as const;
        expect(scoreOf(row)).toMatchObject({ risk_score, probability });
      }),
      { numRuns: sized(300, 75) },
    );
  });

  it('never lowers a score for a confirmed fraud, whichever window it falls into', () => {
    const model = openModel(artefact);
    const scoreWith = (facts: Parameters<typeof screen>[0]) => screen(facts, DEFAULT_SETTINGS, model).probability;
    fc.assert(
      fc.property(arbitraryFacts, fc.constantFrom('user', 'device', 'ip_history', 'attribute'), (facts, what) => {
        const { at_ms } = facts.attempt;
        const history = what === 'attribute' ? undefined : facts[what as 'user'];
        fc.pre(what === 'attribute' ? facts.attributes[0]?.history !== undefined : history !== undefined);
        const marked =
          what === 'attribute'
            ? {
                ...facts,
                attributes: facts.attributes.map((attribute, i) =>
                  i === 0 && attribute.history
                    ? { ...attribute, history: withFrauds(attribute.history, 1, at_ms) }
                    : attribute,
                ),
              }
            : { ...facts, [what]: withFrauds(history as EntityHistory, 1, at_ms) };
        expect(scoreWith(marked)).toBeGreaterThanOrEqual(scoreWith(facts) - 1e-12);
      }),
      { numRuns: sized(600, 150) },
    );
  });

  it('holds every feature that a fraud adds to never to lower a score', () => {
    const evidence = FEATURE_NAMES.filter((name) => name.includes('fraud'));
    expect(evidence.filter((name) => !isRiskEvidence(name))).toEqual([]);
    expect(['attr_fraud_rate_number', 'attr_fraud_share_rank'].filter(isRiskEvidence)).toEqual([]);
    // All that counts labels without a kind is left to reports.
    expect(artefact.forest.featureNames.filter((name) => /(^|_)labels_/.test(name) && !name.includes('fraud'))).toEqual(
      [],
    );
  });

  it('does without a holdout where there is too little fraud, and says so', async () => {
    const few = rows.filter(({ label }) => label === 0).slice(0, 300);
    const some = rows.filter(({ label }) => label === 1).slice(0, 20);
    const { artefact: small, heldOut } = await trained([...few, ...some], { nowMs: START_MS, source: 'labels' });
    expect(heldOut).toBeUndefined();
    expect(small.card.holdout).toBeNull();
    expect(rowScorer(small)(rows[0] as TrainingRow).risk_score).toBeGreaterThanOrEqual(0);
  });
});

describe('rows', () => {
  it('are sampled so that they stand for all of them', () => {
    const kept = sampleRows(rows, 1_000, 5);
    const weight = (label: 0 | 1) =>
      kept.filter((row) => row.label === label).reduce((sum, row) => sum + (row.weight ?? 1), 0);
    const count = (label: 0 | 1) => rows.filter((row) => row.label === label).length;
    expect(Math.abs(kept.length - 1_000)).toBeLessThan(80);
    expect(weight(1)).toBeCloseTo(count(1), 6);
    expect(Math.abs(weight(0) - count(0)) / count(0)).toBeLessThan(0.08);
    expect(sampleRows(rows, 10_000, 5)).toHaveLength(4_000);
  });

  it('come out of a stored label', () => {
    const [{ vector, observed }] = rows as unknown as [TrainingRow];
    expect(
      rowOfLabel({ vector, observed, label: 'fraud', screened_at_ms: 5, labeled_at: '1970-01-01T00:00:01.000Z' }),
    ).toEqual({ vector, observed, label: 1, screened_at_ms: 5, labeled_at_ms: 1000 });
  });
});

describe('calibration', () => {
  it('finds the line that the outcomes lie on, and hardly bends for a handful of rows', () => {
    const random = seededRandom(2);
    const said = Float64Array.from({ length: 20_000 }, () => 8 * random() - 6);
    const labels = said.map((value) => Number(random() < 1 / (1 + Math.exp(-(0.6 * value - 0.5)))));
    const line = fitCalibration(said, Uint8Array.from(labels), new Float64Array(said.length).fill(1));
    expect(line.slope).toBeCloseTo(0.6, 1);
    expect(line.intercept).toBeCloseTo(-0.5, 1);
    const few = fitCalibration([2, -2], Uint8Array.of(0, 1), [1, 1]);
    expect(few.slope).toBeGreaterThan(0.5);
  });
});
