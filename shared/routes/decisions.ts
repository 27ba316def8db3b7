import * as z from 'zod/mini';
import * as schemas from '../schemas/screening';
import { resourceId, text } from '../schemas/text';
import { defineRoute } from './define-route';
import { decisionExample, listedDecisionExample } from './examples';

export const listDecisionsRoute = defineRoute('GET /v1/decisions', {
  operation: 'list-decisions',
  family: 'explore',
  permission: 'read',
  tag: 'Decisions',
  summary: 'List decisions',
  description:
    'Of a user, or of a kind, newest first, for the last 90 days: `user_id`, `outcome`, or `decision` other than `allow`, is required; or `reference`, which finds the one that was screened with it, or `seen_with`, which finds those that were sent a device, IP address or tracked attribute such as a card or email, of up to 20 users. `outcome=missed_fraud` lists payments that were allowed and that somebody outside reported as fraud. Decisions with outcomes from outside show them as `outcomes`. `decision` is the one in force: a person’s, else the automated one. `start_date` includes decisions made at or after it, `end_date` those made before it. `next_cursor` leads to the next page; it is null on the last one.',
  query: schemas.listDecisionsQuery,
  success: {
    description: 'A page of decisions.',
    schema: schemas.decisionList,
    example: {
      decisions: [listedDecisionExample],
      next_cursor: null,
    },
  },
});

export const getDecisionRoute = defineRoute('GET /v1/decisions/{id}', {
  operation: 'get-decision',
  permission: 'read',
  tag: 'Decisions',
  summary: 'Get a decision',
  description:
    'By `decision_id`, or by the ID of its transaction or event. Available for 90 days. `outcomes` shows what was reported about it since: disputes, and what the payment processor said.',
  params: z.object({ id: resourceId('decision', 'dec', 'txn', 'evt') }),
  success: {
    description: 'The current decision, the automated one, and the review if there was one.',
    schema: schemas.reportedDecision,
    example: listedDecisionExample,
  },
  errors: ['not_found'],
});

export const getEvidenceRoute = defineRoute('GET /v1/decisions/{id}/evidence', {
  operation: 'get-evidence',
  family: 'explore',
  permission: 'read',
  tag: 'Decisions',
  summary: 'What was sent with a decision',
  description:
    'As far as it was kept: sealed with the result, in the room that the result has, and gone with it after 90 days. Keys with the permission `cases` see all of it, and each look is on record (`viewed` on the timeline, by `analyst_id` if the key is nobody’s own). Others see only what names nobody, with `withheld` true. `kept` is false if nothing was kept: the account has turned it off, or the screening is older than this feature.',
  params: z.object({ id: resourceId('decision', 'dec', 'txn', 'evt') }),
  query: z.object({ analyst_id: z.optional(text(1, 128)) }),
  success: {
    description: 'What was sent.',
    schema: schemas.evidence,
    example: {
      decision_id: decisionExample.decision_id,
      ip_address: '52.94.76.1',
      ip_country: 'US',
      ip_asn: 16509,
      ip_network: 'hosting',
      device_fingerprint: 'dv_7Qm2x',
      kept: true,
      withheld: false,
    },
  },
  errors: ['not_found'],
});

export const reviewDecisionRoute = defineRoute('POST /v1/decisions/{id}/review', {
  operation: 'review-decision',
  permission: 'decisions',
  tag: 'Decisions',
  summary: 'Override a decision',
  description:
    '`block` labels the subject as fraud, `allow` as legitimate; later screenings take it into account. This also resolves an open case. A second review replaces the first; both stay in the audit trail. If somebody else resolves the case the other way at the same moment: 409 `case_not_open`; send the review again to overrule that.',
  idempotency: 'answer',
  params: z.object({ id: resourceId('decision', 'dec', 'txn', 'evt') }),
  body: schemas.reviewRequest,
  success: { description: 'The decision, with the review.', schema: schemas.decision, example: decisionExample },
  errors: ['not_found', 'case_not_open'],
  requestExample: { decision: 'block', analyst_id: 'ana', notes: 'The cardholder denies it.' },
});
