import { contentVersion } from '../../shared/domain/models/artefact-blob';
import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import { parseLightgbm } from '../../shared/domain/models/parse-lightgbm';
import type { TrainingRow } from '../../shared/domain/models/training-row';
import { FULL_TRUST } from '../../shared/domain/screening/score';
import { featureGains } from '../engine/learn/select-features';
import { slice, trainingMatrix } from '../engine/learn/training-matrix';
import { writeLightgbm } from '../engine/lightgbm/write-lightgbm';
import { train } from '../engine/trainer/train';

/**
 * The features that the base model may use, and the direction in which each may move a score: only what means the same in
 * everyone's traffic. Nothing about crowds on an IP address (an office to one shop, a farm to the next), hours,
 * weekdays, countries or categories. Nothing either that an attempt makes known by being stopped, like the time since the last
 * password reset: what is missing counts as the riskiest value of a feature that lowers scores, so the attempt would help.
 */
const SENSE: ReadonlyArray<readonly [RegExp, 1 | -1]> = [
  [/^(amount_ln_usd|user_amount_surprise|(merchant_id|category)_amount_surprise)$/, 1],
  [/^(user|merchant_id|category)_amount_ratio$/, 1],
  [/^user_(tx_10m|tx_1h|tx_24h|burst_10m|burst_24h|amount_24h_usd)$/, 1],
  [/^device_(tx_10m|tx_1h|users|cards|failed_logins_1h)$/, 1],
  [/^user_(devices|cards|failed_logins_1h)$/, 1],
  [/^user_(device_seen|ip_seen|country_seen|card_seen|hour_share|tx_established|age_days)$/, -1],
  [/^device_age_days$/, -1],
  [/^attribute_age_days_min$/, -1],
  [/^(ip_hosting|ip_country_differs|travel_evidence)$/, 1],
  [/^(user|device|merchant_id|card_fingerprint|email)_fraud_(labels|share)(_30d)?$/, 1],
];

/** How much of the simulation's lessons applies outside it. */
const BELIEVED = 0.25;

const directionOf = (name: string): 1 | -1 | undefined => SENSE.find(([pattern]) => pattern.test(name))?.[1];

/** The model that ships: small, monotone in every feature it uses, and only a nudge to the signals' score. */
export function trainBaseModel(rows: readonly TrainingRow[], seed: number): ModelArtefact {
  const matrix = trainingMatrix(rows);
  const features = matrix.featureNames.flatMap((name, at) => (directionOf(name) === undefined ? [] : [at]));
  const names = features.map((at) => matrix.featureNames[at] as string);
  const monotone = names.map((name) => directionOf(name) as 1 | -1);
  const everything = Array.from(rows, (_, at) => at);
  const model = train(slice(matrix, everything, features), {
    settings: {
      num_iterations: 80,
      learning_rate: 0.1,
      num_leaves: 10,
      min_data_in_leaf: 60,
      lambda_l2: 10,
      feature_fraction: 0.4,
      monotone_constraints: monotone,
      seed,
    },
  });
  const fraud = rows.reduce((sum, { label }) => sum + label, 0);
  const { monotone_constraints: _, ...settings } = model.settings;
  const content: Omit<ModelArtefact, 'version'> = {
    forest: parseLightgbm(writeLightgbm(model)),
    attributes: { columns: [] },
    calibration: { slope: BELIEVED, intercept: 0, role: 'nudge' },
    trust: FULL_TRUST,
    card: {
      source: 'simulation',
      trained_at: null,
      parent: null,
      window: null,
      rows: rows.length,
      labels: { fraud, legitimate: rows.length - fraud },
      holdout: null,
      score_shares: [],
      features: featureGains(model),
      monotone: Object.fromEntries(names.map((name, i) => [name, monotone[i] as 1 | -1])),
      settings,
    },
  };
  return { version: contentVersion('base', content), ...content };
}
