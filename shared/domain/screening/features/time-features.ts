import type { EventAction } from '../../entities/entity-history';
import type { PaymentMethod } from '../screening-facts';
import { percent } from '../sentence';
import { type AttemptContext, type AttemptFeature, ago, either, flag, MISSING } from './feature-table';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const SLOTS = 8;
const HABIT_MIN_ATTEMPTS = 20;
/** 1 January 1970 was a Thursday; Monday is day 0. */
const EPOCH_WEEKDAY = 3;

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const sinceSeconds =
  (...actions: readonly EventAction[]) =>
  ({ facts: { user }, attempt }: AttemptContext): number => {
    if (user === undefined) return MISSING;
    let last = MISSING;
    for (const action of actions) {
      const at = user.last_event_ms[action];
      if (at !== undefined && !(last >= at)) last = at;
    }
    return Math.max(0, attempt.at_ms - last) / 1000;
  };

/**
 * The share of a user's attempts in the three-hour slot of this one, or in an adjacent slot if that has
 * more: an hour before or after a habit is still the habit. Missing until
 * there are enough attempts to form one.
 */
function hourShare({ facts: { user }, attempt }: AttemptContext): number {
  if (user === undefined) return MISSING;
  const slot = Math.floor((attempt.at_ms % DAY_MS) / (3 * HOUR_MS));
  let total = 0;
  for (const count of user.hours) total += count;
  if (total < HABIT_MIN_ATTEMPTS) return MISSING;
  const [here, after, before] = [slot, (slot + 1) % SLOTS, (slot + SLOTS - 1) % SLOTS];
  return Math.max(user.hours[here] ?? 0, user.hours[after] ?? 0, user.hours[before] ?? 0) / total;
}

export const TIME_FEATURES = {
  hour_utc: {
    description: 'hour of the day in UTC, with its fraction',
    words: ['hour', (value) => `${Math.floor(value)}:00 UTC`],
    read: ({ attempt }) => (attempt.at_ms % DAY_MS) / HOUR_MS,
  },
  weekday: {
    description: 'day of the week in UTC, Monday is 0',
    words: ['weekday', (value) => WEEKDAYS[Math.round(value)] ?? 'weekday'],
    read: ({ attempt }) => (Math.floor(attempt.at_ms / DAY_MS) + EPOCH_WEEKDAY) % 7,
  },
  user_hour_share: {
    description:
      "share of the user's attempts at about this time of day (three-hour buckets; missing below 20 attempts)",
    words: ['usual hours (user)', (value) => `${percent(value)} of activity at this time of day`],
    explains: 'unusual_hour',
    read: hourShare,
  },
  since_signup_s: {
    description: "seconds since the user's signup (missing: none known)",
    words: ['signup', (value) => `signed up ${ago(value)}`],
    explains: 'rapid_signup_purchase',
    read: sinceSeconds('signup'),
  },
  since_password_reset_s: {
    description: "seconds since the user's last password reset",
    words: ['password reset', (value) => `password reset ${ago(value)}`],
    explains: 'password_reset_then_purchase',
    read: sinceSeconds('password_reset'),
  },
  since_contact_change_s: {
    description: "seconds since the user's password, email or phone was last changed",
    words: ['contact change', (value) => `contact details changed ${ago(value)}`],
    read: sinceSeconds('password_change', 'email_change', 'phone_change'),
  },
  since_payout_change_s: {
    description: "seconds since the user's payout details were last changed",
    words: ['payout change', (value) => `payout details changed ${ago(value)}`],
    read: sinceSeconds('payout_change'),
  },
} as const satisfies Record<string, AttemptFeature>;

const action = (name: EventAction | 'transaction', words = name.replace('_', ' ')): AttemptFeature => ({
  description: `1 for a ${name.replace('_', ' ')}`,
  words: either('kind', words, `not a ${words}`),
  read: ({ attempt }) => flag(attempt.action === name),
});

const paidBy = (method: PaymentMethod): AttemptFeature => ({
  description: `1 when paid by ${method} (missing: no payment method sent)`,
  words: either('payment method', `paid by ${method}`, `not paid by ${method}`),
  read: ({ facts: { payment_method } }) => (payment_method === undefined ? MISSING : flag(payment_method === method)),
});

/** The user's action and payment method. */
export const ACTION_FEATURES = {
  is_transaction: action('transaction', 'payment'),
  is_login: action('login'),
  is_signup: action('signup'),
  is_password_reset: action('password_reset'),
  is_payout_change: action('payout_change'),
  is_failed: {
    description: '1 when the event failed',
    words: either('result', 'failed', 'not failed'),
    read: ({ attempt }) => flag(attempt.outcome === 'failed'),
  },
  paid_by_card: paidBy('card'),
  paid_by_bank: paidBy('bank'),
  paid_by_wallet: paidBy('wallet'),
  paid_by_crypto: paidBy('crypto'),
} as const satisfies Record<string, AttemptFeature>;
