import { type TrainedModel, train } from '../../../../training/engine/trainer/train';
import { makeRows } from './make-rows';

/** The model behind the fixture `ours`, trained again: every setting that leaves a mark in the text is in use. */
export function trainOurs(): TrainedModel {
  const rows = makeRows(1500, 11);
  const weights = Float64Array.from(rows.labels, (_, row) => 1 + (row % 2));
  const settings = {
    num_iterations: 9,
    num_leaves: 10,
    learning_rate: 0.2,
    monotone_constraints: [1, 0, -1, 0, 0, 0],
    feature_fraction: 0.8,
    bagging_fraction: 0.7,
    bagging_freq: 1,
    scale_pos_weight: 2,
    lambda_l2: 1,
    seed: 3,
  };
  return train({ ...rows, weights }, { settings });
}
