import { NO_DECLINES } from '../../entities/declines';
import type { EntityHistory } from '../../entities/entity-history';
import { counted, type EntityFeature, share } from './feature-table';

const declinesOf = ({ declines }: EntityHistory) => declines ?? NO_DECLINES;

/** Payments with it that the bank declined because the card was wrong or refused (docs/score.md#declines). */
export const DECLINE_FEATURES = {
  declines_10m: {
    description: 'payments declined in 10 minutes because of a wrong or refused card',
    words: counted('declined payment', ' in 10 minutes'),
    explains: 'declined_cards',
    read: (history) => declinesOf(history)['10m'],
  },
  declines_1h: {
    description: 'payments declined in an hour because of a wrong or refused card',
    words: counted('declined payment', ' in an hour'),
    explains: 'declined_cards',
    read: (history) => declinesOf(history)['1h'],
  },
  declines_24h: {
    description: 'payments declined in 24 hours because of a wrong or refused card',
    words: counted('declined payment', ' in 24 hours'),
    explains: 'declined_cards',
    read: (history) => declinesOf(history)['24h'],
  },
  declined_cards_24h: {
    description: 'different cards among them in 24 hours',
    words: counted('declined card', ' in 24 hours'),
    explains: 'declined_cards',
    read: (history) => declinesOf(history).cards,
  },
} as const satisfies Record<string, EntityFeature>;

/** Declines that signals use: those outside a rise that the whole account shared. */
export const LONE_DECLINE_FEATURES = {
  lone_declined_cards_24h: {
    description: 'different cards declined in 24 hours, without those of a rise that the whole account shared',
    words: counted('declined card', ' in 24 hours'),
    explains: 'declined_cards',
    read: (history) => declinesOf(history).lone_cards,
  },
  declined_share_24h: {
    description: 'declined payments among its transactions of 24 hours, this one included',
    words: share('declined payments', 'of payments declined'),
    explains: 'declined_cards',
    read: (history, { one }) =>
      declinesOf(history)['24h'] / Math.max(1, history.transactions.windows['24h'].count + one),
  },
} as const satisfies Record<string, EntityFeature>;

/** Wrong CVCs of a card, no matter who tries. */
export const WRONG_CVC_FEATURES = {
  wrong_cvcs_24h: {
    description: 'wrong CVCs in 24 hours, without those of a rise that the whole account shared',
    words: counted('wrong CVC', ' in 24 hours'),
    explains: 'cvc_guessing',
    read: (history) => declinesOf(history).wrong_cvcs,
  },
} as const satisfies Record<string, EntityFeature>;
