import * as z from 'zod/mini';
import { decision } from '../schemas/screening';
import { defineRoute } from './define-route';

export const getDecisionRoute = defineRoute({
  operation: 'get-decision',
  method: 'GET',
  path: '/v1/decisions/{id}',
  tag: 'Decisions',
  summary: 'Get a decision',
  description: 'By `decision_id`, or by the id of the transaction or event it was made on. For 90 days.',
  params: z.object({ id: z.string() }),
  success: {
    status: 200,
    description: 'The decision in force, the automated one, and the review where there was one.',
    schema: decision,
    example: {
      decision_id: 'dec_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      subject_type: 'transaction',
      subject_id: 'txn_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      user_id: 'user-42',
      decision: 'block',
      automated_decision: 'review',
      risk_score: 68,
      signals: ['amount_anomaly'],
      explanation: {
        base: 5,
        contributions: [
          { signal: 'amount_anomaly', points: 63, detail: '129.90 EUR is 9 times what this user usually spends' },
        ],
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
    },
  },
  errors: ['not_found'],
});
