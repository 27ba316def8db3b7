import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { contentVersion, decodeArtefact, encodeArtefact } from '../../../shared/domain/models/artefact-blob';
import { forestScorer } from '../../../shared/domain/models/forest';
import { importLightgbm } from '../../../shared/domain/models/import-lightgbm';
import type { ModelArtefact } from '../../../shared/domain/models/model-artefact';
import { openModel, RULES_FEATURE } from '../../../shared/domain/models/scoring-model';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { FEATURE_NAMES } from '../../../shared/domain/screening/features';
import { type SignalTrust, trustWeight } from '../../../shared/domain/screening/score';
import { screen } from '../../../shared/domain/screening/screen';
import { writeLightgbm } from '../../../training/engine/lightgbm/write-lightgbm';
import { train } from '../../../training/engine/trainer/train';
import { history, purchase } from '../../support/screening/build-history';
import { sized } from '../../support/sized';
import { arbitraryFacts } from '../screening/arbitrary-facts';

/** A small forest over two slots, the rules and two attribute columns; high values of each are fraud. */
function smallModel(role: ModelArtefact['calibration']['role'] = 'replace'): ModelArtefact {
  const featureNames = ['user_tx_10m', 'amount_ln_usd', RULES_FEATURE, 'attr_basket', 'attr_colour'];
  const rows = 400;
  const random = seededRandom(3);
  const values = Float32Array.from({ length: rows * 5 }, () => 10 * random());
  const labels = Uint8Array.from({ length: rows }, (_, row) =>
    Number([0, 1, 2, 3, 4].reduce((sum, f) => sum + (values[row * 5 + f] as number), 0) > 28),
  );
  const model = train({ featureNames, values, labels }, { settings: { num_iterations: 8, num_leaves: 6 } });
  const artefact = importLightgbm(writeLightgbm(model), {
    attributes: {
      columns: [
        { kind: 'number', feature: 'attr_basket', source: 'attributes.basket' },
        { kind: 'rate', feature: 'attr_colour', source: 'attributes.colour', codes: [[7, 9.5]] },
      ],
    },
    calibration: { slope: 0.9, intercept: -1, role },
  });
  return artefact;
}

describe('an artefact', () => {
  it('comes back from its blob as it was, wherever the bytes lie', () => {
    const artefact = smallModel();
    const blob = encodeArtefact(artefact);
    const shifted = new Uint8Array(blob.length + 3).subarray(3);
    shifted.set(blob);
    for (const bytes of [blob, shifted]) {
      const { forest, ...rest } = decodeArtefact(bytes);
      const { forest: trees, ...wanted } = artefact;
      expect(rest).toEqual(wanted);
      expect(forest.leafValues).toEqual(trees.leafValues);
      expect(forest.featureNames).toEqual(trees.featureNames);
    }
  });

  it('is refused when it is cut short, damaged or something else', () => {
    const blob = encodeArtefact(smallModel());
    expect(() => decodeArtefact(blob.subarray(0, 20))).toThrow('20 bytes');
    expect(() => decodeArtefact(blob.subarray(0, blob.length - 8))).toThrow('expected');
    fc.assert(
      fc.property(fc.nat(blob.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const damaged = Uint8Array.from(blob);
        damaged[at] = (damaged[at] as number) ^ flip;
        expect(() => decodeArtefact(damaged)).toThrow(/model artefact/);
      }),
      { numRuns: sized(200, 50) },
    );
  });

  it('is named by its content', () => {
    const { version, ...content } = smallModel();
    expect(contentVersion('lightgbm', content)).toBe(version);
    expect(contentVersion('lightgbm', { ...content, trust: { judged: { a: [1] } } })).not.toBe(version);
  });
});

