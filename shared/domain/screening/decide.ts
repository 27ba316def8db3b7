import type { AccountSettings } from '../accounts/account';

export type Decision = 'allow' | 'review' | 'block';
export type RiskLevel = 'low' | 'elevated' | 'high';
export type Thresholds = Pick<AccountSettings, 'review_threshold' | 'block_threshold'>;

/** A score equal to a threshold has reached it. */
export function decide(riskScore: number, { review_threshold, block_threshold }: Thresholds): Decision {
  if (riskScore >= block_threshold) return 'block';
  return riskScore >= review_threshold ? 'review' : 'allow';
}

const LEVELS = { allow: 'low', review: 'elevated', block: 'high' } as const satisfies Record<Decision, RiskLevel>;

/** The level follows the account's thresholds, so that level and decision never contradict each other. */
export function riskLevel(riskScore: number, thresholds: Thresholds): RiskLevel {
  return LEVELS[decide(riskScore, thresholds)];
}
