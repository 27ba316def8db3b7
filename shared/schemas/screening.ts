import * as z from 'zod/mini';
import { canonicalText } from '../domain/entities/canonical-value';
import { EVENT_ACTIONS } from '../domain/entities/entity-history';
import { parseIp } from '../domain/ip/parse-ip';
import { isCountry } from '../domain/ip/travel';
import { OUTCOME_TYPES } from '../domain/outcomes/outside-outcome';
import { CHECK_RESULTS, DECLINE_REASONS, THREE_D_SECURE_RESULTS } from '../domain/outcomes/processor-word';
import { wasEverCurrency } from '../domain/screening/currency-rates';
import { PAYMENT_METHODS } from '../domain/screening/screening-facts';
import { cursor, limit, nextCursor, warnings } from './conventions';
import { id, instant, references, text, timestamp } from './text';

/* Schemas are functions, so that each deployed function builds those of its own routes only: all of them take 5 ms of a cold start. */

/** The members that only a processor states. */
export const processorMembers = () => ({
  decline_reason: z.optional(z.enum(DECLINE_REASONS)),
  cvc_check: z.optional(z.enum(CHECK_RESULTS)),
  address_check: z.optional(z.enum(CHECK_RESULTS)),
  three_d_secure: z.optional(z.enum(THREE_D_SECURE_RESULTS)),
});

const MAX_ATTRIBUTES = 50;

const currency = () =>
  z.string().check(
    z.toUpperCase(),
    z.refine((code) => wasEverCurrency(code), 'must be an ISO 4217 currency code such as EUR'),
  );

const country = () =>
  z.string().check(
    z.toUpperCase(),
    z.refine((code) => isCountry(code), 'must be an ISO 3166-1 alpha-2 country code such as DE'),
  );

const ipAddress = () =>
  z.string().check(
    z.maxLength(45),
    z.refine((address) => parseIp(address) !== undefined, 'must be an IPv4 or IPv6 address'),
  );

const customAttributes = () =>
  z
    .record(text(1, 64), text(0, 512))
    .check(z.refine((map) => Object.keys(map).length <= MAX_ATTRIBUTES, `must have at most ${MAX_ATTRIBUTES} keys`));

function billingAddress() {
  const line = z.optional(text(0, 256));
  const lines = { line1: line, line2: line, city: line, state: line, postal_code: line };
  return z.object({ ...lines, country: z.optional(country()) });
}

/** Software that acts for the user. */
const agent = () =>
  z.object({
    operator: text(1, 256).check(
      z.refine((value) => value === '' || canonicalText(value) !== '', 'must have at least one visible character'),
    ),
    key_id: z.optional(text(1, 256)),
    verified: z.boolean(),
  });

/** Fields that transactions and events share. */
const subject = () => ({
  user_id: text(1, 128).check(
    z.refine((value) => value === '' || canonicalText(value) !== '', 'must have at least one visible character'),
  ),
  ip_address: z.optional(ipAddress()),
  device_fingerprint: z.optional(text(1, 256)),
  custom_attributes: z.optional(customAttributes()),
  references: z.optional(references()),
  agent: z.optional(agent()),
});

export const money = () => ({ amount: z.number().check(z.gt(0), z.lte(1e12)), currency: currency() });

export const screenTransactionRequest = () =>
  z.object({
    ...subject(),
    ...money(),
    payment_method: z.optional(z.enum(PAYMENT_METHODS)),
    billing_address: z.optional(billingAddress()),
  });

export type ScreenTransactionRequest = z.infer<ReturnType<typeof screenTransactionRequest>>;

export const screenEventRequest = () =>
  z.object({
    ...subject(),
    event_type: z.string(),
    outcome: z.optional(z.enum(['succeeded', 'failed'])),
    // Only a type of the account's own takes them, and only then is something wrong with them: see `declaredFaults`.
    amount: z.optional(z.any()),
    currency: z.optional(z.any()),
  });

export type ScreenEventRequest = z.infer<ReturnType<typeof screenEventRequest>>;

export const reviewRequest = () =>
  z.object({
    decision: z.enum(['allow', 'block']),
    analyst_id: z.optional(text(1, 128)),
    notes: z.optional(text(0, 4000)),
    reason_code: z.optional(text(1, 40)),
  });

export type ReviewRequest = z.infer<ReturnType<typeof reviewRequest>>;

/* Response schemas are built only for OpenAPI. */

const score = () => z.int().check(z.gte(0), z.lte(100));

const decisionName = () => z.enum(['allow', 'challenge', 'review', 'block']);

const whatIf = () =>
  z.object({
    change: z.enum(['amount', 'known_device', 'known_place', 'without_signal']),
    at_most: z.optional(z.number()),
    signal: z.optional(z.string()),
    decision: decisionName(),
  });

const explanation = () =>
  z.object({
    base: z.int(),
    contributions: z.array(z.object({ signal: z.string(), points: z.int(), detail: z.string() })),
    what_if: z.optional(z.array(whatIf())),
  });

const appliedRule = () =>
  z.object({
    name: z.string(),
    version: z.int().check(z.gte(1)),
    action: z.enum(['allow', 'block', 'challenge', 'review', 'points']),
  });

/** Everything but the score that determined the decision. */
const deciders = () => ({
  decided_by: z.object({ kind: z.enum(['score', 'rule', 'list', 'sandbox']), name: z.nullable(z.string()) }),
  rules: z.array(appliedRule()),
  lists: z.array(z.string()),
});

