import fc from 'fast-check';
import type { DeliveryOutcome } from '../../../shared/domain/webhooks/delivery-outcome';
import {
  cancel,
  claim,
  type DeliveryState,
  newDelivery,
  type Pending,
  postpone,
  queueDelayMs,
  type Result,
  settle,
  sweep,
  watchAtMs,
} from '../../../shared/domain/webhooks/delivery-state';
import { answered, BLOCKED, NETWORK, TIMEOUT, TLS } from './outcomes';

const NOW = Date.parse('2026-11-14T12:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();
const random = () => 0.5;

const claimed = (state: DeliveryState, seen: number, nowMs: number) => {
  const result = claim(state, seen, nowMs);
  if (result.kind !== 'claimed') throw new Error(result.why);
  return result.state;
};
const settled = (state: DeliveryState, result: Omit<Result, 'random'>) => {
  const settlement = settle(state, { ...result, random });
  if (settlement.kind !== 'settled') throw new Error(settlement.kind);
  return settlement;
};

describe('claiming', () => {
  it('takes the next attempt with a lease of 30 s, which is also when it is due again', () => {
    const lease_until = iso(NOW + 30_000);
    const state = { status: 'pending', attempt: 1, next_attempt_at: lease_until, lease_until };
    expect(claim(newDelivery(NOW), 0, NOW)).toEqual({ kind: 'claimed', state });
  });

  it('a duplicate message loses: during the attempt, after it, and after a crash', () => {
    const first = claimed(newDelivery(NOW), 0, NOW);
    expect(claim(first, 0, NOW + 1)).toEqual({ kind: 'lost', why: 'other_attempt' });
    expect(claim(first, 1, NOW + 29_999)).toEqual({ kind: 'lost', why: 'leased' });
    expect(claim(first, 0, NOW + 60_000)).toEqual({ kind: 'lost', why: 'other_attempt' });
    const done = settled(first, { attempt: 1, outcome: answered(200), endedAtMs: NOW + 50 }).state;
    expect(claim(done, 1, NOW + 60_000)).toEqual({ kind: 'lost', why: 'finished' });
  });

  it('the sweep gives an attempt whose sender died to another; the dead one’s late result loses', () => {
    const first = claimed(newDelivery(NOW), 0, NOW);
    // The hint of an early look arrives when the lease ends, and not before.
    expect(sweep(first, NOW + 10_000)).toBe('queue');
    expect(queueDelayMs(first, NOW + 10_000)).toBe(20_000);
    expect(queueDelayMs(first, NOW + 31_000)).toBe(0);
    const second = claimed(first, 1, NOW + 30_000);
    expect(second.attempt).toBe(2);
    const late = settle(second, { attempt: 1, outcome: answered(200), endedAtMs: NOW + 31_000, random });
    expect(late).toEqual({ kind: 'lost' });
  });

  it('waits for the due time, give or take the second that queues are inexact by', () => {
    const due = newDelivery(NOW);
    expect(claim(due, 0, NOW - 1_001)).toEqual({ kind: 'lost', why: 'not_due' });
    expect(claim(due, 0, NOW - 1_000).kind).toBe('claimed');
  });

  it('there is no eleventh attempt, not even after a crash in the tenth', () => {
    const tenth: DeliveryState = { status: 'pending', attempt: 10, next_attempt_at: iso(NOW), lease_until: iso(NOW) };
    expect(claim(tenth, 10, NOW)).toEqual({ kind: 'lost', why: 'exhausted' });
    expect(sweep(tenth, NOW)).toMatchObject({ status: 'failed', reason: 'attempts_exhausted', attempt: 10 });
  });
});

describe('settling', () => {
  const running = claimed(newDelivery(NOW), 0, NOW);

  it('a 2xx delivers', () => {
    const state = { status: 'delivered', attempt: 1, completed_at: iso(NOW + 50) };
    expect(settled(running, { attempt: 1, outcome: answered(204), endedAtMs: NOW + 50 })).toEqual({
      kind: 'settled',
      state,
      disableEndpoint: false,
    });
  });

  it.each([answered(500), answered(302), TLS, BLOCKED, NETWORK])(
    '%j waits 5 s from its end and frees the lease',
    (outcome) => {
      const { state } = settled(running, { attempt: 1, outcome, endedAtMs: NOW + 2_000 });
      expect(state).toEqual({ status: 'pending', attempt: 1, next_attempt_at: iso(NOW + 7_000), lease_until: null });
    },
  );

  it('410 fails it and gives the endpoint up', () => {
    const gone = settled(running, { attempt: 1, outcome: answered(410), endedAtMs: NOW });
    expect(gone).toMatchObject({ state: { status: 'failed', reason: 'endpoint_gone' }, disableEndpoint: true });
  });

  it('an always-500 receiver: ten attempts, then failed', () => {
    let state: DeliveryState = newDelivery(NOW);
    let attempts = 0;
    while (state.status === 'pending') {
      const dueMs: number = Date.parse(state.next_attempt_at);
      const running = claimed(state, state.attempt, dueMs);
      attempts += 1;
      state = settled(running, { attempt: attempts, outcome: answered(500), endedAtMs: dueMs + 100 }).state;
    }
    expect(attempts).toBe(10);
    expect(state).toMatchObject({ status: 'failed', attempt: 10, reason: 'attempts_exhausted' });
  });

  it('a result without a claim loses', () => {
    expect(settle(newDelivery(NOW), { attempt: 0, outcome: answered(200), endedAtMs: NOW, random }).kind).toBe('lost');
  });
});

describe('putting off and cancelling', () => {
  it('an open breaker costs no attempt, and never takes a delivery from its sender', () => {
    expect(postpone(newDelivery(NOW), NOW + 30_000, NOW)).toMatchObject({
      attempt: 0,
      next_attempt_at: iso(NOW + 30_000),
    });
    const running = claimed(newDelivery(NOW), 0, NOW);
    expect(postpone(running, NOW + 60_000, NOW + 1)).toBe(running);
  });

  it('ends what is pending, leased or not; no claim and no result follows', () => {
    for (const state of [newDelivery(NOW), claimed(newDelivery(NOW), 0, NOW)]) {
      const ended = cancel(state, 'endpoint_deleted', NOW);
      expect(ended).toMatchObject({ status: 'cancelled', reason: 'endpoint_deleted', attempt: state.attempt });
      expect(claim(ended, state.attempt, NOW + 60_000)).toEqual({ kind: 'lost', why: 'finished' });
      const late = settle(ended, { attempt: state.attempt, outcome: answered(500), endedAtMs: NOW, random });
      expect(late.kind).toBe('lost');
      expect(sweep(ended, NOW + 1e9)).toBe('leave');
    }
  });

  it('what is over stays as it is', () => {
    const done = settled(claimed(newDelivery(NOW), 0, NOW), {
      attempt: 1,
      outcome: answered(200),
      endedAtMs: NOW,
    }).state;
    expect(cancel(done, 'endpoint_disabled', NOW)).toBe(done);
    expect(postpone(done, NOW + 1, NOW)).toBe(done);
  });
});

describe('when the sweep looks', () => {
  const due = (inMs: number): Pending => ({
    status: 'pending',
    attempt: 3,
    next_attempt_at: iso(NOW + inMs),
    lease_until: null,
  });

  it('a minute after the hint should have arrived, and ever later the more often it had to', () => {
    expect(watchAtMs(due(0), NOW)).toBe(NOW + 60_000);
    expect(watchAtMs(due(900_000), NOW)).toBe(NOW + 960_000);
    // Overdue: counted from now on.
    expect(watchAtMs(due(-3_600_000), NOW)).toBe(NOW + 60_000);
    const graces = [0, 1, 2, 3, 4, 5, 50].map((requeues) => watchAtMs(due(0), NOW, requeues) - NOW);
    expect(graces).toEqual([60_000, 120_000, 240_000, 480_000, 960_000, 960_000, 960_000]);
  });

  it('five minutes ahead of a wait that no queue can keep', () => {
    expect(watchAtMs(due(900_001), NOW)).toBe(NOW + 900_001 - 300_000);
    expect(sweep(due(900_001), NOW)).toBe('leave');
    expect(sweep(due(300_000), NOW)).toBe('queue');
    expect(queueDelayMs(due(300_000), NOW)).toBe(300_000);
  });
});

it('two senders with any messages, crashes and clocks: attempts only grow, at most ten, never two at once, never lost', () => {
  const outcome = fc.constantFrom<DeliveryOutcome | 'crash'>(answered(500), answered(200), TIMEOUT, TLS, 'crash');
  const step = fc.record({ outcome, waitMs: fc.nat(200_000_000), stale: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let state: DeliveryState = newDelivery(NOW);
      let nowMs = NOW;
      for (const { outcome, waitMs, stale } of steps) {
        nowMs += waitMs;
        const before: DeliveryState = state;
        const taken = claim(before, stale ? before.attempt - 1 : before.attempt, nowMs);
        if (taken.kind === 'lost') {
          // Pending and unclaimed is always found by the sweep, sooner or later.
          if (before.status === 'pending') expect(sweep(before, Date.parse(before.next_attempt_at))).not.toBe('leave');
          continue;
        }
        expect(taken.state.attempt).toBe(before.attempt + 1);
        expect(taken.state.attempt).toBeLessThanOrEqual(10);
        expect(claim(taken.state, taken.state.attempt, nowMs + 10_500).kind).toBe('lost');
        state = taken.state;
        if (outcome === 'crash') continue;
        nowMs += outcome.duration_ms;
        state = settled(state, { attempt: taken.state.attempt, outcome, endedAtMs: nowMs }).state;
      }
    }),
    { numRuns: 500 },
  );
});
