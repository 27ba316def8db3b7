import { FraudScreeningError } from './errors';

/**
 * What a screening returns when the service cannot decide in time (timeout, no connection, 408, 429, 5xx after all
 * retries): `throw` the error, or proceed with `allow` or `review`. It never hides an invalid request (4xx).
 */
export type FailPolicy = 'throw' | 'allow' | 'review';

/** What the fail policy decided, because the service did not. It has no score, no signals and no id. */
export interface Fallback {
  readonly fallback: true;
  readonly decision: 'allow' | 'review';
  /** Why there is no decision of the service. */
  readonly error: FraudScreeningError;
  /** Screen again with this key when the service is back: if it had worked unseen, nothing counts twice. */
  readonly idempotencyKey: string;
}

/** An answer of the service, or a fallback where the policy allows one; `if (result.fallback)` tells them apart. */
export type OrFallback<Answer, Policy extends FailPolicy> = [Policy] extends ['throw']
  ? Answer
  : (Answer & { readonly fallback?: undefined }) | Fallback;

/** Runs a screening under a fail policy. */
export async function orFallback<Answer, Policy extends FailPolicy>(
  policy: Policy,
  idempotencyKey: string,
  screen: () => Promise<Answer>,
): Promise<OrFallback<Answer, Policy>> {
  try {
    return (await screen()) as OrFallback<Answer, Policy>;
  } catch (error) {
    if (policy === 'throw' || !(error instanceof FraudScreeningError) || !error.retryable) throw error;
    const fallback: Fallback = { fallback: true, decision: policy, error, idempotencyKey };
    return fallback as OrFallback<Answer, Policy>;
  }
}
