import * as z from 'zod/mini';
import { decision, reviewRequest } from '../schemas/screening';
import { defineRoute } from './define-route';

export const reviewDecisionRoute = defineRoute({
  operation: 'review-decision',
  method: 'POST',
  path: '/v1/decisions/{id}/review',
  tag: 'Decisions',
  summary: 'Override a decision',
  description:
    '`block` labels the subject as fraud, `allow` as legitimate; the next screening knows. An open case of the subject is resolved with it. A second review replaces the first; both stay in the audit trail.',
  idempotent: true,
  params: z.object({ id: z.string() }),
  body: reviewRequest,
  success: {
    status: 200,
    description: 'The decision, with the review.',
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
  errors: [
    'not_found',
    'idempotency_in_progress',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_mismatch',
  ],
  requestExample: { decision: 'block', analyst_id: 'ana', notes: 'The cardholder denies it.' },
});
