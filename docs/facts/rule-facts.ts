import { TEACHING_RULE } from '../../shared/domain/models/account-shares';
import { allowedLoss } from '../../shared/domain/models/evaluation/account-gains';
import { DEPARTURE_RULE } from '../../shared/domain/models/label-departures';
import { PROMOTION_RULE } from '../../shared/domain/models/promotion-rule';
import { TRAINING_RULE } from '../../shared/domain/models/training-rule';
import { duration, type Fact, grouped } from './fact';

const page = 'docs/model-operations.md';
/** .005, as the page writes margins. */
const margin = (value: number): string => `${value}`.replace(/^0/, '');
const hours = (ms: number): string => `${ms / 3_600_000} hours`;

/** When a model is trained and promoted. */
export function ruleFacts(): Fact[] {
  const { least_labels, least_of_each, least_new, window_ms, most_rows } = TRAINING_RULE;
  return [
    { page, says: /\| enough labels \| (\d+) given by people/, value: `${least_labels}` },
    { page, says: /given by people, (\d+) of each kind/, value: `${least_of_each}` },
    { page, says: /\| enough new labels \| (\d+),/, value: `${least_new}` },
    { page, says: /\| window \| (\d+ days)/, value: duration(window_ms) },
    { page, says: /the newest ([\d,]+) rows/, value: grouped(most_rows) },
    { page, says: /with at least (\d+) of each kind/, value: `${PROMOTION_RULE.least_labels}` },
    { page, says: /\| enough labels \| (\d+) of each kind/, value: `${PROMOTION_RULE.least_labels}` },
    { page, says: /average precision up by ([\d.]+),/, value: margin(PROMOTION_RULE.average_precision_gain) },
    { page, says: /better in (\d+%) of \d+ paired resamples/, value: `${100 * PROMOTION_RULE.better_share}%` },
    { page, says: /AUC down by at most ([\d.]+) \| better at the top/, value: margin(PROMOTION_RULE.auc_loss) },
    { page, says: /calibration error up by at most ([\d.]+)/, value: margin(PROMOTION_RULE.calibration_error_rise) },
    { page, says: /AUC of no account .* down by more than chance \(([\d.]+) with 20/, value: margin(allowedLoss(20)) },
    { page, says: /with 20, ([\d.]+) with 125 or more/, value: margin(Number(allowedLoss(125).toFixed(3))) },
    { page, says: /moves another by more than (\d+) points/, value: `${PROMOTION_RULE.most_points_moved}` },
    { page, says: /No account weighs more than (\d+%)/, value: `${100 * TEACHING_RULE.most_share}%` },
    { page, says: /teaches from (\d+) labels of each kind/, value: `${TEACHING_RULE.least_of_each}` },
    { page, says: /from (\d+) teaching accounts on/, value: `${TEACHING_RULE.shared_from}` },
    { page, says: /departs by more than (\d+%) from the rest/, value: `${100 * DEPARTURE_RULE.most}%` },
    { page, says: /(\d+) labels that can be compared/, value: `${DEPARTURE_RULE.least_labels}` },
    { page, says: /AUC on those labels down by at most ([\d.]+)/, value: margin(PROMOTION_RULE.anchor_auc_loss) },
    { page, says: /In shadow: at least (\d+ hours)/, value: hours(TRAINING_RULE.shadow_least_ms) },
    { page, says: /hours, (\d+) live screenings/, value: `${TRAINING_RULE.shadow_least_screened}` },
    { page, says: /abandoned after (\d+ days)/, value: duration(TRAINING_RULE.shadow_most_ms) },
    { page: 'docs/runbook.md', says: /too few of them in (\d+ days)/, value: duration(TRAINING_RULE.shadow_most_ms) },
  ];
}
