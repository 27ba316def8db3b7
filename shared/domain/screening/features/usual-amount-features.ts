import type { EntityHistory } from '../../entities/entity-history';
import { amountBasis } from './amount-features';
import { amountSurprise } from './amount-surprise';
import { ENTITY_FEATURES } from './entity-features';
import { type AttemptContext, type AttemptFeature, MISSING } from './feature-table';
import { surprise } from './feature-words';

/** A user's own amounts are a habit after this many purchases older than a day: a burst cannot make itself usual. */
const USER_MIN = 3;
/** What is usual for a merchant, a terminal or a category takes more: one customer must not decide it. */
const SHARED_MIN = 50;
const SHARED_KEYS: ReadonlySet<string> = new Set(['merchant_id', 'terminal_id', 'category']);

const isHabit = (user: EntityHistory): boolean => ENTITY_FEATURES.tx_established.read(user) >= USER_MIN;

/** The smaller of two surprises; a missing one does not count. */
const lesser = (a: number, b: number): number => (b >= a ? a : Number.isNaN(b) ? a : b);

/** Nobody asks whether a smaller amount is usual. */
const NOTABLE_LN_USD = Math.log(1_000);

function leastSurprise(context: AttemptContext): number {
  const { facts, ln_usd } = context;
  if (!(ln_usd >= NOTABLE_LN_USD)) return MISSING;
  const { user } = facts;
  const basis = user && isHabit(user) ? amountBasis(user, context) : undefined;
  let least = basis === undefined ? MISSING : amountSurprise(basis.ln, basis.stats);
  for (const { key, history } of facts.attributes) {
    if (history === undefined || !SHARED_KEYS.has(key) || history.amounts_usd.count < SHARED_MIN) continue;
    least = lesser(least, amountSurprise(ln_usd, history.amounts_usd));
  }
  return least;
}

/** Whether anything known makes an amount usual. */
export const USUAL_AMOUNT_FEATURES = {
  amount_least_surprise: {
    description:
      "how far the amount lies from the user's own (after 3 purchases older than a day) or from the merchant's, terminal's or category's (after 50), whichever it is closer to, in standard deviations of the logarithm (missing: below 1,000 US dollars)",
    words: ['usual amounts', surprise],
    explains: 'extreme_amount',
    read: leastSurprise,
  },
} as const satisfies Record<string, AttemptFeature>;
