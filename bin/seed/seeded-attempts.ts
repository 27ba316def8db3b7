import { seededRandom } from '../../shared/domain/models/seeded-random';
import { type Subject, transactionSubject } from '../../shared/domain/screening/subjects/attempt-of';

/** How much to make up, and when it ends. */
export interface SeedPlan {
  readonly cases: number;
  readonly users: number;
  readonly nowMs: number;
}

/** A payment that ends in review. */
export interface SeededAttempt {
  readonly atMs: number;
  readonly subject: Subject;
  /** What an analyst found out, of the few that were looked at already. */
  readonly found?: 'approved' | 'rejected';
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Open cases live for a week. */
const SPAN_MS = 6 * DAY_MS;

export const TESTER_CASES = 11;
export const TESTER_DEVICE = 'tester-tablet';
/** Whose payment with the tester's device turned out to be fraud. */
export const FRAUD_USER = 'user-fraud';

const CURRENCIES = ['EUR', 'USD', 'GBP'] as const;

/** What a user pays with and from: some share a device at home, and every fifth sits in one large office. */
function ownThings(number: number) {
  const home = Math.floor(number / 3);
  return {
    device_fingerprint: `device-${number % 3 === 2 ? `home-${home}` : number}`,
    ip_address: number % 5 === 0 ? '198.51.100.7' : `203.0.${Math.floor(number / 250)}.${(number % 250) + 1}`,
    card_fingerprint: `card-${number}`,
    email: `user-${number}@shop.example`,
  };
}

const payment = (user_id: string, amount: number, currency: string, things: ReturnType<typeof ownThings>): Subject => {
  const { card_fingerprint, email, ...where } = things;
  return transactionSubject({ user_id, amount, currency, ...where, custom_attributes: { card_fingerprint, email } });
};

export const userId = (number: number): string => `user-${String(number + 1).padStart(3, '0')}`;

/**
 * A made-up week: payments of ordinary users, a confirmed fraud, and at the end a card tester who tries eleven stolen
 * cards from the same device within a few minutes. The same plan gives the same week.
 */
export function* seededAttempts({ cases, users, nowMs }: SeedPlan): Generator<SeededAttempt> {
  const random = seededRandom(cases * 1_000 + users);
  const ordinary = Math.max(0, cases - TESTER_CASES - 1);
  const startMs = nowMs - SPAN_MS;
  const lastMs = nowMs - 30 * MINUTE_MS;
  const tester = { device_fingerprint: TESTER_DEVICE, ip_address: '192.0.2.66' };
  const fraud = { ...tester, card_fingerprint: 'card-stolen-0', email: 'fraud@shop.example' };
  yield { atMs: startMs, subject: payment(FRAUD_USER, 890, 'EUR', fraud), found: 'rejected' };
  for (let number = 0; number < ordinary; number++) {
    const user = Math.floor(random() * users);
    const amount = Math.round(Math.exp(3 + 2 * random()) * 100) / 100;
    const atMs = Math.floor(startMs + ((number + 1) / (ordinary + 1)) * (lastMs - startMs));
    const currency = CURRENCIES[user % CURRENCIES.length] ?? 'EUR';
    // One in fifty of the older ones was decided.
    const isDone = number % 50 === 7 && number < ordinary / 2;
    const found = isDone ? ({ found: random() < 0.4 ? 'rejected' : 'approved' } as const) : {};
    yield { atMs, subject: payment(userId(user), amount, currency, ownThings(user)), ...found };
  }
  for (let number = 0; number < TESTER_CASES; number++) {
    const things = { ...tester, card_fingerprint: `card-stolen-${number}`, email: `guest-${number}@mail.example` };
    yield {
      atMs: nowMs - 10 * MINUTE_MS + number * 20_000,
      subject: payment(`guest-${number + 1}`, 1 + number / 10, 'EUR', things),
    };
  }
}