const outcome = () => ({
  risk_score: score(),
  risk_level: z.enum(['low', 'elevated', 'high']),
  decision: decisionName(),
  ...deciders(),
  signals: z.array(z.string()),
  explanation: explanation(),
  model_version: z.string(),
  case_id: z.nullable(id('case')),
  screened_at: timestamp(),
  warnings: warnings(),
});

export const screenedTransaction = () =>
  z.object({
    transaction_id: id('txn'),
    decision_id: id('dec'),
    user_id: z.string(),
    amount: z.number(),
    currency: z.string(),
    ...outcome(),
  });

export const screenedEvent = () =>
  z.object({
    event_id: id('evt'),
    decision_id: id('dec'),
    event_type: z.string(),
    user_id: z.string(),
    amount: z.optional(z.number()),
    currency: z.optional(z.string()),
    ...outcome(),
  });

const decisionMembers = () => ({
  decision_id: id('dec'),
  subject_type: z.enum(['transaction', 'event']),
  subject_id: z.string(),
  user_id: z.string(),
  amount: z.optional(z.number()),
  currency: z.optional(z.string()),
  event_type: z.optional(z.string()),
  decision: decisionName(),
  automated_decision: decisionName(),
  ...deciders(),
  shadow_rules: z.array(appliedRule()),
  counters: z.optional(z.record(z.string(), z.number())),
  risk_score: score(),
  signals: z.array(z.string()),
  explanation: explanation(),
  model_version: z.string(),
  intelligence_version: z.optional(z.string()),
  case_id: z.nullable(id('case')),
  decided_at: timestamp(),
  review: z.nullable(
    z.object({
      decision: z.enum(['allow', 'block']),
      analyst_id: z.nullable(z.string()),
      notes: z.nullable(z.string()),
      reviewed_at: timestamp(),
      reason_code: z.optional(z.string()),
    }),
  ),
  customer_explanation: z.string(),
  displayed: z.optional(z.record(z.string(), z.string())),
  agent: z.optional(z.object({ operator: z.string(), key_id: z.optional(z.string()), verified: z.boolean() })),
});

export const evidence = () =>
  z.object({
    decision_id: id('dec'),
    ip_address: z.optional(z.string()),
    ip_country: z.optional(z.string()),
    ip_asn: z.optional(z.int()),
    ip_network: z.optional(z.string()),
    payment_method: z.optional(z.string()),
    billing_country: z.optional(z.string()),
    device_fingerprint: z.optional(z.string()),
    references: z.optional(z.array(z.string())),
    attributes: z.optional(z.record(z.string(), z.string())),
    kept: z.boolean(),
    withheld: z.boolean(),
    warnings: warnings(),
  });

export const listDecisionsQuery = () =>
  z.object({
    user_id: z.optional(text(1, 128)),
    reference: z.optional(text(1, 128)),
    seen_with: z.optional(text(1, 256)),
    decision: z.optional(decisionName()),
    outcome: z.optional(z.enum(['missed_fraud'])),
    start_date: z.optional(instant()),
    end_date: z.optional(instant()),
    limit: limit(),
    cursor: cursor(),
  });

const reportedOutcome = () =>
  z.object({
    type: z.enum(OUTCOME_TYPES),
    label: z.enum(['fraud', 'legitimate', 'none']),
    withdrawn: z.boolean(),
    occurred_at: timestamp(),
    recorded_at: timestamp(),
    ...processorMembers(),
  });

const reportedMembers = () => ({
  ...decisionMembers(),
  outcomes: z.optional(z.array(reportedOutcome())),
  label_in_force: z.optional(z.nullable(z.enum(['fraud', 'legitimate']))),
});

export const listedDecision = () => z.object(reportedMembers());

export const reportedDecision = () => z.object({ ...reportedMembers(), warnings: warnings() });

export const decision = () => z.object({ ...decisionMembers(), warnings: warnings() });

export const decisionList = () =>
  z.object({
    decisions: z.array(listedDecision()),
    next_cursor: nextCursor(),
    warnings: warnings(),
  });

const count = () => z.int().check(z.gte(0));

const window = () => z.object({ count: count(), amount_usd: z.number().check(z.gte(0)) });

const recentActivity = () =>
  z.object({
    transactions: z.object({
      last_10m: window(),
      last_1h: window(),
      last_24h: window(),
      last_7d: window(),
      last_30d: window(),
    }),
    failed_logins: z.object({ last_10m: count(), last_1h: count(), last_24h: count() }),
    declines: z.object({ last_10m: count(), last_1h: count(), last_24h: count(), cards_last_24h: count() }),
    last_changes: z.array(z.object({ event_type: z.enum(EVENT_ACTIONS), at: timestamp() })),
    last_place: z.nullable(z.object({ country: z.string(), network: z.string(), at: timestamp() })),
    by_time_of_day: z.array(count()),
  });

export const riskProfile = () =>
  z.object({
    user_id: z.string(),
    risk_score: score(),
    risk_level: z.enum(['low', 'elevated', 'high']),
    signals: z.array(z.string()),
    first_seen_at: timestamp(),
    last_seen_at: timestamp(),
    transactions: z.object({
      count: count(),
      allowed: count(),
      reviewed: count(),
      blocked: count(),
      amount_by_currency: z.record(z.string(), z.number()),
      last_24h: count(),
      last_7d: count(),
    }),
    events: z.object({ count: count(), by_type: z.record(z.string(), count()) }),
    devices: z.object({ count: count(), recent: z.array(z.object({ device: z.string(), last_seen_at: timestamp() })) }),
    ip_addresses: z.object({ count: count(), countries: z.array(z.string()) }),
    outcomes: z.object({ confirmed_fraud: count(), confirmed_legitimate: count() }),
    recent_activity: recentActivity(),
    warnings: warnings(),
  });
