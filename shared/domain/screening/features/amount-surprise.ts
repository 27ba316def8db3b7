import type { AmountStats } from '../../entities/entity-history';

/** Before anything is known about a payer: amounts within a factor of e (2.7) are ordinary. */
const PRIOR_SD_LOG = 1;
/** How many amounts the prior is worth: after 5 of the payer's own, half the spread is theirs. */
const PRIOR_WEIGHT = 5;

/**
 * How far an amount lies from what the statistics predict, in standard deviations of its
 * logarithm. It is a prediction, not a fit: one earlier amount says little, so the expected spread is
 * drawn towards the prior and widened by 1 + 1/n. Missing if there are no amounts.
 */
export function amountSurprise(lnAmount: number, stats: AmountStats | undefined): number {
  if (stats === undefined || stats.count < 1) return Number.NaN;
  const variance =
    (stats.count * stats.sd_log * stats.sd_log + PRIOR_WEIGHT * PRIOR_SD_LOG * PRIOR_SD_LOG) /
    (stats.count + PRIOR_WEIGHT);
  return (lnAmount - stats.mean_log) / Math.sqrt(variance * (1 + 1 / stats.count));
}
