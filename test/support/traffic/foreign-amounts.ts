import { DAY_MS, draws, lined, START_MS, type Timed, type TrafficLine } from './random-traffic';

/** A usual price in each currency; the last two exist no more, and have no rate. */
const CURRENCIES = [
  ['USD', 40],
  ['JPY', 5_500],
  ['HUF', 14_000],
  ['DEM', 80],
  ['ITL', 75_000],
] as const;
/** Thieves buy vouchers: a round amount in the currency that they are sold in. */
const VOUCHERS = { USD: 50, JPY: 5_000, HUF: 15_000, DEM: 100, ITL: 100_000 } as const;

/**
 * Purchases of people who never come back, in several currencies. What gives a fraud away is the amount in its own currency,
 * which rough rates to dollars blur and which has no dollars at all in currencies of the past.
 */
export function foreignAmounts(count: number, seed = 31): TrafficLine[] {
  const { next, below, chance, pick, amount } = draws(seed);
  const days = 100;
  const timed: Timed[] = Array.from({ length: count }, (_, i) => {
    const [currency, price] = pick(CURRENCIES);
    const label = chance(0.08) ? 1 : 0;
    // Fees come on top, so a voucher's price is not one number that an attribute could name.
    const paid = label === 1 ? VOUCHERS[currency] * (1 + 0.02 * next()) : amount(price, 0.8);
    return {
      at: START_MS + next() * days * DAY_MS,
      kind: 'transaction',
      label,
      body: {
        ...{ user_id: `guest-${i}`, amount: Math.round(100 * paid) / 100, currency, payment_method: 'card' },
        custom_attributes: { merchant_id: `shop-${below(20)}` },
      },
    };
  });
  return lined(timed, START_MS + 0.7 * days * DAY_MS);
}
