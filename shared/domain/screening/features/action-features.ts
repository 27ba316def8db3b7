import type { EventAction } from '../../entities/entity-history';
import type { PaymentMethod } from '../screening-facts';
import { type AttemptFeature, flag, MISSING } from './feature-table';
import { either } from './feature-words';

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

/** What the user is doing, and how they pay. */
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
