import { DAY_MS, draws, lined, START_MS, type Timed, type TrafficLine } from './random-traffic';

/**
 * Card payments at terminals, after the Fraud Detection Handbook: very high amounts are fraud, a terminal is compromised
 * for four weeks, and a card for two, in which a third of the payments are five times as high.
 */
export function terminalCards(users: number, terminals: number, days: number, seed = 3): TrafficLine[] {
  const { next, below, chance, pick, exponential, normal } = draws(seed);
  const spells = (count: number, share: number, length: number) =>
    Array.from({ length: count }, () => (chance(share) ? below(days) : Number.NaN)).map(
      (from) => (day: number) => day >= from && day < from + length,
    );
  const badTerminal = spells(terminals, 0.02 * (days / 28) * 2, 28);
  const badCard = spells(users, 0.02 * (days / 14), 14);
  const timed: Timed[] = [];
  for (let u = 0; u < users; u++) {
    const mean = 5 + 95 * next();
    const near = Array.from({ length: 30 }, () => below(terminals));
    const perDay = 0.5 + 3.5 * next();
    for (let at = exponential(DAY_MS / perDay); at < days * DAY_MS; at += exponential(DAY_MS / perDay)) {
      const day = Math.floor(at / DAY_MS);
      const terminal = pick(near);
      let amount = Math.max(0.5, mean + 0.5 * mean * normal());
      const isCard = badCard[u]?.(day) === true && chance(0.33);
      if (isCard) amount *= 5;
      const isFraud = isCard || amount > 220 || badTerminal[terminal]?.(day) === true;
      timed.push({
        at: START_MS + at,
        kind: 'transaction',
        label: isFraud ? 1 : 0,
        body: {
          user_id: `c${u}`,
          amount: Math.round(100 * amount) / 100,
          currency: 'EUR',
          payment_method: 'card',
          custom_attributes: { merchant_id: `t${terminal}` },
        },
      });
    }
  }
  return lined(timed, START_MS + 0.8 * days * DAY_MS);
}
