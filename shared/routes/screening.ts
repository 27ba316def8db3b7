import * as z from 'zod/mini';
import { screenEventRequest, screenedEvent, screenedTransaction, screenTransactionRequest } from '../schemas/screening';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';
import { transactionExample } from './examples';

export const screenTransactionRoute = defineRoute('POST /v1/transactions/screen', {
  operation: 'screen-transaction',
  permission: 'screen',
  tag: 'Transactions',
  summary: 'Screen a transaction',
  description:
    'Scores the transaction and stores the result for 90 days. `base` plus all `points` is exactly the `risk_score`. The decision `review` opens a case. A currency that ISO 4217 has withdrawn counts as what the euro replaced it by (DEM, HRK); one without any rate counts as the most that it may be worth, and `warnings` says so.',
  idempotency: 'claim',
  body: screenTransactionRequest,
  success: {
    description: 'The result, with its explanation.',
    schema: screenedTransaction,
    example: transactionExample,
  },
  requestExample: {
    user_id: 'user-42',
    amount: 129.9,
    currency: 'EUR',
    ip_address: '203.0.113.7',
    device_fingerprint: 'fp_3f9c2a',
    payment_method: 'card',
    billing_address: { city: 'Berlin', country: 'DE' },
    custom_attributes: { card_fingerprint: 'card_8812', order_id: '1001' },
  },
});

export const getTransactionRoute = defineRoute('GET /v1/transactions/{id}', {
  operation: 'get-transaction',
  permission: 'read',
  tag: 'Transactions',
  summary: 'Get a screening result',
  description: 'The response of the screening, available for 90 days.',
  params: z.object({ id: resourceId('transaction', 'txn') }),
  success: {
    description: 'The result, as originally returned.',
    schema: screenedTransaction,
    example: transactionExample,
  },
  errors: ['not_found'],
});

export const screenEventRoute = defineRoute('POST /v1/events', {
  operation: 'screen-event',
  permission: 'screen',
  tag: 'Events',
  summary: 'Screen a user action other than a payment',
  description:
    'Logins, signups, password resets and account changes. They are scored, and later screenings take them into account.',
  idempotency: 'claim',
  body: screenEventRequest,
  success: {
    description: 'The result, with its explanation.',
    schema: screenedEvent,
    example: {
      event_id: 'evt_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      decision_id: 'dec_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      event_type: 'login',
      user_id: 'user-42',
      risk_score: 5,
      risk_level: 'low',
      decision: 'allow',
      decided_by: { kind: 'score', name: null },
      rules: [],
      lists: [],
      signals: [],
      explanation: { base: 5, contributions: [] },
      model_version: 'rules-1',
      case_id: null,
      screened_at: '2026-11-14T09:30:00.000Z',
    },
  },
  requestExample: {
    event_type: 'login',
    user_id: 'user-42',
    outcome: 'failed',
    ip_address: '203.0.113.7',
    device_fingerprint: 'fp_3f9c2a',
  },
});
