import { countsOnPattern } from '../../entities/counts-on-patterns';
import type { EntityHistory } from '../../entities/entity-history';
import { count } from '../sentence';
import { usualPerDay } from './entity-features';
import { type AttemptContext, type EntityFeature, MISSING } from './feature-table';
import { counted } from './feature-words';

/** Fewer are a coincidence, and what is missing takes no bytes of a vector. */
const QUIET_BELOW = 3;

/** This attempt, if it is one of those that a pattern counts. */
const thisOne = ({ attempt, facts: { user } }: AttemptContext): 0 | 1 => (countsOnPattern(attempt, user) ? 1 : 0);

const buyers1h = ({ transactions: { windows } }: EntityHistory, context: AttemptContext): number =>
  windows['1h'].count + thisOne(context);

/**
 * What the pattern of an email address counts (`counts-on-patterns.ts`): accounts that bought within an hour of their signup,
 * each once.
 */
export const EMAIL_PATTERN_FEATURES = {
  buyers_1h: {
    description:
      'accounts whose first purchase, within an hour of their signup, fell into an hour, this one included (missing: below 3)',
    words: counted('new buyer', ' in an hour'),
    explains: 'new_account_burst',
    read: (history, context) => {
      const buyers = buyers1h(history, context);
      return buyers < QUIET_BELOW ? MISSING : buyers;
    },
  },
  burst_24h: {
    description: "how many usual days' worth of these fell into 24 hours (missing: if the hour has fewer than 3)",
    words: [
      'usual activity',
      (value, entity) => `as many new buyers in 24 hours as in ${count(value, 'usual day')} (${entity})`,
    ],
    explains: 'new_account_burst',
    read: (history, context) => {
      if (buyers1h(history, context) < QUIET_BELOW) return MISSING;
      const today = history.transactions.windows['24h'].count + thisOne(context);
      return today / usualPerDay(history, context.attempt.at_ms);
    },
  },
} as const satisfies Record<string, EntityFeature>;
