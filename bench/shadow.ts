import { DEFAULT_SETTINGS } from '../shared/domain/accounts/account';
import { importLightgbm } from '../shared/domain/models/import-lightgbm';
import { openModel } from '../shared/domain/models/scoring-model';
import { seededRandom } from '../shared/domain/models/seeded-random';
import { extractFeatures, FEATURE_NAMES } from '../shared/domain/screening/features';
import { type ScoringModel, screen } from '../shared/domain/screening/screen';
import { writeLightgbm } from '../training/engine/lightgbm/write-lightgbm';
import { train } from '../training/engine/trainer/train';
import type { Measurement } from './support/measurement';
import { FRAUD, HONEST } from './support/stories';

const ROUNDS = 60;
const CALLS = 4_000;
const FACTS = [...HONEST, ...FRAUD].map(({ facts }) => facts);

/** A forest of the size that training makes, over thirty features. */
function model(seed: number): ScoringModel {
  const random = seededRandom(seed);
  const known = FACTS.map(extractFeatures);
  const featureNames = FEATURE_NAMES.filter((_, slot) => known.some((vector) => !Number.isNaN(vector[slot]))).slice(
    0,
    30,
  );
  const rows = 4_000;
  const values = Float32Array.from({ length: rows * featureNames.length }, () =>
    random() < 0.3 ? Number.NaN : 20 * random(),
  );
  const labels = Uint8Array.from({ length: rows }, () => Number(random() < 0.2));
  const settings = { num_iterations: 200, num_leaves: 31, learning_rate: 0.05 };
  return openModel(importLightgbm(writeLightgbm(train({ featureNames, values, labels }, { settings }))));
}

/** What a model in shadow adds to a screening, next to what the champion adds; in turns, the fastest round of each. */
export function run(): Measurement[] {
  const champion = model(1);
  const shadow = { version: 'shadow', model: model(2) };
  const ways = [
    () => FACTS.map((facts) => screen(facts, DEFAULT_SETTINGS)),
    () => FACTS.map((facts) => screen(facts, DEFAULT_SETTINGS, champion)),
    () => FACTS.map((facts) => screen(facts, DEFAULT_SETTINGS, champion, shadow)),
  ];
  const best = ways.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    ways.forEach((way, i) => {
      const start = performance.now();
      for (let call = 0; call < CALLS / ROUNDS; call++) way();
      best[i] = Math.min(best[i] as number, ((performance.now() - start) * 1000 * ROUNDS) / (CALLS * FACTS.length));
    });
  }
  const [alone, withChampion, withBoth] = best as [number, number, number];
  console.log(`signals alone           ${alone.toFixed(1)} µs`);
  console.log(`with a champion         ${withChampion.toFixed(1)} µs`);
  console.log(`with a shadow model     ${withBoth.toFixed(1)} µs`);
  const ratio = ((withBoth - withChampion) / (withChampion - alone)).toFixed(2);
  console.log(`the shadow costs ${ratio} × the champion`);
  return [{ what: 'shadow model × champion', found: ratio }];
}
