const DAYS = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTHS = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const CLOCK = String.raw`\d\d:\d\d:\d\d`;

/** The three formats that RFC 9110 requires a recipient to accept. Date.parse alone would also take '1' for a year. */
const HTTP_DATES: readonly RegExp[] = [
  new RegExp(String.raw`^${DAYS}, \d\d ${MONTHS} \d{4} ${CLOCK} GMT$`),
  new RegExp(String.raw`^\w{6,9}, \d\d-${MONTHS}-\d\d ${CLOCK} GMT$`),
  new RegExp(String.raw`^${DAYS} ${MONTHS} [ \d]\d ${CLOCK} \d{4}$`),
];

/** How long a `Retry-After` asks to wait, counted from `nowMs`; undefined if it cannot be parsed. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  // Only the asctime format has no zone, and would be read in this machine's.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait before each delivery attempt, from the end of the previous one; 75 h 35 min in total. */
export const RETRY_DELAYS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

export const MAX_DELIVERY_ATTEMPTS = RETRY_DELAYS_MS.length;

/** A wait is up to this much longer or shorter, so that the failures of one outage do not all come back at once. */
export const JITTER = 0.2;

/** A receiver that was too slow, or asked us to slow down, gets at least this long to recover. */
export const OVERLOAD_FLOOR_MS = MINUTE_MS;

export type DeliveryFailure = Exclude<DeliveryOutcome, { readonly kind: 'delivered' }>;

export interface FailedDeliveryAttempt {
  /** Which attempt failed, from 1. */
  readonly attempt: number;
  readonly outcome: DeliveryFailure;
  readonly endedAtMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export type NextStep =
  | { readonly kind: 'retry'; readonly atMs: number }
  | { readonly kind: 'exhausted' }
  /** 410 Gone: the receiver asks never to be called again. */
  | { readonly kind: 'disable_endpoint' };

/** The step after a failed attempt. TLS, network and address-guard failures wait exactly as long as a 500. */
export function nextStep({ attempt, outcome, endedAtMs, random }: FailedDeliveryAttempt): NextStep {
  if (outcome.kind === 'refused' && outcome.status_code === 410) return { kind: 'disable_endpoint' };
  const scheduledMs = RETRY_DELAYS_MS[attempt];
  if (scheduledMs === undefined) return { kind: 'exhausted' };

  // With the floor, jitter only adds: "not before 60 s" is a promise.
  const hasFloor = isOverload(outcome) && scheduledMs * (1 - JITTER) < OVERLOAD_FLOOR_MS;
  const nominalMs = hasFloor ? Math.max(scheduledMs, OVERLOAD_FLOOR_MS) : scheduledMs;
  const waitMs = hasFloor ? nominalMs * (1 + JITTER * random()) : nominalMs * (1 + JITTER * (2 * random() - 1));

  // A receiver may ask for more, up to twice the scheduled wait; it cannot ask for less, nor for a year.
  const asked = outcome.kind === 'refused' ? retryAfterMs(outcome.retry_after, endedAtMs) : undefined;
  const askedMs = Math.min(asked ?? 0, 2 * nominalMs);
  return { kind: 'retry', atMs: endedAtMs + Math.round(Math.max(waitMs, askedMs)) };
}

const isOverload = (outcome: DeliveryFailure): boolean =>
  outcome.kind === 'timeout' || (outcome.kind === 'refused' && outcome.status_code === 429);

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

/**
 * Whether to give up on an endpoint: nothing but failures for 5 days, and at least 20 of them. One delivery alone
 * never gets there (10 attempts in about 3 days): it takes several messages over that time.
 */
export function isDead({ first_failure_at_ms, failed_attempts }: EndpointHealth, nowMs: number): boolean {
  if (first_failure_at_ms === null) return false;
  return nowMs - first_failure_at_ms >= DISABLE_AFTER_MS && failed_attempts >= DISABLE_AFTER_FAILURES;
}
