import { afterFailure, type DeliveryOutcome, type EndpointHealth, HEALTHY } from './retry-schedule';

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

/** At most this many deliveries to one endpoint are in flight at once, across all functions. */
export const MAX_IN_FLIGHT = 5;

/** At most this many slots are kept between deliveries: the others are always available to everyone. */
export const MAX_KEPT = 3;

/** As long as the function may run: a slot whose holder died becomes free by itself. */
export const SLOT_LEASE_MS = 30_000;

/** A delivery attempt takes at most 10.5 s, and then has to be recorded. */
export const DELIVERY_ATTEMPT_BUDGET_MS = 13_000;

/** How one endpoint is doing, shared by all senders. */
export interface EndpointState {
  readonly breaker: Breaker;
  readonly health: EndpointHealth;
  /** When each slot becomes free at the latest; 0 for a free one. */
  readonly slots: readonly number[];
  /** Incremented with every change of breaker and health. */
  readonly version: number;
}

export const FRESH_STATE: EndpointState = {
  breaker: CLOSED,
  health: HEALTHY,
  slots: Array.from({ length: MAX_IN_FLIGHT }, () => 0),
  version: 0,
};

/** Whether a change of the state succeeded, and the state now, so that nobody needs to read it again. */
export interface StateChange {
  readonly done: boolean;
  readonly state: EndpointState;
}

/** The right to make delivery attempts, as many at once as it holds slots. */
export interface Pass {
  readonly slots: readonly number[];
  readonly leaseUntilMs: number;
  readonly isProbe: boolean;
  readonly breaker: Breaker;
}

/** A pass, and the state that it was granted on. */
export interface GrantedPass {
  readonly before: EndpointState;
  readonly pass: Pass;
}

export type Entry =
  | { readonly kind: 'pass'; readonly pass: Pass }
  /** The breaker is open; retry within `spreadMs` after `untilMs`. */
  | { readonly kind: 'held'; readonly untilMs: number; readonly spreadMs: number }
  /** All slots are taken; `isSlow` if for so long that waiting for one is pointless. */
  | { readonly kind: 'busy'; readonly isSlow: boolean };

/** Endpoints that take longer are slow: their slots are neither waited for nor kept. */
const SLOW_MS = 1_000;
const MAX_SPREAD_MS = 6 * 3_600_000;

/** Asks for up to `wanted` slots. The store grants the pass on condition that the state has not changed since. */
export function enter(state: EndpointState, wanted: number, nowMs: number, random: () => number): Entry {
  const admission = admit(state.breaker, nowMs);
  if (admission.kind === 'wait') return { kind: 'held', untilMs: admission.untilMs, spreadMs: spreadOf(state, nowMs) };
  const free = state.slots.flatMap((until, slot) => (until <= nowMs ? [slot] : []));
  if (free.length === 0) {
    // The oldest may be kept between deliveries, so they do not show how long deliveries take.
    const oldestInUse = [...state.slots].sort((a, b) => a - b)[MAX_KEPT] ?? 0;
    return { kind: 'busy', isSlow: nowMs - (oldestInUse - SLOT_LEASE_MS) > SLOW_MS };
  }
  const isProbe = admission.kind === 'probe';
  // Starts at a random slot, so that concurrent senders do not all try the same one.
  const from = Math.floor(random() * free.length);
  const slots = [...free.slice(from), ...free.slice(0, from)].slice(0, isProbe ? 1 : wanted);
  const breaker = isProbe ? admission.breaker : state.breaker;
  return { kind: 'pass', pass: { slots, leaseUntilMs: nowMs + SLOT_LEASE_MS, isProbe, breaker } };
}

/** A pass that was taken, and the endpoint's state from then on. */
export interface TakenPass {
  readonly pass: Pass;
  readonly known: EndpointState;
}

/** Whether the lease of a pass leaves time for one more delivery attempt. */
export const lastsForAttempt = ({ leaseUntilMs }: Pass, nowMs: number): boolean =>
  nowMs + DELIVERY_ATTEMPT_BUDGET_MS < leaseUntilMs;

/** Whether an attempt suggests that the next ones will succeed soon too. */
export const isPrompt = ({ kind, duration_ms }: DeliveryOutcome): boolean =>
  kind === 'delivered' && duration_ms <= SLOW_MS;

/**
 * Whether a sender may keep its slots for the next deliveries, which then need no call to take them: if at most three are
 * in use, of an endpoint with a clean record. Of all that keep theirs, the last to take them saw those of the others: never
 * more than three are kept. The other two are for everyone else, and the lease ends by itself.
 */
export const mayKeep = ({ pass, known }: TakenPass, nowMs: number): boolean =>
  isClean(known) && lastsForAttempt(pass, nowMs) && known.slots.filter((until) => until > nowMs).length <= MAX_KEPT;

/** Whether a kept pass is wide enough for so many deliveries: each slot serves up to two, one after the other. */
export const isWideEnough = ({ slots }: Pass, deliveries: number): boolean => deliveries <= 2 * slots.length;

/**
 * Held deliveries come back spread over half the duration of the outage: one of them early enough to be the
 * probe, and none so often that a long outage costs more than it must (30 writes per delivery for a day).
 */
function spreadOf({ breaker, health }: EndpointState, nowMs: number): number {
  const outageMs = nowMs - (health.first_failure_at_ms ?? nowMs);
  return Math.min(Math.max(breaker.probe_delay_ms, outageMs) / 2, MAX_SPREAD_MS);
}

/** Whether an endpoint has a clean record. */
export const isClean = ({ breaker, health }: EndpointState): boolean =>
  breaker.failures === 0 && breaker.probe_at_ms === null && health.failed_attempts === 0;

/** The state after a delivery attempt. One success clears everything. */
export function after(
  state: EndpointState,
  outcome: DeliveryOutcome['kind'],
  wasProbe: boolean,
  endedAtMs: number,
): EndpointState {
  const breaker = afterDeliveryAttempt(state.breaker, outcome, wasProbe, endedAtMs);
  const health = outcome === 'delivered' ? HEALTHY : afterFailure(state.health, endedAtMs);
  return { ...state, breaker, health, version: state.version + 1 };
}
