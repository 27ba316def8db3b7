import { NEWEST_API_VERSION } from '../domain/api-version';
import type { ErrorCode, Fault } from '../domain/errors';

/* Responses that more than one route returns, as the reference shows them. */

export const transactionExample = {
  transaction_id: 'txn_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  decision_id: 'dec_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  user_id: 'user-42',
  amount: 129.9,
  currency: 'EUR',
  risk_score: 68,
  risk_level: 'elevated',
  decision: 'review',
  decided_by: { kind: 'score', name: null },
  rules: [],
  lists: [],
  signals: ['new_device', 'amount_anomaly'],
  explanation: {
    base: 5,
    contributions: [
      {
        signal: 'amount_anomaly',
        points: 40,
        detail: "€129.90 (about $150): 9 times this user's usual amount (14 transactions)",
      },
      { signal: 'new_device', points: 23, detail: "First use of this device (the user's 2nd)" },
    ],
    what_if: [
      { change: 'amount', at_most: 98.4, decision: 'allow' },
      { change: 'known_device', decision: 'allow' },
      { change: 'without_signal', signal: 'new_device', decision: 'allow' },
    ],
  },
  model_version: 'rules-1',
  case_id: 'case_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  screened_at: '2026-11-14T09:30:00.000Z',
};

export const decisionExample = {
  decision_id: 'dec_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  subject_type: 'transaction',
  subject_id: 'txn_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  user_id: 'user-42',
  amount: 129.9,
  currency: 'EUR',
  decision: 'block',
  automated_decision: 'review',
  risk_score: 68,
  intelligence_version: '5f0c9a1e',
  decided_by: { kind: 'score', name: null },
  rules: [],
  lists: [],
  shadow_rules: [],
  signals: ['amount_anomaly'],
  explanation: {
    base: 5,
    contributions: [
      {
        signal: 'amount_anomaly',
        points: 63,
        detail: "€129.90 (about $150): 9 times this user's usual amount (14 transactions)",
      },
    ],
    what_if: [{ change: 'amount', at_most: 98.4, decision: 'allow' }],
  },
  model_version: 'rules-1',
  case_id: 'case_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  decided_at: '2026-11-14T09:30:00.000Z',
  review: {
    decision: 'block',
    analyst_id: 'ana',
    notes: 'The cardholder denies it.',
    reviewed_at: '2026-11-14T10:02:11.000Z',
  },
  customer_explanation:
    'A member of our team looked at this payment and declined it. If you think this is wrong, contact us: a person will look at it.',
};

export const listedDecisionExample = {
  ...decisionExample,
  outcomes: [
    {
      type: 'chargeback',
      label: 'fraud',
      withdrawn: false,
      occurred_at: '2026-11-29T00:00:00.000Z',
      recorded_at: '2026-11-30T06:12:40.000Z',
    },
  ],
  label_in_force: 'fraud',
};

export const openCaseExample = {
  case_id: 'case_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  subject_type: 'transaction',
  subject_id: 'txn_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  user_id: 'user-42',
  amount: 129.9,
  currency: 'EUR',
  status: 'open',
  risk_score: 68,
  decision: 'review',
  signals: ['amount_anomaly', 'new_device'],
  created_at: '2026-11-14T09:30:00.000Z',
  expires_at: '2026-11-21T09:30:00.000Z',
  resolved_at: null,
  resolved_by: null,
  notes: null,
  assignee: 'ana.silva',
  claimed_until: '2026-11-14T09:46:12.000Z',
  comments: 1,
  device: 'q1Zk0VbX3cJ5mR8t',
};

export const untouchedCaseExample = { ...openCaseExample, assignee: null, claimed_until: null, comments: 0 };

