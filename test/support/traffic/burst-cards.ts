import { DAY_MS, draws, lined, START_MS, type Timed, type TrafficLine } from './random-traffic';

const WEEK_MS = 7 * DAY_MS;
/** Frauds in a usual week, and in one in which a list of stolen cards is used up. */
const USUAL_FRAUDS = 7;
const BURST_FRAUDS = 40;
/** Weeks with a burst, from 0. */
export const BURST_WEEKS: readonly number[] = [5, 10, 16, 21];

/**
 * Guests who buy once, with a little fraud in most weeks and six times as much in some. Thieves spend more and prefer some
 * goods; many honest guests do the same, so nothing is certain, and how likely fraud is depends on how much of it there is.
 */
export function burstCards(perWeek: number, weeks: number, seed = 21): TrafficLine[] {
  const { next, below, chance, amount } = draws(seed);
  const timed: Timed[] = [];
  const buy = (week: number, label: 0 | 1) =>
    timed.push({
      at: START_MS + (week + next()) * WEEK_MS,
      kind: 'transaction',
      label,
      body: {
        user_id: `guest-${timed.length}`,
        amount: label === 1 ? amount(110, 0.5) : amount(35, 0.7),
        currency: 'EUR',
        payment_method: 'card',
        custom_attributes: { basket: `kind-${label === 1 && chance(0.6) ? below(3) : below(12)}` },
      },
    });
  for (let week = 0; week < weeks; week++) {
    for (let i = 0; i < perWeek; i++) buy(week, 0);
    for (let i = 0; i < (BURST_WEEKS.includes(week) ? BURST_FRAUDS : USUAL_FRAUDS); i++) buy(week, 1);
  }
  return lined(timed, START_MS);
}
