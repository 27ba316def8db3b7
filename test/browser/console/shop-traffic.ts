import { seededRandom } from '../../../shared/domain/models/seeded-random';

/* Two weeks of a shop, made up but plausible: regular customers, some of them odd, and attackers of several kinds. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A call of the API at a time, counted from the start. */
export interface Attempt {
  readonly atMs: number;
  readonly path: '/v1/transactions/screen' | '/v1/events';
  readonly body: Readonly<Record<string, unknown>>;
  readonly isFraud: boolean;
}

function dice(seed: number) {
  const next = seededRandom(seed);
  return {
    next,
    between: (low: number, high: number) => low + next() * (high - low),
    whole: (low: number, high: number) => Math.floor(low + next() * (high - low + 1)),
    pick: <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T,
  };
}

const LOCATIONS = [
  { country: 'DE', ip: '91.0.', currency: 'EUR' },
  { country: 'FR', ip: '90.0.', currency: 'EUR' },
  { country: 'US', ip: '73.10.', currency: 'USD' },
  { country: 'GB', ip: '86.1.', currency: 'GBP' },
] as const;
const CLOUD = '52.94.';
const ABROAD = ['41.58.', '177.32.', '49.36.'] as const;

const CUSTOMERS = 70;
const ATTACKS = 34;

/** All attempts, in the order of time. */
export function shopTraffic(days: number): Attempt[] {
  const random = dice(20_261_114);
  const attempts: Attempt[] = [];
  let isFraud = false;
  const address = (net: string): string => `${net}${random.whole(1, 250)}.${random.whole(1, 250)}`;
  const pay = (atMs: number, body: object) => {
    const order = { payment_method: 'card', references: [`order-${20_000 + attempts.length}`] };
    return attempts.push({ atMs, path: '/v1/transactions/screen', body: { ...order, ...body }, isFraud });
  };
  const act = (atMs: number, event_type: string, body: object) =>
    attempts.push({ atMs, path: '/v1/events', body: { event_type, ...body }, isFraud });
  /** Shops are busy in the evening and quiet at night. */
  const waking = (day: number): number => day * DAY + (8 + 14 * Math.sqrt(random.next())) * HOUR;
  const cents = (amount: number): number => Math.round(amount * 100) / 100;

  const people = Array.from({ length: CUSTOMERS }, (_, number) => {
    const { country, ip, currency } = random.pick(LOCATIONS);
    const user_id = `cust-${10_400 + number * 7}`;
    const home = { user_id, ip_address: address(ip), device_fingerprint: `fp-${user_id}` };
    return { ...home, home, currency, billing_address: { country }, usual: random.between(15, 120) };
  });

  for (const { home, currency, billing_address, usual } of people) {
    const purchase = { ...home, currency, billing_address };
    act(random.between(0, DAY / 2), 'signup', home);
    for (let day = 0; day < days; day++) {
      if (random.next() > 0.42) continue;
      const at = waking(day);
      act(at, 'login', home);
      pay(at + random.between(1, 20) * MINUTE, { ...purchase, amount: cents(usual * random.between(0.5, 1.7)) });
      if (day < 3 || random.next() > 0.035) continue;
      // Honest but odd: a forgotten password, a new phone behind a VPN, and a dear present.
      const odd = { device_fingerprint: `fp-new-${home.user_id}-${day}`, ip_address: address(CLOUD) };
      act(at + 2 * HOUR, 'password_reset', { ...home, ...odd });
      pay(at + 2.2 * HOUR, { ...purchase, ...odd, amount: cents(usual * random.between(8, 16)) });
    }
  }

  isFraud = true;
  const kinds = [takeover, hastySpender, foreignCard, cardTester, takeover, hastySpender, deviceFarm] as const;
  for (let number = 0; number < ATTACKS; number++) {
    kinds[number % kinds.length]?.(random.between(days * 0.2, days - 0.04) * DAY, number);
  }
  return attempts.sort((a, b) => a.atMs - b.atMs);

  function takeover(at: number): void {
    const { user_id, currency, usual, billing_address } = random.pick(people);
    const thief = {
      user_id,
      ip_address: address(random.pick(ABROAD)),
      device_fingerprint: `fp-x${random.whole(1, 9_999)}`,
    };
    const tries = random.whole(2, 7);
    for (let i = 0; i < tries; i++) act(at + i * 9 * SECOND, 'login', { ...thief, outcome: 'failed' });
    act(at + 2 * MINUTE, 'password_reset', thief);
    pay(at + 6 * MINUTE, { ...thief, currency, billing_address, amount: Math.round(usual * random.between(4, 12)) });
  }

  function hastySpender(at: number, number: number): void {
    const from = {
      user_id: `cust-${90_000 + number}`,
      ip_address: address(CLOUD),
      device_fingerprint: `fp-h${number}`,
    };
    act(at, 'signup', from);
    const soon = random.between(0.3, 9) * MINUTE;
    pay(at + soon, { ...from, amount: random.whole(350, 2400), currency: random.pick(['USD', 'EUR']) });
  }

  function cardTester(at: number, number: number): void {
    const from = {
      user_id: `cust-${91_000 + number}`,
      ip_address: address(CLOUD),
      device_fingerprint: `fp-c${number}`,
    };
    const cards = random.whole(6, 9);
    for (let i = 0; i < cards; i++) {
      const custom_attributes = { card_fingerprint: `card-${number}-${i}` };
      const amount = cents(random.between(0.5, 4));
      pay(at + i * 25 * SECOND, { ...from, amount, currency: 'EUR', custom_attributes });
    }
  }

  function deviceFarm(at: number, number: number): void {
    const from = { ip_address: address('73.10.'), device_fingerprint: `fp-farm-${number}` };
    for (let i = 0; i < 5; i++) {
      const user_id = `cust-${92_000 + number * 10 + i}`;
      act(at + i * 12 * MINUTE, 'signup', { user_id, ...from });
      pay(at + i * 12 * MINUTE + 5 * MINUTE, { user_id, ...from, amount: random.whole(40, 190), currency: 'USD' });
    }
  }

  function foreignCard(at: number, number: number): void {
    const from = { user_id: `cust-${93_000 + number}`, ip_address: address(random.pick(ABROAD)) };
    for (let i = 0; i < 4; i++) {
      const body = { ...from, device_fingerprint: `fp-f${number}-${i}`, billing_address: { country: 'US' } };
      pay(at + i * 4 * MINUTE, { ...body, amount: random.whole(120, 940), currency: 'USD' });
    }
  }
}
