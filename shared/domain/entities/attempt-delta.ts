import type { Attempt } from './entity-history';

/** Windows count dollar amounts up to a million: more would say nothing new and cost a byte in each bucket. */
const MOST_WINDOW_CENTS = 1e8;

/** US cents as windows and lifetime totals count them; 0 if the amount is unknown. */
export const windowCents = (attempt: Attempt): number =>
  attempt.amount_usd === undefined ? 0 : Math.min(MOST_WINDOW_CENTS, Math.round(attempt.amount_usd * 100));

export const isTransaction = (attempt: Attempt): boolean => attempt.action === 'transaction';

export const isFailedLogin = (attempt: Attempt): boolean => attempt.action === 'login' && attempt.outcome === 'failed';

/** Which of the eight three-hour slots of the UTC day a time falls into. */
export const hourBucket = (atMs: number): number => Math.floor((atMs % 86_400_000) / 10_800_000);

/** The currency under which a user's amount is kept; only three-letter codes are kept. */
export const amountCurrency = (attempt: Attempt): string | undefined =>
  attempt.amount !== undefined && attempt.currency?.length === 3 ? attempt.currency : undefined;
