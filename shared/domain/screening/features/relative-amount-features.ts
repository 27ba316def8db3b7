import { times } from '../sentence';
import { amountBasis } from './amount-features';
import { type AttemptContext, type AttemptFeature, MISSING } from './feature-table';
import type { Words } from './feature-words';

/** The logarithm of how many times the usual amount of an attribute's value this one is. */
function ratioTo({ facts: { attributes }, ln_usd }: AttemptContext, wanted: string): number {
  for (const { key, history } of attributes) {
    if (key === wanted)
      return history && history.amounts_usd.count > 0 ? ln_usd - history.amounts_usd.mean_log : MISSING;
  }
  return MISSING;
}

const timesTheUsual = (of: string): Words => [
  `usual amounts (${of})`,
  (value) => `${times(Math.exp(value))} the usual amount (${of})`,
];

const relativeTo = (key: string, words: string): AttemptFeature => ({
  description: `natural logarithm of the amount divided by the ${words}'s usual one (missing: none before)`,
  words: timesTheUsual(words),
  explains: 'amount_anomaly',
  read: (context) => ratioTo(context, key),
});

/**
 * Amounts as they were sent, and relative to what is usual. A surprise is measured in standard deviations, which hides
 * how much is at stake; and a rough rate to dollars blurs bounds that people set in their own currency.
 */
export const RELATIVE_AMOUNT_FEATURES = {
  amount_ln: {
    description: 'natural logarithm of the amount in its own currency',
    words: ['amount', (value) => `amount ${Number(Math.exp(value).toPrecision(3))} in its own currency`],
    explains: 'amount_anomaly',
    read: ({ attempt, one }) => (one === 1 && attempt.amount !== undefined ? Math.log(attempt.amount) : MISSING),
  },
  user_amount_ratio: {
    description:
      "natural logarithm of the amount divided by the user's usual one in this currency (else in all, in dollars; missing: none before)",
    words: timesTheUsual('user'),
    explains: 'amount_anomaly',
    read: (context) => {
      const basis = amountBasis(context.facts.user, context);
      return basis === undefined || basis.stats.count < 1 ? MISSING : basis.ln - basis.stats.mean_log;
    },
  },
  merchant_id_amount_ratio: relativeTo('merchant_id', 'merchant'),
  terminal_id_amount_ratio: relativeTo('terminal_id', 'terminal'),
  category_amount_ratio: relativeTo('category', 'category'),
} as const satisfies Record<string, AttemptFeature>;
