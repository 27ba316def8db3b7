import { FALSE_POSITIVE_RATES } from './false-positive-rates';

/*
 * Amazon defines its scores by the share of legitimate events that reach them: 600 for one in ten, 900 for one in fifty.
 * Between and below these the score falls with the logarithm of that share, which is how Amazon's two points and
 * "0 for everything" lie; above 900 it rises to 1000 as the share falls to nothing.
 *
 *   share of legitimate events   100%   50%   25%   10%    5%    2%    1%   0.2%
 *   score                           0   181   361   600   729   900   950    990
 */
const TENTH = 0.1;
const FIFTIETH = 0.02;

/** Amazon's score for a share of legitimate events that score at least as high. */
export function insightScoreAt(rate: number): number {
  if (rate <= FIFTIETH) return 900 + 100 * (1 - rate / FIFTIETH);
  if (rate <= TENTH) return 600 + (300 * Math.log(TENTH / rate)) / Math.log(TENTH / FIFTIETH);
  return 600 * Math.log10(1 / Math.min(1, rate));
}

/** A risk score from 0 to 100 as Amazon's 0 to 1000, by the measured false positives. */
export function insightScore(riskScore: number, rates: readonly number[] = FALSE_POSITIVE_RATES): number {
  const at = Math.min(100, Math.max(0, Math.round(riskScore)));
  return Math.round(insightScoreAt(rates[at] ?? 0));
}

/** The lowest risk score whose counterpart reaches Amazon's; 101 if none does. */
export function riskScoreReaching(insight: number, rates: readonly number[] = FALSE_POSITIVE_RATES): number {
  for (let score = 0; score <= 100; score++) if (insightScore(score, rates) >= insight) return score;
  return 101;
}
