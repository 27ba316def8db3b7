/** How far a delivery attempt got. */
export type DeliveryPhase = 'dns' | 'connect' | 'tls' | 'headers';

/**
 * How one delivery attempt ended. The status line decides: anything but a 2xx is a failure, including a redirect,
 * which is not followed.
 */
export type DeliveryOutcome =
  | ({ readonly kind: 'delivered' } & Answered)
  | ({ readonly kind: 'refused' } & Answered)
  | { readonly kind: 'timeout'; readonly phase: DeliveryPhase; readonly duration_ms: number }
  /** The URL, or an address that its name resolves to, is blocked. No socket was opened. */
  | { readonly kind: 'blocked'; readonly reason: string; readonly duration_ms: number }
  /** No trusted TLS 1.2+ session with the host in the URL; `reason` is a code such as CERT_HAS_EXPIRED. */
  | { readonly kind: 'tls'; readonly reason: string; readonly duration_ms: number }
  /** No response for another reason; `reason` is a code such as ENOTFOUND or ECONNREFUSED. */
  | { readonly kind: 'network'; readonly reason: string; readonly duration_ms: number };

interface Answered {
  readonly status_code: number;
  readonly duration_ms: number;
  /** The first 1 KB of the response as text, for a merchant who is looking for the cause. */
  readonly answer: string;
  readonly retry_after: string | null;
}

/** An endpoint's failures since its last success. */
export interface EndpointHealth {
  readonly first_failure_at_ms: number | null;
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
