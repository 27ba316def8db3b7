import type { AmountStats, EntityHistory } from '../../entities/entity-history';
import { aboutDollars } from '../sentence';
import { amountSurprise } from './amount-surprise';
import { type AttemptContext, type AttemptFeature, MISSING } from './feature-table';
import { surprise } from './feature-words';

/** With fewer amounts than this in the same currency, all currencies together in US dollars say more. */
const OWN_CURRENCY_MIN = 3;

/** The amounts to compare this one with, and its logarithm in their currency. */
export function amountBasis(
  user: EntityHistory | undefined,
  { attempt, ln_usd, one }: AttemptContext,
): { readonly ln: number; readonly stats: AmountStats } | undefined {
  if (user === undefined || one === 0 || attempt.amount === undefined) return undefined;
  const own = attempt.currency === undefined ? undefined : user.amounts_by_currency[attempt.currency];
  if (own !== undefined && (own.count >= OWN_CURRENCY_MIN || own.count >= user.amounts_usd.count)) {
    return { ln: Math.log(attempt.amount), stats: own };
  }
  return { ln: ln_usd, stats: user.amounts_usd };
}

export const AMOUNT_FEATURES = {
  amount_ln_usd: {
    description: 'natural logarithm of the amount in US dollars',
    words: ['amount', aboutDollars],
    explains: 'amount_anomaly',
    read: ({ ln_usd }) => ln_usd,
  },
  user_amount_surprise: {
    description:
      "how far the amount lies from the user's own in this currency (else in all, in dollars), in standard deviations of the logarithm",
    words: ['usual amounts (user)', (value) => `${surprise(value)} for this user`],
    explains: 'amount_anomaly',
    read: (context) => {
      const basis = amountBasis(context.facts.user, context);
      return basis === undefined ? MISSING : amountSurprise(basis.ln, basis.stats);
    },
  },
} as const satisfies Record<string, AttemptFeature>;
