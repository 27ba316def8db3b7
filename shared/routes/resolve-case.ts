import * as z from 'zod/mini';
import { resolveCaseRequest, reviewCase } from '../schemas/case';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';

export const resolveCaseRoute = defineRoute({
  operation: 'resolve-case',
  method: 'PUT',
  path: '/v1/cases/{id}',
  permission: 'cases',
  tag: 'Cases',
  summary: 'Resolve a review case',
  description:
    '`approved` means legitimate, `rejected` confirmed fraud. This also reviews the decision, and later screenings take it into account. If several people resolve a case at once, exactly one succeeds. While somebody else has claimed it, send `force: true` to resolve it all the same. `reason_code` is one of the account’s own codes. With a personal key `analyst_id` is the person whose key it is.',
  params: z.object({ id: resourceId('case', 'case') }),
  body: resolveCaseRequest,
  success: {
    status: 200,
    description: 'The resolved case.',
    schema: reviewCase,
    example: {
      case_id: 'case_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      subject_type: 'transaction',
      subject_id: 'txn_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      user_id: 'user-42',
      amount: 129.9,
      currency: 'EUR',
      status: 'rejected',
      risk_score: 68,
      decision: 'review',
      signals: ['amount_anomaly', 'new_device'],
      created_at: '2026-11-14T09:30:00.000Z',
      expires_at: '2026-11-21T09:30:00.000Z',
      resolved_at: '2026-11-14T10:02:11.000Z',
      resolved_by: 'ana',
      notes: 'The cardholder denies it.',
      assignee: null,
      claimed_until: null,
      comments: 0,
      device: 'q1Zk0VbX3cJ5mR8t',
    },
  },
  errors: ['not_found', 'case_not_open', 'case_claimed', 'payload_too_large', 'unsupported_media_type'],
  requestExample: { status: 'rejected', analyst_id: 'ana', notes: 'The cardholder denies it.' },
});
