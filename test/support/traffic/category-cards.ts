import { DAY_MS, draws, lined, START_MS, type Timed, type TrafficLine } from './random-traffic';

/** Share of payments, usual amount, what a thief pays there (if he does), and the share of his payments. */
const CATEGORIES = [
  ['gas_transport', 0.1, 60, 12, 0.08],
  ['grocery_pos', 0.1, 85, 310, 0.24],
  ['home', 0.09, 45, 260, 0.03],
  ['shopping_pos', 0.09, 30, 880, 0.11],
  ['kids_pets', 0.09, 45, 20, 0.03],
  ['shopping_net', 0.08, 35, 1000, 0.23],
  ['entertainment', 0.07, 55, 480, 0.03],
  ['food_dining', 0.07, 45, 115, 0.02],
  ['personal_care', 0.07, 40, 25, 0.03],
  ['health_fitness', 0.07, 45, 20, 0.02],
  ['misc_pos', 0.06, 20, 210, 0.03],
  ['misc_net', 0.05, 25, 800, 0.12],
  ['grocery_net', 0.04, 50, 12, 0.02],
  ['travel', 0.03, 12, 9, 0.01],
] as const;

interface Payment {
  readonly name: string;
  readonly paid: number;
  readonly label: 0 | 1;
  /** @default any of 40 */
  readonly merchant?: number;
}

/**
 * Card payments with merchants and categories: thieves pay at night, in certain categories, amounts that are unusual
 * there, a dozen times within a day or two of one card.
 */
export function categoryCards(users: number, days: number, seed = 5): TrafficLine[] {
  const { next, below, chance, pick, amount, normal, exponential } = draws(seed);
  const timed: Timed[] = [];
  const category = (column: 1 | 4) => {
    let left = next();
    for (const row of CATEGORIES) {
      left -= row[column];
      if (left < 0) return row;
    }
    return CATEGORIES[0];
  };
  const pay = (user: string, at: number, { name, paid, label, merchant = below(40) }: Payment) =>
    timed.push({
      at,
      kind: 'transaction',
      label,
      body: {
        user_id: user,
        amount: Math.max(1, Math.round(100 * paid) / 100),
        currency: 'USD',
        payment_method: 'card',
        custom_attributes: { merchant_id: `${name} ${merchant}`, category: name, job: `job ${user.length % 7}` },
      },
    });
  for (let u = 0; u < users; u++) {
    const user = `card-${u}`;
    const perDay = 0.7 + 3 * next();
    const thrift = Math.exp(0.3 * normal());
    for (let at = START_MS + exponential(DAY_MS / perDay); at < START_MS + days * DAY_MS; ) {
      const [name, , usual] = category(1);
      const paid = amount(usual * thrift, name.endsWith('net') || name.endsWith('pos') ? 1.1 : 0.5);
      pay(user, at, { name, paid, label: 0 });
      at += exponential(DAY_MS / perDay);
    }
    // One card in four is stolen in a half year.
    for (let theft = 0; theft < days / 180; theft++) {
      if (!chance(0.25)) continue;
      const night = START_MS + below(days - 2) * DAY_MS + 22 * 3_600_000;
      for (let i = 0; i < 7 + below(6); i++) {
        const [name, , , stolen] = category(4);
        const hour = chance(0.85) ? 4.5 * next() : 16 * next();
        const at = night + (chance(0.4) ? DAY_MS : 0) + hour * 3_600_000;
        const paid = stolen * (1 + 0.06 * normal());
        pay(user, at, { name, paid, label: 1, merchant: pick([1, 2, 3, 5, 8]) });
      }
    }
  }
  return lined(timed, START_MS + 0.7 * days * DAY_MS);
}
