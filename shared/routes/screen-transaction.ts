import { screenedTransaction, screenTransactionRequest } from '../schemas/screening';
import { defineRoute } from './define-route';

export const screenTransactionRoute = defineRoute({
  operation: 'screen-transaction',
  method: 'POST',
  path: '/v1/transactions/screen',
  tag: 'Transactions',
  summary: 'Screen a transaction',
  description:
    'Scores the transaction now and stores the result for 90 days. `base` plus all `points` is exactly the `risk_score`. The decision `review` opens a case.',
  idempotent: true,
  body: screenTransactionRequest,
  success: {
    status: 200,
    description: 'The result, with its explanation.',
    schema: screenedTransaction,
    example: {
      transaction_id: 'txn_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      decision_id: 'dec_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      user_id: 'user-42',
      amount: 129.9,
      currency: 'EUR',
      risk_score: 68,
      risk_level: 'elevated',
      decision: 'review',
      signals: ['new_device', 'amount_anomaly'],
      explanation: {
        base: 5,
        contributions: [
          { signal: 'amount_anomaly', points: 40, detail: '129.90 EUR is 9 times what this user usually spends' },
          { signal: 'new_device', points: 23, detail: 'First time on this device; 1 other device was used before' },
        ],
      },
      model_version: 'rules-1',
      case_id: 'case_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      screened_at: '2026-11-14T09:30:00.000Z',
    },
  },
  errors: ['idempotency_in_progress', 'payload_too_large', 'unsupported_media_type', 'idempotency_mismatch'],
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
