import type { Caller } from '../../domain/accounts/account';
import { overviewSpan } from '../../domain/overview/overview-span';
import { type RuleMatchCounts, ruleMatchCounts, WEEK_MS } from '../../domain/rules/rule-match-counts';
import type { AccountOverviewDeps } from '../overview/account-overview';

export type CountMatchesDeps = Pick<AccountOverviewDeps, 'clock' | 'counts'>;

/** How often rules matched lately, in shadow or not: from the counters that the stream feeds, about a minute behind. */
export async function countMatches(
  { clock, counts }: CountMatchesDeps,
  { account_id }: Caller,
  names: readonly string[],
): Promise<RuleMatchCounts> {
  if (names.length === 0) return new Map();
  const nowMs = clock.now();
  return ruleMatchCounts(await counts.read(account_id, overviewSpan(nowMs - WEEK_MS, nowMs, nowMs)), names, nowMs);
}
