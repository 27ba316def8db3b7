import { canonicalText } from '../entities/canonical-value';
import { toUsd } from '../screening/currency-rates';
import { CASE_LIFE_MS, claimAt, type ReviewCase } from './review-case';

export const CASE_SORTS = ['newest', 'score', 'amount', 'expires'] as const;

export type CaseSort = (typeof CASE_SORTS)[number];

/** Filters of a case search, in addition to status and age. */
export interface CaseCriteria {
  readonly user_id?: string | undefined;
  /** How the user's ID begins. */
  readonly user_prefix?: string | undefined;
  readonly assignee?: string | undefined;
  readonly resolved_by?: string | undefined;
  readonly signal?: string | undefined;
  readonly min_score?: number | undefined;
  readonly max_score?: number | undefined;
  /** In US dollars, at a rough rate. */
  readonly min_amount?: number | undefined;
  readonly subject_type?: ReviewCase['subject_type'] | undefined;
}

/** A slice of a day's cases, in order of creation. */
export interface CaseSlice {
  readonly beyond?: string | undefined;
  readonly limit: number;
  readonly isOldestFirst: boolean;
}

/** Whether a case matches. User IDs are compared in their canonical form, as everywhere. */
export function caseMatcher(criteria: CaseCriteria, nowMs: number): (reviewCase: ReviewCase) => boolean {
  const { assignee, resolved_by, signal, min_score = 0, max_score = 100, subject_type } = criteria;
  const user = criteria.user_id === undefined ? undefined : canonicalText(criteria.user_id);
  const { user_prefix: prefix, min_amount } = criteria;
  return (each) =>
    each.risk_score >= min_score &&
    each.risk_score <= max_score &&
    (subject_type === undefined || each.subject_type === subject_type) &&
    (signal === undefined || each.signals.includes(signal)) &&
    (assignee === undefined || claimAt(each, nowMs)?.assignee === assignee) &&
    (resolved_by === undefined || each.resolved_by === resolved_by) &&
    (user === undefined || canonicalText(each.user_id) === user) &&
    (prefix === undefined || each.user_id.startsWith(prefix)) &&
    (min_amount === undefined || caseRank('amount', each) >= min_amount);
}

/**
 * The sort key of a case: the larger comes first, among equals the newer. Amounts are compared in US dollars at a
 * rough rate; what has none, or one in an unknown currency, comes last.
 */
export function caseRank(sort: CaseSort, { risk_score, amount, currency, created_at_ms }: ReviewCase): number {
  switch (sort) {
    case 'newest':
      return created_at_ms;
    case 'expires':
      return -(created_at_ms + CASE_LIFE_MS);
    case 'score':
      return risk_score;
    case 'amount':
      return amount === undefined || currency === undefined ? -1 : (toUsd(Number(amount), currency) ?? -1);
    default:
      return sort satisfies never;
  }
}