describe('a model in a screening', () => {
  const facts = (basket: number, bucket: number) => ({
    ...purchase({ user: history(30, { within10m: 2 }) }, { amount: 400 }),
    observed: [
      { name: 'attributes.basket', bucket: 1, number: basket },
      { name: 'attributes.colour', bucket, number: Number.NaN },
    ],
  });

  it('reads slots, rules and attributes by name; a value never seen is missing', () => {
    const artefact = smallModel();
    const model = openModel(artefact);
    const { vector } = screen(facts(9, 7), DEFAULT_SETTINGS);
    const slot = (name: string) => vector[FEATURE_NAMES.indexOf(name as (typeof FEATURE_NAMES)[number])] as number;
    const raw = (basket: number, colour: number) =>
      forestScorer(artefact.forest)(Float32Array.of(slot('user_tx_10m'), slot('amount_ln_usd'), 0, basket, colour));
    const said = (basket: number, bucket: number) => {
      const opinion = model.opinion(vector, facts(basket, bucket), []);
      return (opinion.base_log_odds as number) + opinion.log_odds;
    };
    expect(said(9, 7)).toBeCloseTo(0.9 * raw(9, 9.5) - 1 + 1.9, 9);
    expect(said(9, 8)).toBeCloseTo(0.9 * raw(9, Number.NaN) - 1 + 1.9, 9);
    expect(said(Number.NaN, 7)).toBeCloseTo(0.9 * raw(Number.NaN, 9.5) - 1 + 1.9, 9);
  });

  it('says what moved the score most, with the figures', () => {
    const opinion = openModel(smallModel()).opinion(screen(facts(9, 7), DEFAULT_SETTINGS).vector, facts(9, 7), []);
    expect(opinion.detail).toMatch(/^Model: [^;_]+; [^;_]+$/);
  });

  it('says once what two features say alike', () => {
    const featureNames = ['device_age_days', 'user_device_seen'];
    const values = Float32Array.from({ length: 400 }, (_, at) => (Math.floor(at / 2) % 2 === 0 ? Number.NaN : 1));
    const labels = Uint8Array.from({ length: 200 }, (_, row) => Number(row % 2 === 0 || row % 9 === 0));
    for (let row = 0; row < 200; row += 4) values[2 * row] = 1;
    for (let row = 2; row < 200; row += 4) values[2 * row + 1] = 1;
    const forest = train({ featureNames, values, labels }, { settings: { num_iterations: 20, num_leaves: 4 } });
    const model = openModel(
      importLightgbm(writeLightgbm(forest), { calibration: { slope: 1, intercept: 0, role: 'replace' } }),
    );
    const nothing = screen(facts(1, 1), DEFAULT_SETTINGS).vector.map(() => Number.NaN);
    expect(model.opinion(nothing, facts(1, 1), []).detail).toBe('Model: no device data');
  });

  it('adds up exactly for any facts, in either role', () => {
    const models = [openModel(smallModel('replace')), openModel(smallModel('nudge'))];
    fc.assert(
      fc.property(arbitraryFacts, fc.constantFrom(...models), (any, model) => {
        const { risk_score, explanation, failed_signals } = screen(any, DEFAULT_SETTINGS, model);
        expect(explanation.contributions.reduce((sum, { points }) => sum + points, explanation.base)).toBe(risk_score);
        expect(failed_signals).toEqual([]);
      }),
      { numRuns: sized(1_000, 250) },
    );
  });

  it('made for other traffic moves a score by no more than 1.5 log-odds', () => {
    const model = openModel(smallModel('nudge'));
    fc.assert(
      fc.property(arbitraryFacts, (any) => {
        const { vector } = screen(any, DEFAULT_SETTINGS);
        expect(Math.abs(model.opinion(vector, any, []).log_odds)).toBeLessThanOrEqual(1.5);
      }),
      { numRuns: sized(300, 75) },
    );
  });
});

describe('a text model of LightGBM', () => {
  const text = (name: string) => readFileSync(join(__dirname, `../../fixtures/lightgbm/${name}.model.txt`), 'utf8');

  it('is refused when it asks for a feature that screening does not have', () => {
    expect(() => importLightgbm(text('numerical-nan'))).toThrow(/needs an unknown feature: /);
  });
});

describe('trust in signals', () => {
  it('falls with labels even where a signal never reaches the next step', () => {
    const trust: SignalTrust = { judged: { s: [9_000, 9_000, 9_000, 9_000, 9_000, 4_950, 0, 0] } };
    expect(trustWeight(trust, 's', 5.9)).toBeCloseTo(50 / (50 + 5.9 * 4_950), 9);
    // Louder than any that labels have judged.
    expect(trustWeight(trust, 's', 6)).toBe(1);
  });

  it('needs fewer labels the more a signal claims, and what it adds never falls as it grows louder', () => {
    const judged: SignalTrust = { judged: { s: [50, 50, 50, 50, 50] } };
    expect([0, 1, 2, 4].map((strength) => trustWeight(judged, 's', strength))).toEqual([1 / 2, 1 / 2, 1 / 3, 1 / 5]);
    const counts = fc
      .array(fc.nat(5000), { minLength: 1, maxLength: 8 })
      .map((list) => [...list].sort((a, b) => b - a));
    const strength = fc.double({ min: -9, max: 9, noNaN: true });
    fc.assert(
      fc.property(counts, strength, strength, (list, a, b) => {
        const trust: SignalTrust = { judged: { s: list } };
        const [low, high] = [a, b].sort((x, y) => Math.abs(x) - Math.abs(y)) as [number, number];
        const adds = (logOdds: number) => Math.abs(logOdds) * trustWeight(trust, 's', logOdds);
        expect(adds(high)).toBeGreaterThanOrEqual(adds(low) - 1e-12);
      }),
    );
  });
});
