import * as z from 'zod/mini';
import { decision, decisionList, listDecisionsQuery, reportedDecision, reviewRequest } from '../schemas/screening';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';
import { decisionExample, listedDecisionExample } from './examples';

export const listDecisionsRoute = defineRoute({
  operation: 'list-decisions',
  family: 'explore',
  permission: 'read',
  method: 'GET',
  path: '/v1/decisions',
  tag: 'Decisions',
  summary: 'List decisions',
  description:
    'Of a user, or of a kind, newest first, for the last 90 days: `user_id`, `outcome`, or `decision` other than `allow`, is required. `outcome=missed_fraud` lists payments that were allowed and that somebody outside reported as fraud. Decisions with outcomes from outside show them as `outcomes`. `decision` is the one in force: a person’s, else the automated one. `start_date` includes decisions made at or after it, `end_date` those made before it. `next_cursor` leads to the next page; it is null on the last one.',
  query: listDecisionsQuery,
  success: {
    status: 200,
    description: 'A page of decisions.',
    schema: decisionList,
    example: {
      decisions: [listedDecisionExample],
      next_cursor: null,
    },
  },
  errors: [],
});

export const getDecisionRoute = defineRoute({
  operation: 'get-decision',
  method: 'GET',
  path: '/v1/decisions/{id}',
  permission: 'read',
  tag: 'Decisions',
  summary: 'Get a decision',
  description:
    'By `decision_id`, or by the ID of its transaction or event. Available for 90 days. `outcomes` shows what was reported about it since: disputes, and what the payment processor said.',
  params: z.object({ id: resourceId('decision', 'dec', 'txn', 'evt') }),
  success: {
    status: 200,
    description: 'The current decision, the automated one, and the review if there was one.',
    schema: reportedDecision,
    example: listedDecisionExample,
  },
  errors: ['not_found'],
});

export const reviewDecisionRoute = defineRoute({
  operation: 'review-decision',
  method: 'POST',
  path: '/v1/decisions/{id}/review',
  permission: 'decisions',
  tag: 'Decisions',
  summary: 'Override a decision',
  description:
    '`block` labels the subject as fraud, `allow` as legitimate; later screenings take it into account. This also resolves an open case. A second review replaces the first; both stay in the audit trail. If somebody else resolves the case the other way at the same moment: 409 `case_not_open`; send the review again to overrule that.',
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
    'case_not_open',
    'idempotency_in_progress',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_mismatch',
  ],
  requestExample: { decision: 'block', analyst_id: 'ana', notes: 'The cardholder denies it.' },
});
