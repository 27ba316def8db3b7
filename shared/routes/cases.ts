import * as z from 'zod/mini';
import { caseList, listCasesQuery, resolveCaseRequest, reviewCase } from '../schemas/case';
import { caseResults, claimRequest, comment, commentRequest, resolveCasesRequest, timeline } from '../schemas/desk';
import { resourceId, text } from '../schemas/text';
import { defineRoute } from './define-route';

export const listCasesRoute = defineRoute('GET /v1/cases', {
  operation: 'list-cases',
  permission: 'read',
  tag: 'Cases',
  query: listCasesQuery,
  success: { schema: caseList },
});

export const getCaseRoute = defineRoute('GET /v1/cases/{id}', {
  operation: 'get-case',
  permission: 'read',
  tag: 'Cases',
  params: z.object({ id: resourceId('case', 'case') }),
  success: { schema: reviewCase },
  errors: ['not_found'],
});

const CASES = { family: 'desk', tag: 'Cases' } as const;

export const getCaseTimelineRoute = defineRoute('GET /v1/cases/{id}/timeline', {
  operation: 'get-case-timeline',
  ...CASES,
  permission: 'read',
  params: z.object({ id: resourceId('case', 'case') }),
  success: { schema: timeline },
  errors: ['not_found'],
});

export const claimCaseRoute = defineRoute('POST /v1/cases/{id}/claim', {
  operation: 'claim-case',
  ...CASES,
  permission: 'cases',
  idempotency: 'answer',
  params: z.object({ id: resourceId('case', 'case') }),
  body: claimRequest,
  bodyOptional: true,
  success: { schema: reviewCase },
  errors: ['not_found', 'case_not_open', 'case_claimed'],
});

export const releaseCaseRoute = defineRoute('DELETE /v1/cases/{id}/claim', {
  operation: 'release-case',
  ...CASES,
  permission: 'cases',
  params: z.object({ id: resourceId('case', 'case') }),
  query: z.object({ analyst_id: z.optional(text(1, 128)) }),
  success: { status: 204 },
  errors: ['not_found', 'case_claimed'],
});

export const commentCaseRoute = defineRoute('POST /v1/cases/{id}/comments', {
  operation: 'comment-case',
  ...CASES,
  permission: 'cases',
  idempotency: 'answer',
  params: z.object({ id: resourceId('case', 'case') }),
  body: commentRequest,
  success: { status: 201, schema: comment },
  errors: ['not_found'],
});

export const resolveCaseRoute = defineRoute('PUT /v1/cases/{id}', {
  operation: 'resolve-case',
  permission: 'cases',
  tag: 'Cases',
  params: z.object({ id: resourceId('case', 'case') }),
  body: resolveCaseRequest,
  success: { schema: reviewCase },
  errors: ['not_found', 'case_not_open', 'case_claimed'],
});

export const resolveCasesRoute = defineRoute('POST /v1/cases/resolve', {
  operation: 'resolve-cases',
  ...CASES,
  permission: 'cases',
  idempotency: 'answer',
  body: resolveCasesRequest,
  success: { schema: caseResults },
});
