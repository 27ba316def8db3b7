import { type Attempt, WINDOW_MS, type Window } from '../../../shared/domain/entities/entity-history';
import { readHistory } from '../../../shared/store/entities/read-history';
import { DAY_MS, generator, live, newLife, ordinaryAttempt, START_MS } from '../../support/screening/live-through';

export const WINDOWS = Object.keys(WINDOW_MS) as Window[];

/** Days with a night, and now and then a burst: about 90 transactions per day. */
export function busyDays(seed: number, days: number): Attempt[] {
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

export interface Recount {
  /** Per window, how far the estimated count is from the recounted one, as a share of it. */
  readonly errors: readonly number[];
  readonly amountError: number;
}

/** Compares what windows tell in a week with a recount of every attempt, over the lives of some seeds. */
export function recountedWeek(seeds: number): Recount {
  const estimated = new Map<Window, number>();
  const recounted = new Map<Window, number>();
  const amounts = { estimated: 0, recounted: 0 };
  for (let seed = 1; seed <= seeds; seed++) {
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
  return {
    errors: WINDOWS.map((window) => (estimated.get(window) ?? 0) / (recounted.get(window) ?? 1) - 1),
    amountError: amounts.estimated / amounts.recounted - 1,
  };
}
