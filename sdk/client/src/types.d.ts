// Written by `npm run sdk:types` from the schemas of the API. Do not edit.

/**
 * How the customer pays.
 */
export type PaymentMethod = 'card' | 'bank' | 'wallet' | 'crypto';
/**
 * `low`, `elevated` or `high`, by the account’s thresholds.
 */
export type RiskLevel = 'low' | 'elevated' | 'high';
/**
 * The recommended action: `allow`, `challenge`, `review` or `block`.
 */
export type DecisionName = 'allow' | 'challenge' | 'review' | 'block';
/**
 * The effect of the rule if it matches.
 */
export type RuleAction = 'allow' | 'block' | 'challenge' | 'review' | 'points';
/**
 * Whether it is a transaction or an event.
 */
export type SubjectType = 'transaction' | 'event';
/**
 * The state it is in.
 */
export type CaseStatus = 'open' | 'approved' | 'rejected' | 'expired';
export type EventType =
  | 'transaction.screened'
  | 'transaction.decision.block'
  | 'event.screened'
  | 'case.created'
  | 'case.resolved'
  | 'decision.reviewed'
  | 'list.changed'
  | 'rule.changed';
/**
 * The state it is in.
 */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled';
/**
 * Whether the rule is in effect.
 */
export type RuleState = 'draft' | 'shadow' | 'active' | 'paused';
/**
 * The effect of a match.
 */
export type ListEffect = 'allow' | 'block' | 'challenge' | 'review' | 'none';
/**
 * The machine-readable code of the error.
 */
export type ErrorCode =
  | 'invalid_request'
  | 'unsupported_api_version'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'case_not_open'
  | 'case_claimed'
  | 'list_type_fixed'
  | 'in_use'
  | 'built_in'
  | 'idempotency_in_progress'
  | 'version_mismatch'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_mismatch'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable';

export interface ScreenTransactionRequest {
  /**
   * Your ID of the user.
   */
  user_id: string;
  /**
   * The customer’s IPv4 or IPv6 address.
   */
  ip_address?: string;
  /**
   * The token of the device SDK, or your own.
   */
  device_fingerprint?: string;
  /**
   * Your own names and short values. `card_fingerprint`, `card_bin`, `email`, `phone`, `merchant_id`, `terminal_id` and `category` have their own history. In the sandbox, `sandbox_decision` forces the decision.
   */
  custom_attributes?: {
    [k: string]: string;
  };
  /**
   * Your own IDs of the payment: an order, a payment intent, a charge.
   */
  references?: string[];
  /**
   * Software that acts for the user; absent if there is none that you know of.
   */
  agent?: {
    /**
     * Who runs the agent, such as the host name of its key directory.
     */
    operator: string;
    /**
     * The key that signed the request.
     */
    key_id?: string;
    /**
     * Whether you verified the agent’s signature.
     */
    verified: boolean;
  };
  /**
   * The amount in the currency’s main unit.
   */
  amount: number;
  /**
   * ISO 4217 code of the currency.
   */
  currency: string;
  payment_method?: PaymentMethod;
  billing_address?: BillingAddress;
}
/**
 * The billing address; the country alone already helps.
 */
