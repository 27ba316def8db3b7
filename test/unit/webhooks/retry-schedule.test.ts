import fc from 'fast-check';
import { retryAfterMs } from '../../../shared/domain/webhooks/retry-after';
import {
  type DeliveryFailure,
  MAX_DELIVERY_ATTEMPTS,
  nextStep,
  RETRY_DELAYS_MS,
} from '../../../shared/domain/webhooks/retry-schedule';
import { answered, BLOCKED, NETWORK, TIMEOUT, TLS } from './outcomes';

const NOW = Date.parse('2026-11-14T12:00:00.000Z');
const MIDDLE = () => 0.5;

const waitSeconds = (attempt: number, outcome: unknown, random = MIDDLE): number => {
  const step = nextStep({ attempt, outcome: outcome as DeliveryFailure, endedAtMs: NOW, random });
  return step.kind === 'retry' ? (step.atMs - NOW) / 1000 : Number.NaN;
};

it('the schedule is the documented one', () => {
  expect(RETRY_DELAYS_MS.map((ms) => ms / 1000)).toEqual([0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]);
  expect(MAX_DELIVERY_ATTEMPTS).toBe(10);
});

it('an always-500 receiver sees 10 attempts, every gap within ±20 %, counted from the end of the failed one', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), (stream) => {
      let endedAtMs = NOW;
      for (let attempt = 1; attempt <= 10; attempt += 1) {
        const random = () => stream.next().value as number;
        const step = nextStep({ attempt, outcome: answered(500) as DeliveryFailure, endedAtMs, random });
        if (attempt === 10) return expect(step).toEqual({ kind: 'exhausted' });
        if (step.kind !== 'retry') throw new Error(step.kind);
        const nominal = RETRY_DELAYS_MS[attempt] ?? Number.NaN;
        expect(Math.abs(step.atMs - endedAtMs - nominal)).toBeLessThanOrEqual(0.2 * nominal + 1);
        endedAtMs = step.atMs + 10_000;
      }
    }),
  );
});

it.each([
  ['500', answered(500)],
  ['302', answered(302)],
  ['TLS', TLS],
  ['a blocked address', BLOCKED],
  ['a refused connection', NETWORK],
])('%s waits as scheduled, with the whole width of the jitter', (_what, outcome) => {
  expect([0, 0.5, 1].map((dice) => waitSeconds(1, outcome, () => dice))).toEqual([4, 5, 6]);
  expect([0, 0.5, 1].map((dice) => waitSeconds(9, outcome, () => dice))).toEqual([69120, 86400, 103680]);
});

it.each([
  ['a time-out', TIMEOUT],
  ['429', answered(429)],
])('%s is not retried before 60 s, and later ones keep their schedule', (_what, outcome) => {
  expect([0, 0.5, 1].map((dice) => waitSeconds(1, outcome, () => dice))).toEqual([60, 66, 72]);
  expect([0, 0.5, 1].map((dice) => waitSeconds(2, outcome, () => dice))).toEqual([240, 300, 360]);
});

it.each([1, 5, 10])('410 in attempt %i gives the endpoint up', (attempt) => {
  const step = nextStep({ attempt, outcome: answered(410, '5') as DeliveryFailure, endedAtMs: NOW, random: MIDDLE });
  expect(step).toEqual({ kind: 'disable_endpoint' });
});

describe('Retry-After', () => {
  it.each([
    ['less than scheduled', { status: 503, attempt: 2, header: '60' }, 300],
    ['more than scheduled', { status: 503, attempt: 2, header: '400' }, 400],
    ['twice the schedule', { status: 503, attempt: 2, header: '600' }, 600],
    ['more than twice', { status: 503, attempt: 2, header: '601' }, 600],
    ['a year', { status: 503, attempt: 2, header: '31536000' }, 600],
    ['beside the 60 s of a 429', { status: 429, attempt: 1, header: '90' }, 90],
    ['at most twice the 60 s', { status: 429, attempt: 1, header: '3600' }, 120],
    ['after a short wait', { status: 503, attempt: 1, header: '8' }, 8],
    ['an HTTP date', { status: 503, attempt: 2, header: 'Sat, 14 Nov 2026 12:08:00 GMT' }, 480],
    ['a date gone by', { status: 503, attempt: 2, header: 'Sat, 14 Nov 2026 11:00:00 GMT' }, 300],
    ['nonsense', { status: 503, attempt: 2, header: 'soon' }, 300],
    ['a negative number', { status: 503, attempt: 2, header: '-5' }, 300],
  ])('%s (%j) waits %i s', (_what, { status, attempt, header }, seconds) => {
    expect(waitSeconds(attempt, answered(status, header))).toBe(seconds);
  });

  it('never shortens a wait, and never makes it more than twice as long', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(429, 500, 503),
        fc.oneof(fc.nat(2e6).map(String), fc.string()),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, status, header, dice) => {
          const plain = waitSeconds(attempt, answered(status), () => dice);
          const asked = waitSeconds(attempt, answered(status, header), () => dice);
          const nominal = Math.max((RETRY_DELAYS_MS[attempt] ?? 0) / 1000, status === 429 ? 60 : 0);
          expect(asked).toBeGreaterThanOrEqual(plain);
          expect(asked).toBeLessThanOrEqual(Math.max(plain, 2 * nominal));
        },
      ),
    );
  });

  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
    ['Sun Nov  6 08:49:37 1994', 37_000],
    [' 12 ', 12_000],
    ['0', 0],
    ['', undefined],
    ['1994', 1_994_000],
    ['12.5', undefined],
    ['99999999999', undefined],
    ['2026-11-14', undefined],
    ['Sun, 99 Nov 1994 08:49:37 GMT', undefined],
  ])('reads %j', (header, ms) => {
    expect(retryAfterMs(header, Date.parse('1994-11-06T08:49:00Z'))).toBe(ms);
  });
});
