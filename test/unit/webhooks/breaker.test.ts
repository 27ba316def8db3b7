import fc from 'fast-check';
import { admit, afterDeliveryAttempt, type Breaker, CLOSED } from '../../../shared/domain/webhooks/breaker';

type Kind = Parameters<typeof afterDeliveryAttempt>[1];
const after = (...kinds: Kind[]): Breaker =>
  kinds.reduce((breaker, kind) => afterDeliveryAttempt(breaker, kind, false, 0), CLOSED);
const isOpen = (breaker: Breaker): boolean => breaker.probe_at_ms !== null;

it.each<[Kind[], boolean]>([
  [['refused', 'tls', 'network', 'blocked'], false],
  [['refused', 'tls', 'network', 'blocked', 'refused'], true],
  [['timeout', 'timeout'], false],
  [['timeout', 'timeout', 'timeout'], true],
  [['timeout', 'timeout', 'refused', 'timeout'], false],
  [['timeout', 'timeout', 'refused', 'timeout', 'timeout'], true],
  [['refused', 'refused', 'refused', 'refused', 'delivered', 'refused'], false],
  [['timeout', 'timeout', 'delivered', 'timeout', 'timeout'], false],
])('after %j it is open: %s', (kinds, open) => {
  expect(isOpen(after(...kinds))).toBe(open);
});

it('lets everything pass while closed and nothing until the probe', () => {
  expect(admit(CLOSED, 1e12)).toEqual({ kind: 'pass' });
  const open = after('timeout', 'timeout', 'timeout');
  expect(admit(open, 29_999)).toEqual({ kind: 'wait', untilMs: 30_000 });
  expect(admit(open, 30_000).kind).toBe('probe');
});

it('lets one probe pass, and another only if the first never reported', () => {
  const probe = admit(after('timeout', 'timeout', 'timeout'), 30_000);
  if (probe.kind !== 'probe') throw new Error(probe.kind);
  expect(admit(probe.breaker, 30_001)).toEqual({ kind: 'wait', untilMs: 60_000 });
  expect(admit(probe.breaker, 60_000).kind).toBe('probe');
});

it('probes at 30 s, doubling to 15 min, counted from the end of the failed probe', () => {
  const waits: number[] = [];
  let nowMs = 0;
  let breaker = after('timeout', 'timeout', 'timeout');
  for (let probe = 0; probe < 8; probe += 1) {
    const dueMs = breaker.probe_at_ms ?? Number.NaN;
    waits.push((dueMs - nowMs) / 1000);
    const admission = admit(breaker, dueMs);
    if (admission.kind !== 'probe') throw new Error(admission.kind);
    nowMs = dueMs + 10_000;
    breaker = afterDeliveryAttempt(admission.breaker, 'timeout', true, nowMs);
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
});

it('is not moved by failures that were in flight when it opened, and closed by any success', () => {
  const open = after('refused', 'refused', 'refused', 'refused', 'refused');
  const later = afterDeliveryAttempt(open, 'timeout', false, 5_000);
  expect([later.probe_at_ms, later.probe_delay_ms]).toEqual([open.probe_at_ms, open.probe_delay_ms]);
  expect(afterDeliveryAttempt(later, 'delivered', false, 6_000)).toEqual(CLOSED);
  expect(afterDeliveryAttempt(later, 'delivered', true, 6_000)).toEqual(CLOSED);
});

it('whatever happens: a success closes it, and an open one never lets two attempts pass within 30 s', () => {
  const step = fc.record({
    kind: fc.constantFrom<Kind>('delivered', 'refused', 'timeout', 'tls', 'network', 'blocked'),
    waitMs: fc.nat(1_000_000),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let breaker = CLOSED;
      let nowMs = 0;
      let lastProbeMs = Number.NEGATIVE_INFINITY;
      for (const { kind, waitMs } of steps) {
        nowMs += waitMs;
        const admission = admit(breaker, nowMs);
        if (admission.kind === 'wait') continue;
        if (admission.kind === 'probe') {
          expect(nowMs - lastProbeMs).toBeGreaterThanOrEqual(30_000);
          lastProbeMs = nowMs;
          breaker = admission.breaker;
        }
        breaker = afterDeliveryAttempt(breaker, kind, admission.kind === 'probe', nowMs);
        if (kind === 'delivered') {
          expect(breaker).toEqual(CLOSED);
          lastProbeMs = Number.NEGATIVE_INFINITY;
        }
        if (isOpen(breaker)) expect(breaker.probe_delay_ms).toBeLessThanOrEqual(900_000);
      }
    }),
  );
});
