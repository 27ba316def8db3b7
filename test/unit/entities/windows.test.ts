import { live, newLife } from '../../../bench/support/live-through';
import { DAY_MS, generator, KINDS, ordinaryAttempt, START_MS } from '../../../bench/support/random-attempts';
import { type Attempt, WINDOW_MS, type Window } from '../../../shared/domain/entities/entity-history';
import { readHistory } from '../../../shared/store/entities/read-history';
import { readProfile } from '../../../shared/store/entities/read-profile';
import { touchUpdate } from '../../../shared/store/entities/touch-update';
import { applyUpdate } from '../../../shared/store/memory/apply-update';
import type { EntityItem } from '../../../shared/store/sdk/attribute-value';

jest.setTimeout(120_000);

const WINDOWS = Object.keys(WINDOW_MS) as Window[];

/** Days with a night, and now and then a burst: about 90 transactions a day. */
function busyDays(seed: number, days: number): Attempt[] {
  const random = generator(seed);
  const times: number[] = [];
  let atMs = START_MS;
  while (atMs < START_MS + days * DAY_MS) {
    atMs += Math.round(-Math.log(1 - random()) * 600_000);
    const daylight = 0.5 - 0.5 * Math.cos((2 * Math.PI * (atMs % DAY_MS)) / DAY_MS);
    if (random() > daylight) continue;
    const burst = random() < 0.03 ? 10 : 1;
    for (let n = 0; n < burst; n++) times.push(atMs + Math.round(n * 20_000 * random()));
  }
  return times
    .sort((a, b) => a - b)
    .map((at_ms, number) => ({
      ...ordinaryAttempt(random, number, at_ms),
      action: 'transaction' as const,
      amount: 10,
      currency: 'EUR',
      amount_usd: 1 + Math.round(random() * 10_000) / 100,
    }));
}

test('windowed counts and amounts of a simulated week are within 1 % of a recount', () => {
  const estimated = new Map<Window, number>();
  const recounted = new Map<Window, number>();
  const amounts = { estimated: 0, recounted: 0 };
  for (let seed = 1; seed <= 6; seed++) {
    // The first 30 days fill the longest window; the week after them is compared.
    const attempts = busyDays(seed, 37);
    const life = newLife('user');
    for (const [number, attempt] of attempts.entries()) {
      if (attempt.at_ms > START_MS + 30 * DAY_MS) {
        const { windows } = readHistory('user', life.item, attempt).transactions;
        for (const window of WINDOWS) {
          const inside = attempts.slice(0, number).filter((a) => a.at_ms > attempt.at_ms - WINDOW_MS[window]);
          estimated.set(window, (estimated.get(window) ?? 0) + windows[window].count);
          recounted.set(window, (recounted.get(window) ?? 0) + inside.length);
          amounts.estimated += windows[window].amount_usd;
          amounts.recounted += inside.reduce((sum, { amount_usd = 0 }) => sum + amount_usd, 0);
        }
      }
      live(life, attempt);
    }
  }
  const errors = WINDOWS.map((window) => (estimated.get(window) ?? 0) / (recounted.get(window) ?? 1) - 1);
  const figures = WINDOWS.map((window, at) => `${window} ${(100 * (errors[at] ?? 1)).toFixed(2)} %`);
  process.stdout.write(`relative error of windowed counts: ${figures.join(', ')}\n`);
  for (const error of errors) expect(Math.abs(error)).toBeLessThanOrEqual(0.01);
  expect(Math.abs(amounts.estimated / amounts.recounted - 1)).toBeLessThanOrEqual(0.01);
});

test.each(KINDS)('the order of arrival does not matter: %s', (kind) => {
  const attempts = busyDays(3, 7);
  const random = generator(8);
  // The first stays first: first_seen is that of the first arrival.
  const shuffled = attempts
    .map((attempt) => ({ attempt, place: attempt === attempts[0] ? -1 : random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ attempt }) => attempt);
  const endMs = (attempts.at(-1)?.at_ms ?? 0) + 1;
  const after = (order: readonly Attempt[]) =>
    readProfile(
      kind,
      order.reduce<EntityItem>((item, attempt) => applyUpdate(item, touchUpdate(kind, attempt)).item ?? item, {}),
      endMs,
    );
  const { transactions, distinct, amounts_by_currency, hours, countries } = after(attempts);
  expect(transactions.total).toBe(attempts.length);
  expect(after(shuffled)).toMatchObject({ distinct, amounts_by_currency, hours, countries });
  for (const window of WINDOWS) {
    expect(after(shuffled).transactions.windows[window].count).toBeCloseTo(transactions.windows[window].count, 6);
  }
});

test('an attempt leaves its window gradually, over one bucket', () => {
  const attempt = busyDays(1, 1)[0] as Attempt;
  const earlier = { ...attempt, attempt_id: 'txn_earlier', at_ms: attempt.at_ms - DAY_MS };
  const born = applyUpdate(undefined, touchUpdate('ip', earlier)).item;
  const item = applyUpdate(born, touchUpdate('ip', attempt)).item;
  const countAfter = (ms: number): number =>
    readHistory('ip', item, attempt.at_ms + ms).transactions.windows['10m'].count;
  expect(countAfter(0)).toBe(1);
  expect(countAfter(7 * 60_000)).toBe(1);
  expect(countAfter(10 * 60_000)).toBeGreaterThan(0);
  expect(countAfter(10 * 60_000)).toBeLessThan(1);
  expect(countAfter(12 * 60_000)).toBe(0);
});