export interface BillingAddress {
  /**
   * First line of the address.
   */
  line1?: string;
  /**
   * Second line of the address.
   */
  line2?: string;
  /**
   * City.
   */
  city?: string;
  /**
   * State or province.
   */
  state?: string;
  /**
   * Postal code.
   */
  postal_code?: string;
  /**
   * ISO 3166-1 alpha-2 code of the country.
   */
  country?: string;
}
export interface Transaction {
  /**
   * The ID of the transaction.
   */
  transaction_id: string;
  /**
   * The ID of the decision.
   */
  decision_id: string;
  /**
   * Your ID of the user.
   */
  user_id: string;
  /**
   * The amount in the currency’s main unit.
   */
  amount: number;
  /**
   * ISO 4217 code of the currency.
   */
  currency: string;
  /**
   * The risk from 0 to 100.
   */
  risk_score: number;
  risk_level: RiskLevel;
  decision: DecisionName;
  /**
   * The rule, list, score or sandbox request that determined the decision.
   */
  decided_by: {
    /**
     * The kind of reason: the score, a rule, a list, or a sandbox request.
     */
    kind: 'score' | 'rule' | 'list' | 'sandbox';
    /**
     * The name of the rule or list; null if it was the score.
     */
    name: string | null;
  };
  /**
   * The active rules that matched.
   */
  rules: AppliedRule[];
  /**
   * Names of the account’s lists that matched.
   */
  lists: string[];
  /**
   * The signals that raised the score, the strongest first.
   */
  signals: string[];
  explanation: Explanation;
  /**
   * The model that scored it; `rules-1` if the signals decided alone.
   */
  model_version: string;
  /**
   * The review case; null unless the decision is `review`.
   */
  case_id: string | null;
  /**
   * When it was screened.
   */
  screened_at: string;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface AppliedRule {
  /**
   * The name of the rule.
   */
  name: string;
  /**
   * The version of the rule, from 1.
   */
  version: number;
  action: RuleAction;
}
/**
 * Why the score is what it is.
 */
export interface Explanation {
  /**
   * The score before any signal counts.
   */
  base: number;
  /**
   * The reasons that moved the score, the most points first. `base` plus all points is exactly `risk_score`.
   */
  contributions: {
    /**
     * The name of the signal.
     */
    signal: string;
    /**
     * How much it adds to the score, or takes away.
     */
    points: number;
    /**
     * The reason in words.
     */
    detail: string;
  }[];
  /**
   * Changes that would have led to a milder decision, found by screening again. Only if the decision is not `allow`.
   */
  what_if?: {
    /**
     * The difference that it takes.
     */
    change: 'amount' | 'known_device' | 'known_place' | 'without_signal';
    /**
     * For the change `amount`: the highest amount that would have led to this decision, to within 1%.
     */
    at_most?: number;
    /**
     * For the change `without_signal`: the signal.
     */
    signal?: string;
    decision: DecisionName;
  }[];
}
export interface RiskProfile {
  /**
   * Your ID of the user.
   */
  user_id: string;
  /**
   * The risk from 0 to 100.
   */
  risk_score: number;
  risk_level: RiskLevel;
  /**
   * The signals that raised the score, the strongest first.
   */
  signals: string[];
  /**
   * When the user was first seen.
   */
  first_seen_at: string;
  /**
   * When it was last seen.
   */
  last_seen_at: string;
  /**
   * The user’s transactions.
   */
  transactions: {
    /**
     * How many there are.
     */
    count: number;
    /**
     * Transactions that were allowed.
     */
    allowed: number;
    /**
     * Transactions that went to review.
     */
    reviewed: number;
    /**
     * Transactions that were blocked.
     */
    blocked: number;
    /**
     * Sum of amounts by currency, of attempts that were allowed or approved.
     */
    amount_by_currency: {
      [k: string]: number;
    };
    /**
     * In the last 24 hours.
     */
    last_24h: number;
    /**
     * In the last 7 days.
     */
    last_7d: number;
  };
  /**
   * The user’s events.
   */
  events: {
    /**
     * How many there are.
     */
    count: number;
    /**
     * Number of events by type.
     */
    by_type: {
      [k: string]: number;
    };
  };
  /**
   * The user’s devices.
   */
  devices: {
    /**
     * How many there are.
     */
    count: number;
    /**
     * The devices of the last attempts that were allowed or approved.
     */
    recent: {
      /**
       * A short name for the device, the same each time; not the fingerprint.
       */
      device: string;
      /**
       * When it was last seen.
       */
      last_seen_at: string;
    }[];
  };
  /**
   * The user’s IP addresses.
   */
  ip_addresses: {
    /**
     * How many there are.
     */
    count: number;
    /**
     * Countries of attempts that were allowed or approved, ISO 3166-1 alpha-2.
     */
    countries: string[];
  };
  /**
   * Confirmed outcomes.
   */
  outcomes: {
    /**
     * Attempts that people confirmed as fraud.
     */
    confirmed_fraud: number;
    /**
     * Attempts that people confirmed as legitimate.
     */
    confirmed_legitimate: number;
  };
  /**
   * The latest activity of the user.
   */
  recent_activity: {
    /**
     * Transactions in the last 10 minutes to 30 days.
     */
    transactions: {
      /**
       * In the last 10 minutes.
       */
      last_10m: {
        /**
         * How many there are.
         */
        count: number;
        /**
         * Sum of amounts in US dollars, at rough rates.
         */
        amount_usd: number;
      };
      /**
       * In the last hour.
       */
      last_1h: {
        /**
         * How many there are.
         */
        count: number;
        /**
         * Sum of amounts in US dollars, at rough rates.
         */
        amount_usd: number;
      };
      /**
       * In the last 24 hours.
       */
      last_24h: {
        /**
         * How many there are.
         */
        count: number;
        /**
         * Sum of amounts in US dollars, at rough rates.
         */
        amount_usd: number;
      };
      /**
       * In the last 7 days.
       */
      last_7d: {
        /**
         * How many there are.
         */
        count: number;
        /**
         * Sum of amounts in US dollars, at rough rates.
         */
        amount_usd: number;
      };
      /**
       * In the last 30 days.
       */
      last_30d: {
        /**
         * How many there are.
         */
        count: number;
        /**
         * Sum of amounts in US dollars, at rough rates.
         */
        amount_usd: number;
      };
    };
    /**
     * Failed logins in the last 10 minutes, hour and 24 hours.
     */
    failed_logins: {
      /**
       * In the last 10 minutes.
       */
      last_10m: number;
      /**
       * In the last hour.
       */
      last_1h: number;
      /**
       * In the last 24 hours.
       */
      last_24h: number;
    };
    /**
     * Payments that banks declined because of a wrong or refused card, in the last 10 minutes, hour and 24 hours.
     */
    declines: {
      /**
       * In the last 10 minutes.
       */
      last_10m: number;
      /**
       * In the last hour.
       */
      last_1h: number;
      /**
       * In the last 24 hours.
       */
      last_24h: number;
      /**
       * Different cards among the declined payments of 24 hours.
       */
      cards_last_24h: number;
    };
    /**
     * The latest changes to the account, such as a password reset, newest first.
     */
    last_changes: {
      /**
       * The type of event.
       */
      event_type:
        | 'login'
        | 'signup'
        | 'password_reset'
        | 'password_change'
        | 'email_change'
        | 'phone_change'
        | 'payout_change'
        | 'profile_update';
      /**
       * When it happened, or the start of the interval.
       */
      at: string;
    }[];
    /**
     * Where the user was last seen; null if it is not known.
     */
    last_place: {
      /**
       * ISO 3166-1 alpha-2 code of the country.
       */
      country: string;
      /**
       * Kind of network: `hosting`, `mobile` or `other`.
       */
      network: string;
      /**
       * When it happened, or the start of the interval.
       */
      at: string;
    } | null;
    /**
     * Attempts by three-hour slot of the UTC day, from midnight.
     */
    by_time_of_day: number[];
  };
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface ScreenEventRequest {
  /**
   * Your ID of the user.
   */
  user_id: string;
  /**
   * The customer’s IPv4 or IPv6 address.
   */
  ip_address?: string;
  /**
   * The token of the device SDK, or your own.
   */
  device_fingerprint?: string;
  /**
   * Your own names and short values. `card_fingerprint`, `card_bin`, `email`, `phone`, `merchant_id`, `terminal_id` and `category` have their own history. In the sandbox, `sandbox_decision` forces the decision.
   */
  custom_attributes?: {
    [k: string]: string;
  };
  /**
   * Your own IDs of the payment: an order, a payment intent, a charge.
   */
  references?: string[];
  /**
   * Software that acts for the user; absent if there is none that you know of.
   */
  agent?: {
    /**
     * Who runs the agent, such as the host name of its key directory.
     */
    operator: string;
    /**
     * The key that signed the request.
     */
    key_id?: string;
    /**
     * Whether you verified the agent’s signature.
     */
    verified: boolean;
  };
  /**
   * The type of event.
   */
  event_type: string;
  /**
   * Whether the action succeeded.
   */
  outcome?: 'succeeded' | 'failed';
  /**
   * The amount in the currency’s main unit.
   */
  amount?: number;
  /**
   * ISO 4217 code of the currency.
   */
  currency?: string;
}
export interface ScreenedEvent {
  /**
   * The ID of the event.
   */
  event_id: string;
  /**
   * The ID of the decision.
   */
  decision_id: string;
  /**
   * The type of event.
   */
  event_type: string;
  /**
   * Your ID of the user.
   */
  user_id: string;
  /**
   * The amount in the currency’s main unit.
   */
  amount?: number;
  /**
   * ISO 4217 code of the currency.
   */
  currency?: string;
  /**
   * The risk from 0 to 100.
   */
  risk_score: number;
  risk_level: RiskLevel;
  decision: DecisionName;
  /**
   * The rule, list, score or sandbox request that determined the decision.
   */
  decided_by: {
    /**
     * The kind of reason: the score, a rule, a list, or a sandbox request.
     */
    kind: 'score' | 'rule' | 'list' | 'sandbox';
    /**
     * The name of the rule or list; null if it was the score.
     */
    name: string | null;
  };
  /**
   * The active rules that matched.
   */
  rules: AppliedRule[];
  /**
   * Names of the account’s lists that matched.
   */
  lists: string[];
  /**
   * The signals that raised the score, the strongest first.
   */
  signals: string[];
  explanation: Explanation;
  /**
   * The model that scored it; `rules-1` if the signals decided alone.
   */
  model_version: string;
  /**
   * The review case; null unless the decision is `review`.
   */
  case_id: string | null;
  /**
   * When it was screened.
   */
  screened_at: string;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface ReportedDecision {
  /**
   * The ID of the decision.
   */
  decision_id: string;
  subject_type: SubjectType;
  /**
   * The ID of the transaction or event.
   */
  subject_id: string;
  /**
   * Your ID of the user.
   */
  user_id: string;
  /**
   * The amount in the currency’s main unit.
   */
  amount?: number;
  /**
   * ISO 4217 code of the currency.
   */
  currency?: string;
  /**
   * The type of event.
   */
  event_type?: string;
  decision: DecisionName;
  automated_decision: DecisionName;
  /**
   * The rule, list, score or sandbox request that determined the decision.
   */
  decided_by: {
    /**
     * The kind of reason: the score, a rule, a list, or a sandbox request.
     */
    kind: 'score' | 'rule' | 'list' | 'sandbox';
    /**
     * The name of the rule or list; null if it was the score.
     */
    name: string | null;
  };
  /**
   * The active rules that matched.
   */
  rules: AppliedRule[];
  /**
   * Names of the account’s lists that matched.
   */
  lists: string[];
  /**
   * Rules in shadow that would have matched; without effect.
   */
  shadow_rules: AppliedRule[];
  /**
   * The values of the counters that rules read, by name.
   */
  counters?: {
    [k: string]: number;
  };
  /**
   * The risk from 0 to 100.
   */
  risk_score: number;
  /**
   * The signals that raised the score, the strongest first.
   */
  signals: string[];
  explanation: Explanation;
  /**
   * The model that scored it; `rules-1` if the signals decided alone.
   */
  model_version: string;
  /**
   * The version of what was known offline of addresses and domains; `npm run intelligence -- list` tells them.
   */
  intelligence_version?: string;
  /**
   * The review case; null unless the decision is `review`.
   */
  case_id: string | null;
  /**
   * When the service decided.
   */
  decided_at: string;
  /**
   * A person’s decision that replaces the automated one; null if there is none.
   */
  review: {
    /**
     * The decision of the person.
     */
    decision: 'allow' | 'block';
    /**
     * The person who decided; null if none was named.
     */
    analyst_id: string | null;
    /**
     * The person’s notes; null if there are none.
     */
    notes: string | null;
    /**
     * When the person decided.
     */
    reviewed_at: string;
    /**
     * Why the person decided so, as one of the account’s codes; null if none was given.
     */
    reason_code?: string;
  } | null;
  /**
   * The decision in words that may be shown to the person concerned. It does not help anybody to get around the screening.
   */
  customer_explanation: string;
  /**
   * Attributes that the account shows to its analysts; absent if there are none.
   */
  displayed?: {
    [k: string]: string;
  };
  /**
   * Software that acts for the user; absent if there is none that you know of.
   */
  agent?: {
    /**
     * Who runs the agent, such as the host name of its key directory.
     */
    operator: string;
    /**
     * The key that signed the request.
     */
    key_id?: string;
    /**
     * Whether you verified the agent’s signature.
     */
    verified: boolean;
  };
  /**
   * Confirmed outcomes.
   */
  outcomes?: {
    /**
     * The type.
     */
    type:
      | 'chargeback'
      | 'early_fraud_warning'
      | 'refund_fraud'
      | 'user_report'
      | 'dispute_won'
      | 'challenge_passed'
      | 'challenge_failed'
      | 'authorized'
      | 'declined';
    /**
     * The verdict on the attempt that follows from the outcome.
     */
    label: 'fraud' | 'legitimate' | 'none';
    /**
     * Whether a won dispute took it back.
     */
    withdrawn: boolean;
    /**
     * When it happened; not in the future.
     */
    occurred_at: string;
    /**
     * When it was recorded.
     */
    recorded_at: string;
    /**
     * Why the bank declined the payment; `other` for a code that is not known.
     */
    decline_reason?:
      | 'incorrect_cvc'
      | 'incorrect_number'
      | 'expired_card'
      | 'lost_or_stolen'
      | 'suspected_fraud'
      | 'do_not_honor'
      | 'insufficient_funds'
      | 'processor_error'
      | 'other';
    /**
     * The result of the check of the CVC.
     */
    cvc_check?: 'pass' | 'fail' | 'unavailable';
    /**
     * The result of the check of the billing address.
     */
    address_check?: 'pass' | 'fail' | 'unavailable';
    /**
     * The result of 3-D Secure; `attempted` if the bank does not take part.
     */
    three_d_secure?: 'authenticated' | 'attempted' | 'failed' | 'none';
  }[];
  /**
   * The label that counts now.
   */
  label_in_force?: ('fraud' | 'legitimate') | null;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface ReviewDecisionRequest {
  /**
   * The recommended action: `allow`, `challenge`, `review` or `block`.
   */
  decision: 'allow' | 'block';
  /**
   * The person who decided; null if none was named.
   */
  analyst_id?: string;
  /**
   * The person’s notes; null if there are none.
   */
  notes?: string;
  /**
   * Why the person decided so, as one of the account’s codes; null if none was given.
   */
  reason_code?: string;
}
export interface Decision {
  /**
   * The ID of the decision.
   */
  decision_id: string;
  subject_type: SubjectType;
  /**
   * The ID of the transaction or event.
   */
  subject_id: string;
  /**
   * Your ID of the user.
   */
  user_id: string;
  /**
   * The amount in the currency’s main unit.
   */
  amount?: number;
  /**
   * ISO 4217 code of the currency.
   */
  currency?: string;
  /**
   * The type of event.
   */
  event_type?: string;
  decision: DecisionName;
  automated_decision: DecisionName;
  /**
   * The rule, list, score or sandbox request that determined the decision.
   */
  decided_by: {
    /**
     * The kind of reason: the score, a rule, a list, or a sandbox request.
     */
    kind: 'score' | 'rule' | 'list' | 'sandbox';
    /**
     * The name of the rule or list; null if it was the score.
     */
    name: string | null;
  };
  /**
   * The active rules that matched.
   */
  rules: AppliedRule[];
  /**
   * Names of the account’s lists that matched.
   */
  lists: string[];
  /**
   * Rules in shadow that would have matched; without effect.
   */
  shadow_rules: AppliedRule[];
  /**
   * The values of the counters that rules read, by name.
   */
  counters?: {
    [k: string]: number;
  };
  /**
   * The risk from 0 to 100.
   */
  risk_score: number;
  /**
   * The signals that raised the score, the strongest first.
   */
  signals: string[];
  explanation: Explanation;
  /**
   * The model that scored it; `rules-1` if the signals decided alone.
   */
  model_version: string;
  /**
   * The version of what was known offline of addresses and domains; `npm run intelligence -- list` tells them.
   */
  intelligence_version?: string;
  /**
   * The review case; null unless the decision is `review`.
   */
  case_id: string | null;
  /**
   * When the service decided.
   */
  decided_at: string;
  /**
   * A person’s decision that replaces the automated one; null if there is none.
   */
  review: {
    /**
     * The decision of the person.
     */
    decision: 'allow' | 'block';
    /**
     * The person who decided; null if none was named.
     */
    analyst_id: string | null;
    /**
     * The person’s notes; null if there are none.
     */
    notes: string | null;
    /**
     * When the person decided.
     */
    reviewed_at: string;
    /**
     * Why the person decided so, as one of the account’s codes; null if none was given.
     */
    reason_code?: string;
  } | null;
  /**
   * The decision in words that may be shown to the person concerned. It does not help anybody to get around the screening.
   */
  customer_explanation: string;
  /**
   * Attributes that the account shows to its analysts; absent if there are none.
   */
  displayed?: {
    [k: string]: string;
  };
  /**
   * Software that acts for the user; absent if there is none that you know of.
   */
  agent?: {
    /**
     * Who runs the agent, such as the host name of its key directory.
     */
    operator: string;
    /**
     * The key that signed the request.
     */
    key_id?: string;
    /**
     * Whether you verified the agent’s signature.
     */
    verified: boolean;
  };
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface CaseList {
  /**
   * The review cases.
   */
  cases: Case[];
  /**
   * How many there are in all; null if that is not known.
   */
  total: number | null;
  /**
   * The most entries that a page has.
   */
  limit: number;
  /**
   * How many entries were skipped.
   */
  offset: number;
  /**
   * Whether there are more after this page.
   */
  has_more: boolean;
  /**
   * Send it as `cursor` to get the next page; null on the last one.
   */
  next_cursor?: string | null;
  /**
   * The creation of the last case that was read, if a search stopped before the end; null if it read all that it needed.
   */
  searched_to?: string | null;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface Case {
  /**
   * The review case; null unless the decision is `review`.
   */
  case_id: string;
  subject_type: SubjectType;
  /**
   * The ID of the transaction or event.
   */
  subject_id: string;
  /**
   * Your ID of the user.
   */
  user_id: string;
  /**
   * The amount in the currency’s main unit.
   */
  amount?: number;
  /**
   * ISO 4217 code of the currency.
   */
  currency?: string;
  /**
   * The type of event.
   */
  event_type?: string;
  status: CaseStatus;
  /**
   * The risk from 0 to 100.
   */
  risk_score: number;
  /**
   * The recommended action: `allow`, `challenge`, `review` or `block`.
   */
  decision: 'review';
  /**
   * The signals that raised the score, the strongest first.
   */
  signals: string[];
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * When it expires.
   */
  expires_at: string;
  /**
   * When the case was resolved; null while it is open or if it expired.
   */
  resolved_at: string | null;
  /**
   * Who resolved the case; null if nobody did, or nobody was named.
   */
  resolved_by: string | null;
  /**
   * The person’s notes; null if there are none.
   */
  notes: string | null;
  /**
   * Why the person decided so, as one of the account’s codes; null if none was given.
   */
  reason_code?: string;
  /**
   * Who is working on the case; null if nobody is.
   */
  assignee: string | null;
  /**
   * Until when the assignee holds the case; null if nobody does.
   */
  claimed_until: string | null;
  /**
   * Number of comments on the case.
   */
  comments: number;
  /**
   * A short name for the device, the same each time; not the fingerprint.
   */
  device: string | null;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface ResolveCaseRequest {
  /**
   * The state it is in.
   */
  status: 'approved' | 'rejected';
  /**
   * The person who decided; null if none was named.
   */
  analyst_id?: string;
  /**
   * The person’s notes; null if there are none.
   */
  notes?: string;
  /**
   * Why the person decided so, as one of the account’s codes; null if none was given.
   */
  reason_code?: string;
  /**
   * Resolve it although somebody else holds it.
   */
  force?: boolean;
}
export interface ClaimCaseRequest {
  /**
   * The person who decided; null if none was named.
   */
  analyst_id?: string;
  /**
   * The colleague who gets the case.
   */
  assign_to?: string;
}
export interface CommentCaseRequest {
  /**
   * The text.
   */
  text: string;
  /**
   * The person who decided; null if none was named.
   */
  analyst_id?: string;
}
export interface CaseComment {
  /**
   * The ID of the comment.
   */
  comment_id: string;
  /**
   * The review case; null unless the decision is `review`.
   */
  case_id: string;
  /**
   * The text.
   */
  text: string;
  /**
   * Who did it: a person, a key or the service.
   */
  actor: string;
  /**
   * When it happened, or the start of the interval.
   */
  at: string;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface CaseTimeline {
  /**
   * The entries.
   */
  entries: {
    /**
     * When it happened, or the start of the interval.
     */
    at: string;
    /**
     * Who did it: a person, a key or the service.
     */
    actor: string | null;
    /**
     * The type of event.
     */
    kind:
      | 'screened'
      | 'case_opened'
      | 'claimed'
      | 'released'
      | 'assigned'
      | 'commented'
      | 'viewed'
      | 'resolved'
      | 'reviewed'
      | 'corrected'
      | 'outcome'
      | 'expired';
    /**
     * Whether the actor is proven by a personal key, or only named in the request.
     */
    proven?: boolean;
    /**
     * The ID of the API key; for a person who signed in, `oidc_` and a hash that stays the same.
     */
    key_id?: string;
    decision?: DecisionName;
    previous_decision?: DecisionName;
    /**
     * The risk from 0 to 100.
     */
    risk_score?: number;
    /**
     * The text.
     */
    text?: string;
    /**
     * The person’s notes; null if there are none.
     */
    notes?: string | null;
    /**
     * The account’s code of a person’s reason, or the network’s code of a dispute.
     */
    reason_code?: string;
    /**
     * For the kind `outcome`: what was reported from outside.
     */
    outcome?:
      | 'chargeback'
      | 'early_fraud_warning'
      | 'refund_fraud'
      | 'user_report'
      | 'dispute_won'
      | 'challenge_passed'
      | 'challenge_failed'
      | 'authorized'
      | 'declined';
    /**
     * The verdict on the attempt that follows from the outcome.
     */
    label?: 'fraud' | 'legitimate' | 'none';
    /**
     * Whether its label is the one that counts.
     */
    in_force?: boolean;
    /**
     * Whether a won dispute took it back.
     */
    withdrawn?: boolean;
    /**
     * The card network of the dispute.
     */
    network?: string;
    /**
     * The amount in the currency’s main unit.
     */
    amount?: number;
    /**
     * ISO 4217 code of the currency.
     */
    currency?: string;
    /**
     * When it happened; not in the future.
     */
    occurred_at?: string;
    /**
     * Why the bank declined the payment; `other` for a code that is not known.
     */
    decline_reason?:
      | 'incorrect_cvc'
      | 'incorrect_number'
      | 'expired_card'
      | 'lost_or_stolen'
      | 'suspected_fraud'
      | 'do_not_honor'
      | 'insufficient_funds'
      | 'processor_error'
      | 'other';
    /**
     * The result of the check of the CVC.
     */
    cvc_check?: 'pass' | 'fail' | 'unavailable';
    /**
     * The result of the check of the billing address.
     */
    address_check?: 'pass' | 'fail' | 'unavailable';
    /**
     * The result of 3-D Secure; `attempted` if the bank does not take part.
     */
    three_d_secure?: 'authenticated' | 'attempted' | 'failed' | 'none';
  }[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface ResolveCasesRequest {
  /**
   * The state it is in.
   */
  status: 'approved' | 'rejected';
  /**
   * The person who decided; null if none was named.
   */
  analyst_id?: string;
  /**
   * The person’s notes; null if there are none.
   */
  notes?: string;
  /**
   * Why the person decided so, as one of the account’s codes; null if none was given.
   */
  reason_code?: string;
  /**
   * Resolve it although somebody else holds it.
   */
  force?: boolean;
  /**
   * The cases to resolve.
   */
  case_ids: string[];
}
export interface CaseResults {
  /**
   * The result of each item.
   */
  results: {
    /**
     * The review case; null unless the decision is `review`.
     */
    case_id: string;
    /**
     * The state it is in.
     */
    status:
      | 'ok'
      | 'invalid_request'
      | 'unsupported_api_version'
      | 'unauthorized'
      | 'forbidden'
      | 'not_found'
      | 'method_not_allowed'
      | 'case_not_open'
      | 'case_claimed'
      | 'list_type_fixed'
      | 'in_use'
      | 'built_in'
      | 'idempotency_in_progress'
      | 'version_mismatch'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_mismatch'
      | 'rate_limited'
      | 'internal_error'
      | 'unavailable';
  }[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface Overview {
  /**
   * The start of the span, inclusive.
   */
  start_date: string;
  /**
   * The end of the span, exclusive.
   */
  end_date: string;
  /**
   * Number of screenings.
   */
  screenings: {
    /**
     * How many there are in all; null if that is not known.
     */
    total: number;
    /**
     * Number of transactions.
     */
    transactions: number;
    /**
     * The types of events that the endpoint receives.
     */
    events: number;
    /**
     * Number of decisions `allow`.
     */
    allow: number;
    /**
     * Number of decisions `challenge`.
     */
    challenge: number;
    /**
     * Number of decisions `review`.
     */
    review: number;
    /**
     * Number of decisions `block`.
     */
    block: number;
  };
  /**
   * Screenings by the decision in force: a person’s, else the automated one.
   */
  in_force: {
    /**
     * Number of decisions `allow`.
     */
    allow: number;
    /**
     * Number of decisions `challenge`.
     */
    challenge: number;
    /**
     * Number of decisions `review`.
     */
    review: number;
    /**
     * Number of decisions `block`.
     */
    block: number;
  };
  /**
   * Sums of payments in US dollars, at rough rates.
   */
  money: {
    /**
     * Payments that are blocked now.
     */
    blocked_usd: number;
    /**
     * Payments that wait for a person, or did so in vain.
     */
    held_usd: number;
    /**
     * Payments that were allowed, and that somebody outside reported as fraud.
     */
    missed_usd: number;
  };
  /**
   * Payments that were allowed, and that somebody outside reported as fraud.
   */
  missed_fraud: number;
  /**
   * The review cases.
   */
  cases: {
    /**
     * Cases that were opened.
     */
    opened: number;
    /**
     * Cases that are open now.
     */
    open: number;
    /**
     * Cases that were approved.
     */
    approved: number;
    /**
     * Cases that were rejected.
     */
    rejected: number;
    /**
     * Cases that expired without a decision.
     */
    expired: number;
  };
  /**
   * Share of resolved cases that were rejected; null if none was resolved.
   */
  review_precision: number | null;
  /**
   * Share of fraud among automatic blocks whose outcome is known; null if none is.
   */
  block_precision: number | null;
  /**
   * How long one entry of `decisions` is.
   */
  interval: 'hour' | 'day';
  /**
   * The decisions.
   */
  decisions: {
    /**
     * When it happened, or the start of the interval.
     */
    at: string;
    /**
     * Number of decisions `allow`.
     */
    allow: number;
    /**
     * Number of decisions `challenge`.
     */
    challenge: number;
    /**
     * Number of decisions `review`.
     */
    review: number;
    /**
     * Number of decisions `block`.
     */
    block: number;
  }[];
  /**
   * Screenings and labels by bands of ten points.
   */
  scores: {
    /**
     * The first score of the band.
     */
    from: number;
    /**
     * The last score of the band.
     */
    to: number;
    /**
     * Number of decisions `allow`.
     */
    allow: number;
    /**
     * Number of decisions `challenge`.
     */
    challenge: number;
    /**
     * Number of decisions `review`.
     */
    review: number;
    /**
     * Number of decisions `block`.
     */
    block: number;
    /**
     * Attempts that people confirmed as fraud.
     */
    confirmed_fraud: number;
    /**
     * Attempts that people confirmed as legitimate.
     */
    confirmed_legitimate: number;
  }[];
  /**
   * The signals that raised the score, the strongest first.
   */
  signals: {
    /**
     * The name of the signal.
     */
    signal: string;
    /**
     * How many there are.
     */
    count: number;
    /**
     * Attempts that people confirmed as fraud.
     */
    confirmed_fraud: number;
    /**
     * Attempts that people confirmed as legitimate.
     */
    confirmed_legitimate: number;
  }[];
  /**
   * Confirmed outcomes.
   */
  outcomes: {
    /**
     * Outcomes of the attempts that were allowed.
     */
    allow: {
      /**
       * Attempts that people confirmed as fraud.
       */
      confirmed_fraud: number;
      /**
       * Attempts that people confirmed as legitimate.
       */
      confirmed_legitimate: number;
    };
    /**
     * Outcomes of the attempts that were challenged.
     */
    challenge: {
      /**
       * Attempts that people confirmed as fraud.
       */
      confirmed_fraud: number;
      /**
       * Attempts that people confirmed as legitimate.
       */
      confirmed_legitimate: number;
    };
    /**
     * Outcomes of the attempts that went to review.
     */
    review: {
      /**
       * Attempts that people confirmed as fraud.
       */
      confirmed_fraud: number;
      /**
       * Attempts that people confirmed as legitimate.
       */
      confirmed_legitimate: number;
    };
    /**
     * Outcomes of the attempts that were blocked.
     */
    block: {
      /**
       * Attempts that people confirmed as fraud.
       */
      confirmed_fraud: number;
      /**
       * Attempts that people confirmed as legitimate.
       */
      confirmed_legitimate: number;
    };
  };
  /**
   * The work of analysts on the cases of the span.
   */
  desk: {
    /**
     * Cases that were resolved.
     */
    resolved: number;
    /**
     * Cases that were resolved within an hour.
     */
    within_hour: number;
    /**
     * Seconds from the opening of a case to its resolution, on average; null if none was resolved.
     */
    average_seconds: number | null;
    /**
     * The work of each analyst, the busiest first, at most 100.
     */
    analysts: {
      /**
       * Who resolved the cases; null for those without a name.
       */
      analyst: string | null;
      /**
       * Cases that were resolved.
       */
      resolved: number;
      /**
       * Cases that were rejected.
       */
      rejected: number;
      /**
       * Seconds from the opening of a case to its resolution, on average; null if none was resolved.
       */
      average_seconds: number | null;
    }[];
  };
  /**
   * The same totals for the span before; null if it is no longer kept.
   */
  previous: {
    /**
     * The start of the span, inclusive.
     */
    start_date: string;
    /**
     * The end of the span, exclusive.
     */
    end_date: string;
    /**
     * Number of screenings.
     */
    screenings: {
      /**
       * How many there are in all; null if that is not known.
       */
      total: number;
      /**
       * Number of transactions.
       */
      transactions: number;
      /**
       * The types of events that the endpoint receives.
       */
      events: number;
      /**
       * Number of decisions `allow`.
       */
      allow: number;
      /**
       * Number of decisions `challenge`.
       */
      challenge: number;
      /**
       * Number of decisions `review`.
       */
      review: number;
      /**
       * Number of decisions `block`.
       */
      block: number;
    };
    /**
     * Screenings by the decision in force: a person’s, else the automated one.
     */
    in_force: {
      /**
       * Number of decisions `allow`.
       */
      allow: number;
      /**
       * Number of decisions `challenge`.
       */
      challenge: number;
      /**
       * Number of decisions `review`.
       */
      review: number;
      /**
       * Number of decisions `block`.
       */
      block: number;
    };
    /**
     * Sums of payments in US dollars, at rough rates.
     */
    money: {
      /**
       * Payments that are blocked now.
       */
      blocked_usd: number;
      /**
       * Payments that wait for a person, or did so in vain.
       */
      held_usd: number;
      /**
       * Payments that were allowed, and that somebody outside reported as fraud.
       */
      missed_usd: number;
    };
    /**
     * Payments that were allowed, and that somebody outside reported as fraud.
     */
    missed_fraud: number;
    /**
     * The review cases.
     */
    cases: {
      /**
       * Cases that were opened.
       */
      opened: number;
      /**
       * Cases that are open now.
       */
      open: number;
      /**
       * Cases that were approved.
       */
      approved: number;
      /**
       * Cases that were rejected.
       */
      rejected: number;
      /**
       * Cases that expired without a decision.
       */
      expired: number;
    };
    /**
     * Share of resolved cases that were rejected; null if none was resolved.
     */
    review_precision: number | null;
    /**
     * Share of fraud among automatic blocks whose outcome is known; null if none is.
     */
    block_precision: number | null;
  } | null;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface CreateWebhookRequest {
  /**
   * Where deliveries are sent.
   */
  url: string;
  /**
   * The types of events that the endpoint receives.
   */
  events: EventType[];
  /**
   * Your own name for the endpoint; null if it has none.
   */
  label?: string;
}
export interface CreatedWebhook {
  /**
   * The ID of the webhook endpoint.
   */
  webhook_id: string;
  /**
   * Where deliveries are sent.
   */
  url: string;
  /**
   * The types of events that the endpoint receives.
   */
  events: EventType[];
  /**
   * Your own name for the endpoint; null if it has none.
   */
  label: string | null;
  /**
   * The state it is in.
   */
  status: 'enabled' | 'disabled';
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * When the endpoint was disabled; absent while it is enabled.
   */
  disabled_at?: string;
  /**
   * Why it was disabled: it responded 410, or it kept failing.
   */
  disabled_reason?: 'gone' | 'failing';
  /**
   * Verifies deliveries. No other call shows it.
   */
  signing_secret: string;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface WebhookList {
  /**
   * The webhook endpoints.
   */
  webhooks: Webhook[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface Webhook {
  /**
   * The ID of the webhook endpoint.
   */
  webhook_id: string;
  /**
   * Where deliveries are sent.
   */
  url: string;
  /**
   * The types of events that the endpoint receives.
   */
  events: EventType[];
  /**
   * Your own name for the endpoint; null if it has none.
   */
  label: string | null;
  /**
   * The state it is in.
   */
  status: 'enabled' | 'disabled';
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * When the endpoint was disabled; absent while it is enabled.
   */
  disabled_at?: string;
  /**
   * Why it was disabled: it responded 410, or it kept failing.
   */
  disabled_reason?: 'gone' | 'failing';
}
export interface Delivery {
  /**
   * The ID of the delivery.
   */
  delivery_id: string;
  /**
   * The ID of the webhook endpoint.
   */
  webhook_id: string;
  /**
   * The ID of the message; the same for every endpoint and attempt.
   */
  message_id: string;
  /**
   * The type of event.
   */
  event_type:
    | 'transaction.screened'
    | 'transaction.decision.block'
    | 'event.screened'
    | 'case.created'
    | 'case.resolved'
    | 'decision.reviewed'
    | 'list.changed'
    | 'rule.changed'
    | 'webhook.test';
  status: DeliveryStatus;
  /**
   * Why the delivery ended without being delivered; null otherwise.
   */
  reason: ('attempts_exhausted' | 'endpoint_gone' | 'endpoint_deleted' | 'endpoint_disabled') | null;
  /**
   * The number of the delivery attempt, from 1.
   */
  attempt: number;
  /**
   * When the next attempt is due; null if there is none.
   */
  next_attempt_at: string | null;
  /**
   * When the delivery was delivered or given up; null while it is pending.
   */
  completed_at: string | null;
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * The delivery whose message it repeats; null if it is the first.
   */
  redelivery_of: string | null;
  /**
   * The delivery attempts, oldest first.
   */
  attempts: DeliveryAttempt[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface DeliveryAttempt {
  /**
   * The number of the delivery attempt, from 1.
   */
  attempt: number;
  /**
   * When the attempt began.
   */
  started_at: string;
  /**
   * How long the attempt took, in milliseconds.
   */
  duration_ms: number;
  /**
   * How the attempt ended.
   */
  outcome: 'delivered' | 'refused' | 'timeout' | 'blocked' | 'tls' | 'network';
  /**
   * The HTTP status of the response; null if there was none.
   */
  status_code: number | null;
  /**
   * The error, if there was one; otherwise null.
   */
  error: string | null;
  /**
   * The beginning of the endpoint’s response, for finding mistakes.
   */
  answer: string | null;
}
export interface DeliveryList {
  /**
   * The deliveries, newest first.
   */
  deliveries: Delivery[];
  /**
   * The most entries that a page has.
   */
  limit: number;
  /**
   * How many entries were skipped.
   */
  offset: number;
  /**
   * Whether there are more after this page.
   */
  has_more: boolean;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface Me {
  /**
   * The ID of the account.
   */
  account_id: string;
  /**
   * The ID of the API key; for a person who signed in, `oidc_` and a hash that stays the same.
   */
  key_id: string;
  /**
   * Whose personal key it is; null if it belongs to a system.
   */
  person: string | null;
  /**
   * The role of the key: `admin`, `server`, `analyst` or `readonly`.
   */
  role: string;
  /**
   * The permissions of the key.
   */
  permissions: string[];
  /**
   * The codes that the account’s reviews use.
   */
  reason_codes: string[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface DecisionList {
  /**
   * The decisions.
   */
  decisions: ReportedDecision[];
  /**
   * Send it as `cursor` to get the next page; null on the last one.
   */
  next_cursor: string | null;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface Evidence {
  /**
   * The ID of the decision.
   */
  decision_id: string;
  /**
   * The customer’s IPv4 or IPv6 address.
   */
  ip_address?: string;
  /**
   * The country in which the IP address is registered.
   */
  ip_country?: string;
  /**
   * The number of the network that announces the IP address.
   */
  ip_asn?: number;
  /**
   * The kind of network: `residential`, `hosting` and so on.
   */
  ip_network?: string;
  /**
   * How the customer pays.
   */
  payment_method?: string;
  /**
   * The country of the billing address.
   */
  billing_country?: string;
  /**
   * The token of the device SDK, or your own.
   */
  device_fingerprint?: string;
  /**
   * Your own IDs of the payment: an order, a payment intent, a charge.
   */
  references?: string[];
  /**
   * The attributes.
   */
  attributes?: {
    [k: string]: string;
  };
  /**
   * Whether anything was kept.
   */
  kept: boolean;
  /**
   * Whether members were left out because the key may not see them.
   */
  withheld: boolean;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface RuleTest {
  /**
   * How many days back to look; in a response, how many days the numbers cover.
   */
  days: number;
  /**
   * How many stored screenings the numbers rest on.
   */
  rows: number;
  /**
   * How many attempts were looked at.
   */
  screened: number;
  /**
   * How many attempts it would have matched.
   */
  matched: number;
  /**
   * How many it would match per day.
   */
  matched_per_day: number;
  /**
   * The lowest and the highest number of matches that the sample supports, at 95%.
   */
  interval: number[];
  /**
   * Attempts that have a label.
   */
  labelled: number;
  /**
   * Matched attempts that are labelled as fraud.
   */
  fraud_matched: number;
  /**
   * Matched attempts that are labelled as legitimate.
   */
  legitimate_matched: number;
  /**
   * Share of fraud among the labelled attempts that it would have matched.
   */
  precision: number | null;
  /**
   * Share of the labelled fraud that it would have matched.
   */
  recall: number | null;
  /**
   * How many decisions it would have changed, by what to what.
   */
  flips: {
    from: DecisionName;
    to: DecisionName;
    /**
     * How many there are.
     */
    count: number;
  }[];
  /**
   * Sum of amounts in US dollars, at rough rates.
   */
  amount_usd: number;
  /**
   * Names that the stored traffic, or some of it, cannot answer for.
   */
  not_testable: string[];
  /**
   * The state it is in.
   */
  status?: 'running' | 'complete';
  /**
   * The ID of a test on the warehouse, with which its result is fetched; absent where the result is here.
   */
  test_id?: string;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface Rule {
  /**
   * The name.
   */
  name: string;
  /**
   * The condition, in a subset of CEL.
   */
  expression: string;
  action: RuleAction;
  /**
   * How much it adds to the score, or takes away.
   */
  points: number | null;
  /**
   * Among rules of the same action, the lower one wins.
   */
  priority: number;
  state: RuleState;
  /**
   * The share of users that the rule applies to.
   */
  rollout_percent: number;
  /**
   * Which attempts the rule is evaluated for; all if absent. A rule that names every built-in kind is evaluated for your own event types too.
   */
  applies_to: string[];
  /**
   * When it expires.
   */
  expires_at: string | null;
  /**
   * A note for people.
   */
  note: string | null;
  /**
   * Whether an `allow` also beats a confirmed fraud.
   */
  override_labels: boolean;
  /**
   * The version of the rule, from 1.
   */
  version: number;
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * When it was last changed.
   */
  updated_at: string;
  /**
   * The person or key that changed it last.
   */
  updated_by: string;
  /**
   * How often the rule matched.
   */
  matches: {
    /**
     * In the last 24 hours.
     */
    last_24h: number;
    /**
     * In the last 7 days.
     */
    last_7d: number;
  };
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface RuleVersionList {
  /**
   * The versions, newest first.
   */
  versions: {
    /**
     * The name.
     */
    name: string;
    /**
     * The condition, in a subset of CEL.
     */
    expression: string;
    action: RuleAction;
    /**
     * How much it adds to the score, or takes away.
     */
    points: number | null;
    /**
     * Among rules of the same action, the lower one wins.
     */
    priority: number;
    state: RuleState;
    /**
     * The share of users that the rule applies to.
     */
    rollout_percent: number;
    /**
     * Which attempts the rule is evaluated for; all if absent. A rule that names every built-in kind is evaluated for your own event types too.
     */
    applies_to: string[];
    /**
     * When it expires.
     */
    expires_at: string | null;
    /**
     * A note for people.
     */
    note: string | null;
    /**
     * Whether an `allow` also beats a confirmed fraud.
     */
    override_labels: boolean;
    /**
     * The version of the rule, from 1.
     */
    version: number;
    /**
     * When it was created.
     */
    created_at: string;
    /**
     * When it was last changed.
     */
    updated_at: string;
    /**
     * The person or key that changed it last.
     */
    updated_by: string;
  }[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface RuleList {
  /**
   * The active rules that matched.
   */
  rules: Rule[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface PutRuleRequest {
  /**
   * The condition, in a subset of CEL.
   */
  expression: string;
  action: RuleAction;
  /**
   * How much it adds to the score, or takes away.
   */
  points?: number | null;
  /**
   * Among rules of the same action, the lower one wins.
   */
  priority?: number | null;
  /**
   * Whether the rule is in effect.
   */
  state?: RuleState | null;
  /**
   * The share of users that the rule applies to.
   */
  rollout_percent?: number | null;
  /**
   * Which attempts the rule is evaluated for; all if absent. A rule that names every built-in kind is evaluated for your own event types too.
   */
  applies_to?: string[] | null;
  /**
   * When it expires.
   */
  expires_at?: string | null;
  /**
   * A note for people.
   */
  note?: string | null;
  /**
   * Whether an `allow` also beats a confirmed fraud.
   */
  override_labels?: boolean | null;
}
export interface UserLinks {
  /**
   * The linked users, devices and other values.
   */
  nodes: {
    /**
     * The ID.
     */
    id: string;
    /**
     * The type.
     */
    type: string;
    /**
     * Your own name for the endpoint; null if it has none.
     */
    label: string;
    /**
     * Your ID of the user.
     */
    user_id?: string;
    /**
     * Attempts that people confirmed as fraud.
     */
    confirmed_fraud: boolean;
    /**
     * How many users it has.
     */
    users: number;
  }[];
  /**
   * Which nodes are linked.
   */
  edges: {
    /**
     * The node where it starts.
     */
    from: string;
    /**
     * The node where it ends.
     */
    to: string;
    /**
     * Since when they are linked.
     */
    since: string;
  }[];
  /**
   * Whether there was more than could be shown.
   */
  truncated: boolean;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface PutListRequest {
  /**
   * The type.
   */
  type: string;
  effect: ListEffect;
  /**
   * A note for people.
   */
  note?: string | null;
}
export interface List {
  /**
   * The name.
   */
  name: string;
  /**
   * The type.
   */
  type: string;
  effect: ListEffect;
  /**
   * A note for people.
   */
  note: string | null;
  /**
   * The entries.
   */
  entries: number;
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * When it was last changed.
   */
  updated_at: string;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface Lists {
  /**
   * Names of the account’s lists that matched.
   */
  lists: List[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface AddListEntriesRequest {
  /**
   * The entries.
   */
  entries: {
    /**
     * The value.
     */
    value: string;
    /**
     * When it expires.
     */
    expires_at?: string | null;
    /**
     * Why the delivery ended without being delivered; null otherwise.
     */
    reason?: string | null;
  }[];
}
export interface AddedListEntries {
  /**
   * How many entries were new.
   */
  added: number;
  /**
   * How many entries existed and were changed.
   */
  updated: number;
  /**
   * Cases that were rejected.
   */
  rejected: {
    /**
     * The position of the entry in the request, from 0.
     */
    index: number;
    /**
     * The error in words.
     */
    message: string;
  }[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface ListEntryPage {
  /**
   * The entries.
   */
  entries: ListEntry[];
  /**
   * Send it as `cursor` to get the next page; null on the last one.
   */
  next_cursor: string | null;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface ListEntry {
  /**
   * The value.
   */
  value: string;
  /**
   * When it expires.
   */
  expires_at: string | null;
  /**
   * Why the delivery ended without being delivered; null otherwise.
   */
  reason: string | null;
  /**
   * When the entry was added.
   */
  added_at: string;
  /**
   * The person or key that added it.
   */
  added_by: string;
  /**
   * The person, or the name of the key, that added it.
   */
  added_by_name: string;
}
export interface AddReferencesRequest {
  /**
   * Your own IDs of the payment: an order, a payment intent, a charge.
   */
  references: string[];
}
export interface AddedReferences {
  /**
   * The ID of the transaction.
   */
  transaction_id: string;
  /**
   * Your own IDs of the payment: an order, a payment intent, a charge.
   */
  references: string[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface RecordOutcomeRequest {
  /**
   * The ID of the transaction or event.
   */
  subject_id?: string;
  /**
   * One of the references that the screening was given.
   */
  reference?: string;
  /**
   * The type.
   */
  type:
    | 'chargeback'
    | 'early_fraud_warning'
    | 'refund_fraud'
    | 'user_report'
    | 'dispute_won'
    | 'challenge_passed'
    | 'challenge_failed'
    | 'authorized'
    | 'declined';
  /**
   * Your or the provider’s ID of the outcome; the same one again has no second effect.
   */
  source_id: string;
  /**
   * The network’s reason code of the dispute.
   */
  reason_code?: string;
  /**
   * The card network.
   */
  network?: string;
  /**
   * The amount in the currency’s main unit.
   */
  amount?: number;
  /**
   * ISO 4217 code of the currency.
   */
  currency?: string;
  /**
   * When it happened; not in the future.
   */
  occurred_at: string;
  /**
   * Why the bank declined the payment; `other` for a code that is not known.
   */
  decline_reason?:
    | 'incorrect_cvc'
    | 'incorrect_number'
    | 'expired_card'
    | 'lost_or_stolen'
    | 'suspected_fraud'
    | 'do_not_honor'
    | 'insufficient_funds'
    | 'processor_error'
    | 'other';
  /**
   * The result of the check of the CVC.
   */
  cvc_check?: 'pass' | 'fail' | 'unavailable';
  /**
   * The result of the check of the billing address.
   */
  address_check?: 'pass' | 'fail' | 'unavailable';
  /**
   * The result of 3-D Secure; `attempted` if the bank does not take part.
   */
  three_d_secure?: 'authenticated' | 'attempted' | 'failed' | 'none';
}
export interface Outcome {
  /**
   * The ID of the outcome.
   */
  outcome_id: string;
  /**
   * The ID of the transaction or event.
   */
  subject_id: string | null;
  /**
   * The type.
   */
  type:
    | 'chargeback'
    | 'early_fraud_warning'
    | 'refund_fraud'
    | 'user_report'
    | 'dispute_won'
    | 'challenge_passed'
    | 'challenge_failed'
    | 'authorized'
    | 'declined';
  /**
   * The verdict on the attempt that follows from the outcome.
   */
  label: 'fraud' | 'legitimate' | 'none';
  /**
   * The label that counts now.
   */
  label_in_force: ('fraud' | 'legitimate') | null;
  /**
   * Whether it was applied to a subject. False until a reference becomes known.
   */
  applied: boolean;
  /**
   * When it was recorded.
   */
  recorded_at: string;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface TestRuleRequest {
  /**
   * The condition, in a subset of CEL.
   */
  expression: string;
  action: RuleAction;
  /**
   * How much it adds to the score, or takes away.
   */
  points?: number | null;
  /**
   * How many days back to look; in a response, how many days the numbers cover.
   */
  days?: number | null;
}
export interface RequestedErasure {
  /**
   * The ID of the erasure.
   */
  erasure_id: string;
  /**
   * Whether confirmed fraud and entries of block lists stay, by pseudonym alone: true unless `everything` was asked for.
   */
  keeps_fraud_evidence: boolean;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface UserExport {
  /**
   * Your ID of the user.
   */
  user_id: string;
  /**
   * When the export was made.
   */
  exported_at: string;
  /**
   * Counts kept about the user; null if there are none.
   */
  profile: RiskProfile | null;
  /**
   * The decisions.
   */
  decisions: ReportedDecision[];
  /**
   * The fields that were sent with the decisions, as far as they were kept.
   */
  evidence: Evidence[];
  /**
   * The review cases.
   */
  cases: Case[];
  /**
   * Number of comments on the case.
   */
  comments: {
    /**
     * The review case; null unless the decision is `review`.
     */
    case_id: string;
    /**
     * When it happened, or the start of the interval.
     */
    at: string;
    /**
     * Who did it: a person, a key or the service.
     */
    actor: string;
    /**
     * The text.
     */
    text: string;
  }[];
  /**
   * Devices, addresses and attributes that the user shares with others.
   */
  links: UserLinks | null;
  /**
   * The values of the counters that rules read, by name.
   */
  counters: {
    [k: string]: number;
  };
  /**
   * Entries of lists that name the user, or something that nobody else was seen with.
   */
  list_entries: {
    /**
     * The name of the list.
     */
    list: string;
    /**
     * The value.
     */
    value: string;
    /**
     * Why the delivery ended without being delivered; null otherwise.
     */
    reason: string | null;
    /**
     * When it expires.
     */
    expires_at: string | null;
    /**
     * When the entry was added.
     */
    added_at: string;
  }[];
  /**
   * Send it as `cursor` to get the next page; null on the last one.
   */
  next_cursor: string | null;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface ForgetLabelsRequest {
  /**
   * Why the delivery ended without being delivered; null otherwise.
   */
  reason: string;
}
export interface ForgottenLabels {
  /**
   * Your ID of the user.
   */
  user_id: string;
  /**
   * How many of each lost their labels.
   */
  forgotten: {
    /**
     * How many users it has.
     */
    users: number;
    /**
     * The user’s devices.
     */
    devices: number;
    /**
     * How many of the user’s cards lost labels.
     */
    cards: number;
  };
  /**
   * When the labels were taken back.
   */
  forgotten_at: string;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface Erasure {
  /**
   * The ID of the erasure.
   */
  erasure_id: string;
  /**
   * The state it is in.
   */
  status: 'pending' | 'completed';
  /**
   * When the erasure was requested.
   */
  requested_at: string;
  /**
   * The person or key that requested it.
   */
  requested_by: string;
  /**
   * When the delivery was delivered or given up; null while it is pending.
   */
  completed_at: string | null;
  /**
   * Whether confirmed fraud and entries of block lists stay, by pseudonym alone: true unless `everything` was asked for.
   */
  keeps_fraud_evidence: boolean;
  /**
   * How many items the erasure has looked at so far.
   */
  items_checked: number;
  /**
   * How many items of each kind were erased so far.
   */
  erased: {
    [k: string]: number;
  };
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface ApiKeyList {
  /**
   * The API keys of the account.
   */
  keys: {
    /**
     * The ID of the API key; for a person who signed in, `oidc_` and a hash that stays the same.
     */
    key_id: string;
    /**
     * A name to show: the person, the label of the key, or how the key begins and ends.
     */
    name: string;
    /**
     * The first and last characters of the key, to tell it from others.
     */
    hint: string;
    /**
     * The role of the key: `admin`, `server`, `analyst` or `readonly`.
     */
    role: string;
    /**
     * Whose personal key it is; null if it belongs to a system.
     */
    person: string | null;
    /**
     * When it was created.
     */
    created_at: string;
    /**
     * From when on it is refused; null for never.
     */
    expires_at: string | null;
    /**
     * When it was revoked; null while it is valid.
     */
    revoked_at: string | null;
    /**
     * The start of the hour in which it was last used; null if it never was.
     */
    last_used_at: string | null;
  }[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface AttributeList {
  /**
   * The attributes.
   */
  attributes: Attribute[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface Attribute {
  /**
   * The key.
   */
  key: string;
  /**
   * The type.
   */
  type: 'text' | 'number' | 'boolean' | 'email' | 'phone' | 'ip_address' | 'country';
  /**
   * Whether each value has its own history, reputation, links and lists: the setting `tracked_attributes`.
   */
  entity: boolean;
  /**
   * A note for people.
   */
  note: string | null;
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * When it was last changed.
   */
  updated_at: string;
  /**
   * The person or key that changed it last.
   */
  updated_by: string;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface PutAttributeRequest {
  /**
   * The type.
   */
  type: 'text' | 'number' | 'boolean' | 'email' | 'phone' | 'ip_address' | 'country';
  /**
   * Whether each value has its own history, reputation, links and lists: the setting `tracked_attributes`.
   */
  entity?: boolean;
  /**
   * A note for people.
   */
  note?: string | null;
}
export interface EventTypeList {
  /**
   * The event types: built-in, then your own.
   */
  event_types: DeclaredEventType[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface DeclaredEventType {
  /**
   * The name.
   */
  name: string;
  /**
   * Whether every account has it.
   */
  built_in: boolean;
  /**
   * The amount in the currency’s main unit.
   */
  amount: 'none' | 'optional' | 'required';
  /**
   * Attributes that its events must have.
   */
  required: string[];
  /**
   * A score from here on leads to `review`, in place of the account’s threshold.
   */
  review_threshold: number | null;
  /**
   * A score from here on leads to `block`, in place of the account’s threshold.
   */
  block_threshold: number | null;
  /**
   * A note for people.
   */
  note: string | null;
  /**
   * When it was created.
   */
  created_at: string | null;
  /**
   * When it was last changed.
   */
  updated_at: string | null;
  /**
   * The person or key that changed it last.
   */
  updated_by: string | null;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface PutEventTypeRequest {
  /**
   * The amount in the currency’s main unit.
   */
  amount?: ('none' | 'optional' | 'required') | null;
  /**
   * Attributes that its events must have.
   */
  required?: string[] | null;
  /**
   * A score from here on leads to `review`, in place of the account’s threshold.
   */
  review_threshold?: number | null;
  /**
   * A score from here on leads to `block`, in place of the account’s threshold.
   */
  block_threshold?: number | null;
  /**
   * A note for people.
   */
  note?: string | null;
}
export interface CounterList {
  /**
   * The values of the counters that rules read, by name.
   */
  counters: Counter[];
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface Counter {
  /**
   * The name.
   */
  name: string;
  /**
   * Which attempts are counted: `transaction` and event types.
   */
  of: string[];
  /**
   * How many there are.
   */
  count: 'attempts' | 'distinct' | 'sum';
  /**
   * The value.
   */
  value: string | null;
  /**
   * The fields of which each combination is counted separately.
   */
  by: string[];
  /**
   * How far back it counts.
   */
  window: '10m' | '1h' | '24h' | '7d' | '30d';
  /**
   * Counts only requests that this expression over the request holds for.
   */
  where: string | null;
  /**
   * A note for people.
   */
  note: string | null;
  /**
   * The version of the rule, from 1.
   */
  version: number;
  /**
   * Since when they are linked.
   */
  since: string;
  /**
   * Write units for each attempt that it counts.
   */
  write_units: number;
  /**
   * When it was created.
   */
  created_at: string;
  /**
   * When it was last changed.
   */
  updated_at: string;
  /**
   * The person or key that changed it last.
   */
  updated_by: string;
  /**
   * Notes on the request, such as unknown fields. Absent if there are none.
   */
  warnings?: string[];
}
export interface PutCounterRequest {
  /**
   * Which attempts are counted: `transaction` and event types.
   */
  of: string[];
  /**
   * How many there are.
   */
  count: 'attempts' | 'distinct' | 'sum';
  /**
   * The value.
   */
  value?: string | null;
  /**
   * The fields of which each combination is counted separately.
   */
  by: string[];
  /**
   * How far back it counts.
   */
  window: '10m' | '1h' | '24h' | '7d' | '30d';
  /**
   * Counts only requests that this expression over the request holds for.
   */
  where?: string | null;
  /**
   * A note for people.
   */
  note?: string | null;
}
export interface ErrorBody {
  /**
   * The error.
   */
  error: {
    code: ErrorCode;
    /**
     * The error in words.
     */
    message: string;
    /**
     * The ID of the request; quote it when you ask about it.
     */
    request_id: string;
    /**
     * Every fault of the request, up to 50.
     */
    details?: {
      /**
       * Where in the request, such as `billing_address.country`.
       */
      field: string;
      /**
       * The error in words.
       */
      message: string;
    }[];
  };
}
