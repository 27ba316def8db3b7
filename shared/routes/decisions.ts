import * as z from 'zod/mini';
import * as schemas from '../schemas/screening';
import { resourceId, text } from '../schemas/text';
import { defineRoute } from './define-route';

export const listDecisionsRoute = defineRoute('GET /v1/decisions', {
  operation: 'list-decisions',
  family: 'explore',
  permission: 'read',
  tag: 'Decisions',
  query: schemas.listDecisionsQuery(),
  success: { schema: schemas.decisionList },
});

export const getDecisionRoute = defineRoute('GET /v1/decisions/{id}', {
  operation: 'get-decision',
  permission: 'read',
  tag: 'Decisions',
  params: z.object({ id: resourceId('decision', 'dec', 'txn', 'evt') }),
  success: { schema: schemas.reportedDecision },
  errors: ['not_found'],
});

export const getEvidenceRoute = defineRoute('GET /v1/decisions/{id}/evidence', {
  operation: 'get-evidence',
  family: 'explore',
  permission: 'read',
  tag: 'Decisions',
  params: z.object({ id: resourceId('decision', 'dec', 'txn', 'evt') }),
  query: z.object({ analyst_id: z.optional(text(1, 128)) }),
  success: { schema: schemas.evidence },
  errors: ['not_found'],
});

export const reviewDecisionRoute = defineRoute('POST /v1/decisions/{id}/review', {
  operation: 'review-decision',
  permission: 'decisions',
  tag: 'Decisions',
  idempotency: 'answer',
  params: z.object({ id: resourceId('decision', 'dec', 'txn', 'evt') }),
  body: schemas.reviewRequest(),
  success: { schema: schemas.decision },
  errors: ['not_found', 'case_not_open'],
});
