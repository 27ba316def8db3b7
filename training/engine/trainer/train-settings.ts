/** Settings with LightGBM's names and meanings; omitted ones have their default. */
export interface TrainSettings {
  readonly num_iterations: number;
  readonly learning_rate: number;
  readonly num_leaves: number;
  /** Not limited unless positive. */
  readonly max_depth: number;
  /** Bins per feature, including the one for missing values; at most 255. */
  readonly max_bin: number;
  readonly min_data_in_leaf: number;
  /** Whether those rows are estimated from hessians, as LightGBM does. @default they are counted */
  readonly rows_by_hessian?: boolean;
  readonly min_sum_hessian_in_leaf: number;
  readonly min_gain_to_split: number;
  readonly lambda_l2: number;
  /** Share of the features that each tree may use. */
  readonly feature_fraction: number;
  /** Share of the rows that each tree is grown on, redrawn every `bagging_freq` trees. */
  readonly bagging_fraction: number;
  /** 0 for never. */
  readonly bagging_freq: number;
  /** Weight of a row with label 1 against one with 0; probabilities are then no longer calibrated. */
  readonly scale_pos_weight: number;
  /** Per feature: 1 (never lowers the score as it rises), -1 (never raises it) or 0; empty for none. */
  readonly monotone_constraints: readonly number[];
  /** Stop after this many trees without improvement on the holdout; 0 for never. */
  readonly early_stopping_round: number;
  /** The metric that decides which is better on the holdout. */
  readonly metric: 'auc' | 'binary_logloss';
  readonly seed: number;
}

export const DEFAULT_TRAIN_SETTINGS: TrainSettings = {
  num_iterations: 100,
  learning_rate: 0.1,
  num_leaves: 31,
  max_depth: -1,
  max_bin: 255,
  min_data_in_leaf: 20,
  min_sum_hessian_in_leaf: 1e-3,
  min_gain_to_split: 0,
  lambda_l2: 0,
  feature_fraction: 1,
  bagging_fraction: 1,
  bagging_freq: 0,
  scale_pos_weight: 1,
  monotone_constraints: [],
  early_stopping_round: 0,
  metric: 'auc',
  seed: 0,
};

type Limit = readonly [keyof TrainSettings, (settings: TrainSettings, features: number) => boolean, string];

const LIMITS: readonly Limit[] = [
  ['num_iterations', (s) => isWhole(s.num_iterations, 1, 100_000), 'a whole number from 1'],
  ['learning_rate', (s) => s.learning_rate > 0 && s.learning_rate <= 10, 'above 0'],
  ['num_leaves', (s) => isWhole(s.num_leaves, 2, 32_768), 'a whole number from 2 to 32,768'],
  ['max_bin', (s) => isWhole(s.max_bin, 2, 255), 'a whole number from 2 to 255'],
  ['min_data_in_leaf', (s) => s.min_data_in_leaf >= 0, 'at least 0'],
  ['min_sum_hessian_in_leaf', (s) => s.min_sum_hessian_in_leaf >= 0, 'at least 0'],
  ['min_gain_to_split', (s) => s.min_gain_to_split >= 0, 'at least 0'],
  ['lambda_l2', (s) => s.lambda_l2 >= 0, 'at least 0'],
  ['feature_fraction', (s) => isShare(s.feature_fraction), 'above 0 and at most 1'],
  ['bagging_fraction', (s) => isShare(s.bagging_fraction), 'above 0 and at most 1'],
  ['bagging_freq', (s) => isWhole(s.bagging_freq, 0, 100_000), 'a whole number from 0'],
  ['scale_pos_weight', (s) => s.scale_pos_weight > 0 && s.scale_pos_weight < 1e9, 'above 0'],
  ['early_stopping_round', (s) => isWhole(s.early_stopping_round, 0, 100_000), 'a whole number from 0'],
  ['seed', (s) => isWhole(s.seed, -(2 ** 31), 2 ** 32 - 1), 'a whole number of 32 bits'],
  [
    'monotone_constraints',
    ({ monotone_constraints: signs }, features) =>
      signs.length === 0 || (signs.length === features && signs.every((sign) => [-1, 0, 1].includes(sign))),
    'empty, or -1, 0 or 1 for each feature',
  ],
];

const isWhole = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most;
const isShare = (value: number) => value > 0 && value <= 1;

/** Fills in defaults. @throws Error that names the invalid setting */
export function trainSettings(given: Partial<TrainSettings>, features: number): TrainSettings {
  const settings = { ...DEFAULT_TRAIN_SETTINGS, ...given };
  for (const [name, isRight, wanted] of LIMITS) {
    if (!isRight(settings, features)) throw new Error(`${name} must be ${wanted}, not ${String(settings[name])}`);
  }
  return settings;
}
