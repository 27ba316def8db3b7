import type { DeliveryOutcome } from './delivery-outcome';

/**
 * The breaker of one endpoint, so that a receiver that is down costs one request per probe and not one per delivery.
 *
 *          5 failures or 3 timeouts in a row             probe_at_ms reached: ONE attempt may pass
 *   closed ──────────────────────────────────► open ──────────────────────────────────► probing
 *      ▲                                         ▲          fails: wait doubles, 30 s … 15 min  │
 *      │                                         └───────────────────────────────────────────── ┤
 *      └────────────────────────────── any success ──────────────────────────────────────────── ┘
 *
 * There is no state for probing: letting the probe pass moves `probe_at_ms` forward, so nobody else passes, and a
 * prober that died is replaced when that time comes.
 */
export interface Breaker {
  readonly failures: number;
  readonly timeouts: number;
  /** When the next delivery attempt may pass; null while closed. */
  readonly probe_at_ms: number | null;
  /** The wait that the last probe was given; 0 while closed. */
  readonly probe_delay_ms: number;
}

export const CLOSED: Breaker = { failures: 0, timeouts: 0, probe_at_ms: null, probe_delay_ms: 0 };

export const FAILURES_TO_OPEN = 5;
export const TIMEOUTS_TO_OPEN = 3;
export const FIRST_PROBE_MS = 30_000;
export const LAST_PROBE_MS = 900_000;

export type Admission =
  | { readonly kind: 'pass' }
  /** This attempt is the probe. Store `breaker` on condition that `probe_at_ms` has not changed, then send. */
  | { readonly kind: 'probe'; readonly breaker: Breaker }
  /** Nothing is sent; the delivery is due again at this time. It has not used up a delivery attempt. */
  | { readonly kind: 'wait'; readonly untilMs: number };

/** Whether a delivery attempt may start now. */
export function admit(breaker: Breaker, nowMs: number): Admission {
  const { probe_at_ms, probe_delay_ms } = breaker;
  if (probe_at_ms === null) return { kind: 'pass' };
  if (nowMs < probe_at_ms) return { kind: 'wait', untilMs: probe_at_ms };
  // At least 30 s: longer than the 10.5 s that an attempt can take, so that two probes never overlap.
  return { kind: 'probe', breaker: { ...breaker, probe_at_ms: nowMs + probe_delay_ms } };
}

/** The breaker after a delivery attempt; `wasProbe` says whether `admit` let it pass as the probe. */
export function afterDeliveryAttempt(
  breaker: Breaker,
  outcome: DeliveryOutcome['kind'],
  wasProbe: boolean,
  nowMs: number,
): Breaker {
  if (outcome === 'delivered') return CLOSED;
  const failures = breaker.failures + 1;
  const timeouts = outcome === 'timeout' ? breaker.timeouts + 1 : 0;
  if (breaker.probe_at_ms === null) {
    const opens = failures >= FAILURES_TO_OPEN || timeouts >= TIMEOUTS_TO_OPEN;
    const wait = opens ? { probe_at_ms: nowMs + FIRST_PROBE_MS, probe_delay_ms: FIRST_PROBE_MS } : {};
    return { ...breaker, failures, timeouts, ...wait };
  }
  // Attempts that were in flight when it opened end late; only a failed probe is news.
  if (!wasProbe) return { ...breaker, failures, timeouts };
  const probe_delay_ms = Math.min(2 * breaker.probe_delay_ms, LAST_PROBE_MS);
  return { failures, timeouts, probe_at_ms: nowMs + probe_delay_ms, probe_delay_ms };
}
