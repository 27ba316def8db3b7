import { DAY_MS, draws, lined, START_MS, type Timed, type TrafficLine } from './random-traffic';

interface Customer {
  readonly user: string;
  readonly device: string;
  readonly address: string;
  readonly label: 0 | 1;
}

/**
 * A web shop: people sign up and buy days later, on their own device and address, some in households and
 * offices. For a while bots sign up a dozen accounts on each of their devices and buy a second later.
 */
export function botShop(people: number, bots: number, seed = 7): TrafficLine[] {
  const { next, below, chance, pick, amount, exponential, ip } = draws(seed);
  const timed: Timed[] = [];
  const days = 120;
  const offices = Array.from({ length: 40 }, ip);
  const customer = (at: number, after: number, { user, device, address, label }: Customer) => {
    const attributes = {
      source: pick(['SEO', 'Ads', 'Direct']),
      browser: pick(['Chrome', 'Firefox', 'Safari', 'IE', 'Opera']),
      sex: pick(['M', 'F']),
      age: String(18 + below(50)),
    };
    const common = { user_id: user, ip_address: address, device_fingerprint: device, custom_attributes: attributes };
    timed.push({ at, kind: 'signup', label, body: common });
    const paid = Math.min(150, amount(35, 0.5));
    timed.push({ at: at + after, kind: 'transaction', label, body: { ...common, amount: paid, currency: 'USD' } });
  };
  for (let p = 0; p < people; p++) {
    const household = chance(0.1) ? `device-${below(people)}` : `device-${p}`;
    const address = chance(0.06) ? pick(offices) : ip();
    const at = START_MS + next() * days * DAY_MS;
    const person = { user: `user-${p}`, device: household, address, label: 0 } as const;
    customer(at, Math.max(60_000, exponential(40 * DAY_MS)), person);
  }
  for (let b = 0; b < bots; ) {
    const [device, address] = [`bot-${b}`, ip()];
    const start = START_MS + next() * 12 * DAY_MS;
    for (let i = 0; i < 5 + below(15); i++, b++) {
      customer(start + i * exponential(600_000), 1000, { user: `bot-${b}`, device, address, label: 1 });
    }
  }
  return lined(timed, START_MS);
}
