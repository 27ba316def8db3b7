import * as z from 'zod/mini';
import { decision, reviewRequest } from '../schemas/screening';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';
import { decisionExample } from './examples';

export const reviewDecisionRoute = defineRoute({
  operation: 'review-decision',
  method: 'POST',
  path: '/v1/decisions/{id}/review',
  permission: 'decisions',
  tag: 'Decisions',
  summary: 'Override a decision',
  description:
    '`block` labels the subject as fraud, `allow` as legitimate; later screenings take it into account. This also resolves an open case. A second review replaces the first; both stay in the audit trail.',
  idempotency: 'answer',
  params: z.object({ id: resourceId('decision', 'dec', 'txn', 'evt') }),
  body: reviewRequest,
  success: {
    status: 200,
    description: 'The decision, with the review.',
    schema: decision,
    example: decisionExample,
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
