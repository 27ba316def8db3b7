import fc from 'fast-check';
import { afterFailure, afterSuccess, HEALTHY, isDead } from '../../../shared/domain/webhooks/disable-rule';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-14T00:00:00Z');
const failing = (times: number) =>
  Array.from({ length: times }).reduce<typeof HEALTHY>((h) => afterFailure(h, START), HEALTHY);

it.each([
  [19, 5 * DAY_MS, false],
  [20, 5 * DAY_MS - 1, false],
  [20, 5 * DAY_MS, true],
  [500, 4 * DAY_MS, false],
  [500, 6 * DAY_MS, true],
  [19, 90 * DAY_MS, false],
])('%i failures, %i ms after the first: dead is %s', (times, elapsedMs, dead) => {
  expect(isDead(failing(times), START + elapsedMs)).toBe(dead);
});

it('an endpoint that never failed is alive for ever', () => expect(isDead(HEALTHY, START + 999 * DAY_MS)).toBe(false));

it('hourly failures: disabled at 5 days, within the hour', () => {
  let health = HEALTHY;
  let atMs = START;
  while (!isDead(health, atMs)) {
    health = afterFailure(health, atMs);
    atMs += 3_600_000;
  }
  expect((atMs - START) / DAY_MS).toBeGreaterThanOrEqual(5);
  expect((atMs - START) / DAY_MS).toBeLessThanOrEqual(5 + 1 / 24);
});

it('never with a success inside the last 5 days', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(DAY_MS)), { maxLength: 200 }), (steps) => {
      let health = HEALTHY;
      let nowMs = START;
      let lastSuccessMs = Number.NEGATIVE_INFINITY;
      for (const [succeeds, waitMs] of steps) {
        nowMs += waitMs;
        health = succeeds ? afterSuccess() : afterFailure(health, nowMs);
        if (succeeds) lastSuccessMs = nowMs;
        if (nowMs - lastSuccessMs < 5 * DAY_MS) expect(isDead(health, nowMs)).toBe(false);
      }
    }),
  );
});
