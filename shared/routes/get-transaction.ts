import * as z from 'zod/mini';
import { screenedTransaction } from '../schemas/screening';
import { defineRoute } from './define-route';

export const getTransactionRoute = defineRoute({
  operation: 'get-transaction',
  method: 'GET',
  path: '/v1/transactions/{id}',
  tag: 'Transactions',
  summary: 'Get a screening result',
  description: 'The answer of the screening, for 90 days.',
  params: z.object({ id: z.string() }),
  success: {
    status: 200,
    description: 'The result as it was answered.',
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
  errors: ['not_found'],
});