export const deliveryExample = {
  delivery_id: 'dlv_01K9ZC3V5TAM7RW0V3C2Q9XN4D',
  webhook_id: 'wh_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  message_id: 'msg_01K9ZC3V5T3ZB8HQ6M1E5KDW7P',
  event_type: 'case.created',
  status: 'delivered',
  reason: null,
  attempt: 2,
  next_attempt_at: null,
  completed_at: '2026-11-14T09:30:05.912Z',
  created_at: '2026-11-14T09:30:00.000Z',
  redelivery_of: null,
  attempts: [
    {
      attempt: 1,
      started_at: '2026-11-14T09:30:00.410Z',
      duration_ms: 84,
      outcome: 'refused',
      status_code: 502,
      error: null,
      answer: 'Bad Gateway',
    },
    {
      attempt: 2,
      started_at: '2026-11-14T09:30:05.840Z',
      duration_ms: 71,
      outcome: 'delivered',
      status_code: 204,
      error: null,
      answer: '',
    },
  ],
};

export const newDeliveryExample = {
  delivery_id: 'dlv_01K9ZCB4X0V9T6YJ2R5H8M3QKE',
  webhook_id: 'wh_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  message_id: 'msg_01K9ZC3V5T3ZB8HQ6M1E5KDW7P',
  event_type: 'case.created',
  status: 'pending',
  reason: null,
  attempt: 0,
  next_attempt_at: '2026-11-14T09:34:00.000Z',
  completed_at: null,
  created_at: '2026-11-14T09:34:00.000Z',
  redelivery_of: 'dlv_01K9ZC3V5TAM7RW0V3C2Q9XN4D',
  attempts: [],
};

/** A response for every error code, word for word as the service returns it; a test provokes and compares them. */
export const ERROR_EXAMPLES: Readonly<Record<ErrorCode, { message: string; details?: readonly Fault[] }>> = {
  invalid_request: {
    message: 'user_id: must not be empty (and 1 more, see details)',
    details: [
      { field: 'user_id', message: 'must not be empty' },
      { field: 'amount', message: 'must be greater than 0' },
    ],
  },
  unsupported_api_version: {
    message: `X-Api-Version must be one of: ${NEWEST_API_VERSION}. Omit the header to use the newest version.`,
    details: [{ field: 'X-Api-Version', message: `must be one of ${NEWEST_API_VERSION}` }],
  },
  unauthorized: { message: 'Send Authorization: Bearer <API key>, a whole key that begins with sk_test_.' },
  forbidden: {
    message: 'This needs the permission webhooks, which the role readonly does not include.',
    details: [{ field: 'Authorization', message: 'needs a key with the permission webhooks' }],
  },
  not_found: { message: 'No such case. Check the ID and which account the API key belongs to.' },
  method_not_allowed: { message: 'This path supports GET, PUT.' },
  case_not_open: { message: 'The case is already rejected; only an open case can be resolved.' },
  case_claimed: {
    message: 'ana.silva is working on this case until 2026-11-14T09:45:00.000Z.',
    details: [{ field: 'assignee', message: 'ana.silva' }],
  },
  list_type_fixed: {
    message: 'The list vips has the type user_id, which cannot change. Create another list, or delete this one first.',
    details: [{ field: 'type', message: 'must stay user_id' }],
  },
  in_use: {
    message: 'rule gift-cards needs the type of attr.items as it is. Change or delete it first.',
    details: [{ field: 'rules.gift-cards', message: 'needs the type of attr.items' }],
  },
  built_in: { message: 'login is built in and cannot be changed or deleted.' },
  idempotency_in_progress: {
    message: 'A request with this Idempotency-Key is still running. Try again in a second.',
  },
  version_mismatch: {
    message: 'The rule gift-cards is version 4, not version 3: somebody changed it. Read it again, then decide.',
    details: [{ field: 'If-Match', message: 'the rule is version 4' }],
  },
  payload_too_large: { message: 'The body must not exceed 65536 bytes.' },
  unsupported_media_type: { message: 'Send the body as Content-Type: application/json (UTF-8).' },
  idempotency_mismatch: {
    message:
      'This Idempotency-Key was used with a different body in the last 24 hours. Use a new key for a new request.',
  },
  rate_limited: { message: 'Too many requests. Retry after the time in Retry-After.' },
  internal_error: { message: 'Internal error. Try again later.' },
  unavailable: { message: 'The service could not complete the request. Try again.' },
};
