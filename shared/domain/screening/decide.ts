import type { AccountSettings } from '../accounts/account';

export type Decision = 'allow' | 'challenge' | 'review' | 'block';
export type RiskLevel = 'low' | 'elevated' | 'high';
export type Thresholds = Pick<AccountSettings, 'challenge_threshold' | 'review_threshold' | 'block_threshold'>;

/** A score equal to a threshold has reached it. Without a threshold for challenges, the score alone never asks for one. */
export function decide(
  riskScore: number,
  { challenge_threshold = 101, review_threshold, block_threshold }: Thresholds,
): Decision {
  if (riskScore >= block_threshold) return 'block';
  if (riskScore >= review_threshold) return 'review';
  return riskScore >= challenge_threshold ? 'challenge' : 'allow';
}

/** Whether an attempt was stopped. A challenged one may proceed: it is neither stopped nor simply allowed. */
export const isStopped = (decision: Decision): decision is 'review' | 'block' =>
  decision === 'review' || decision === 'block';

/** The level that goes with a decision. */
export const LEVELS = {
  allow: 'low',
  challenge: 'elevated',
  review: 'elevated',
  block: 'high',
} as const satisfies Record<Decision, RiskLevel>;

/** The level follows the account's thresholds, so that it never contradicts the decision of the score. */
export function riskLevel(riskScore: number, thresholds: Thresholds): RiskLevel {
  return LEVELS[decide(riskScore, thresholds)];
}
