import type { Attempt, EntityHistory } from '../entities/entity-history';
import type { EmailFacts } from '../intelligence/intelligence-table';
import type { IpFacts } from '../ip/ip-table';
import type { ObservedAttribute } from './attributes/observed-attribute';

export const PAYMENT_METHODS = ['card', 'bank', 'wallet', 'crypto'] as const;

export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** A tracked attribute that was sent; its history is undefined if it could not be read. */
export interface AttributeFacts {
  readonly key: string;
  readonly history?: EntityHistory | undefined;
}

/**
 * Everything a screening knows: the attempt, and the histories as they were just before it.
 * A history is undefined if the entity was not sent, and also if its store was throttled: either way
 * its features are missing. An entity that was read but never seen before has an (empty) history.
 */
export interface ScreeningFacts {
  readonly attempt: Attempt;
  readonly payment_method?: PaymentMethod | undefined;
  /** ISO 3166 alpha-2, upper case. */
  readonly billing_country?: string | undefined;
  readonly has_billing_address: boolean;
  readonly ip?: IpFacts | undefined;
  /** Of the customer's own email address. @default none was sent */
  readonly email?: EmailFacts | undefined;
  /** Of the customer's own phone number. @default none was sent, or it has no country code */
  readonly phone_country?: string | undefined;
  readonly user?: EntityHistory | undefined;
  /** The highest score of a stopped attempt of this user that this one repeats. @default 0: it repeats none */
  readonly repeats_score?: number | undefined;
  /** Recent spending, this attempt included. @default from the histories */
  readonly exposures?: readonly Exposure[] | undefined;
  /** The score of all pieces at once, if that is the reason to stop it. @default it is not */
  readonly pieces_score?: number | undefined;
  readonly device?: EntityHistory | undefined;
  readonly ip_history?: EntityHistory | undefined;
  readonly network_history?: EntityHistory | undefined;
  readonly asn_history?: EntityHistory | undefined;
  /** Email addresses that differ from this one only in their numbers. */
  readonly email_pattern_history?: EntityHistory | undefined;
  readonly attributes: readonly AttributeFacts[];
  /** Whether the agent that acts for the user proved who it is. @default there is no agent */
  readonly agent_verified?: boolean | undefined;
  readonly agent_history?: EntityHistory | undefined;
  /** Everything else that was sent, as far as a model may learn from it. @default nothing */
  readonly observed?: readonly ObservedAttribute[] | undefined;
  /** The account: a model may have learnt something for this one only. @default unknown */
  readonly account_id?: string | undefined;
}

/** Spending in US dollars, this attempt included. */
export interface Exposure {
  /** Whose spending it is, in words: `by this user`. */
  readonly whose: string;
  readonly payments: { readonly day: number; readonly week: number };
  readonly hour: number;
  readonly day: number;
  readonly week: number;
  /** Whether the day, and the week, has several payments large enough to count. */
  readonly isSplit: { readonly day: boolean; readonly week: boolean };
  /** Whether nothing older than a week shows what is usual. */
  readonly isNew: boolean;
}
