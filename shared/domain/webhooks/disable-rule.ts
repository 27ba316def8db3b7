/** An endpoint's failures since its last success. */
export interface EndpointHealth {
  readonly first_failure_at_ms: number | null;
  /** Failed attempts since then, including that one. */
  readonly failed_attempts: number;
}

export const HEALTHY: EndpointHealth = { first_failure_at_ms: null, failed_attempts: 0 };

export const DISABLE_AFTER_MS = 5 * 86_400_000;
export const DISABLE_AFTER_FAILURES = 20;

export const afterFailure = (health: EndpointHealth, atMs: number): EndpointHealth => ({
  first_failure_at_ms: health.first_failure_at_ms ?? atMs,
  failed_attempts: health.failed_attempts + 1,
});

/** One success clears all failures of an endpoint. */
export const afterSuccess = (): EndpointHealth => HEALTHY;

/**
 * Whether to give up on an endpoint: nothing but failures for 5 days, and at least 20 of them. One delivery alone
 * never gets there (10 attempts in about 3 days): it takes several messages over that time.
 */
export function isDead({ first_failure_at_ms, failed_attempts }: EndpointHealth, nowMs: number): boolean {
  if (first_failure_at_ms === null) return false;
  return nowMs - first_failure_at_ms >= DISABLE_AFTER_MS && failed_attempts >= DISABLE_AFTER_FAILURES;
}
