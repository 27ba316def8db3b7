import { DAY_MS, draws, lined, START_MS, type Timed, type TrafficLine } from './random-traffic';

const HOUR_MS = 3_600_000;

/**
 * Customers with their own device, card and address. Every third has their account taken over once, from a
 * device and an address that nobody knows, and goes on paying as before: a victim, not a culprit.
 */
export function stolenAccounts(people: number, weeks: number, seed = 41): TrafficLine[] {
  const { next, below, chance, pick, amount, exponential, ip } = draws(seed);
  const end = START_MS + weeks * 7 * DAY_MS;
  const timed: Timed[] = [];
  for (let p = 0; p < people; p++) {
    const person = { user_id: `user-${p}`, usual: amount(45, 0.5), shops: [below(50), below(50), below(50)] };
    const own = { device: `device-${p}`, address: ip() };
    const pay = (at: number, paid: number, { device, address }: typeof own, label: 0 | 1) =>
      timed.push({
        at,
        kind: 'transaction',
        label,
        body: {
          user_id: person.user_id,
          amount: Math.max(1, Math.round(100 * paid) / 100),
          currency: 'EUR',
          payment_method: 'card',
          ip_address: address,
          device_fingerprint: device,
          custom_attributes: { merchant_id: `shop-${pick(person.shops)}`, email: `${person.user_id}@mail.example` },
        },
      });
    const perDay = 0.2 + 0.4 * next();
    for (let at = START_MS + exponential(DAY_MS / perDay); at < end; at += exponential(DAY_MS / perDay)) {
      pay(at, amount(person.usual, 0.4), own, 0);
    }
    if (!chance(1 / 3)) continue;
    const theft = START_MS + (2 + next() * (weeks - 3)) * 7 * DAY_MS;
    const stolen = { device: `thief-${p}`, address: ip() };
    for (let i = 0; i < 2 + below(3); i++) {
      pay(theft + i * exponential(2 * HOUR_MS), person.usual * (2 + 5 * next()), stolen, 1);
    }
  }
  return lined(timed, START_MS);
}
