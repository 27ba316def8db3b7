import * as z from 'zod/mini';
import { caseList, listCasesQuery, resolveCaseRequest, reviewCase } from '../schemas/case';
import { caseResults, claimRequest, comment, commentRequest, resolveCasesRequest, timeline } from '../schemas/desk';
import { resourceId, text } from '../schemas/text';
import { defineRoute } from './define-route';
import { openCaseExample, untouchedCaseExample } from './examples';

export const listCasesRoute = defineRoute('GET /v1/cases', {
  operation: 'list-cases',
  permission: 'read',
  tag: 'Cases',
  summary: 'List review cases',
  description:
    'Newest first. `start_date` includes cases created at or after it, `end_date` cases created before it. `total` counts all matches, on any page.\n\nWith `user_id`, `user_prefix` (how it begins), `min_amount` (in US dollars), `assignee` (who works on it now), `resolved_by`, `signal`, `min_score`, `max_score`, `subject_type`, `sort` or `cursor` it is a search: `total` is null, `offset` must be 0, and `next_cursor` leads to the next page. `sort` is `newest`, `score` or `amount` (largest first; amounts are compared in US dollars at a rough rate) or `expires` (soonest first). A request reads about 600 cases: if that was not all, `searched_to` is the creation of the last one, `score` and `amount` have sorted those read so far, and `next_cursor` continues after them, even if the page is empty.',
  query: listCasesQuery,
  success: {
    description: 'A page of cases.',
    schema: caseList,
    example: {
      cases: [untouchedCaseExample],
      total: 1,
      limit: 20,
      offset: 0,
      has_more: false,
    },
  },
});

export const getCaseRoute = defineRoute('GET /v1/cases/{id}', {
  operation: 'get-case',
  permission: 'read',
  tag: 'Cases',
  summary: 'Get a review case',
  description: 'An open case expires exactly seven days after its creation.',
  params: z.object({ id: resourceId('case', 'case') }),
  success: { description: 'The case.', schema: reviewCase, example: untouchedCaseExample },
  errors: ['not_found'],
});

const CASES = { family: 'desk', tag: 'Cases' } as const;

export const getCaseTimelineRoute = defineRoute('GET /v1/cases/{id}/timeline', {
  operation: 'get-case-timeline',
  ...CASES,
  permission: 'read',
  summary: 'What happened to a case',
  description:
    'Everything that happened to the subject of the case, oldest first: screening, claims, comments, resolution, reviews, corrections, and outcomes from outside such as a chargeback, where they became known. `in_force` says whether an outcome’s label is the one that counts: a person’s review beats it. `actor` is null for what the service did by itself; `proven` says whether the actor’s own key was used.',
  params: z.object({ id: resourceId('case', 'case') }),
  success: {
    description: 'The timeline.',
    schema: timeline,
    example: {
      entries: [
        { at: '2026-11-14T09:30:00.000Z', actor: null, kind: 'screened', decision: 'review', risk_score: 68 },
        { at: '2026-11-14T09:30:00.000Z', actor: null, kind: 'case_opened' },
        {
          at: '2026-11-14T09:31:12.000Z',
          actor: 'ana.silva',
          kind: 'claimed',
          proven: true,
          key_id: 'key_01K9ZC3V5T3ZB8HQ6M1E5KDW7P',
        },
        {
          at: '2026-11-14T10:02:11.000Z',
          actor: 'ana.silva',
          kind: 'resolved',
          proven: true,
          key_id: 'key_01K9ZC3V5T3ZB8HQ6M1E5KDW7P',
          decision: 'block',
          previous_decision: 'review',
          notes: 'The cardholder denies it.',
        },
        {
          at: '2026-11-30T06:12:40.000Z',
          actor: null,
          kind: 'outcome',
          outcome: 'chargeback',
          label: 'fraud',
          in_force: false,
          withdrawn: false,
          network: 'visa',
          reason_code: '10.4',
          amount: 149.9,
          currency: 'EUR',
          occurred_at: '2026-11-29T00:00:00.000Z',
        },
      ],
    },
  },
  errors: ['not_found'],
});

export const claimCaseRoute = defineRoute('POST /v1/cases/{id}/claim', {
  operation: 'claim-case',
  ...CASES,
  permission: 'cases',
  summary: 'Claim a case',
  description:
    'For 15 minutes colleagues see who works on the case, and cannot resolve it without `force`. Claim again to renew. With a personal key the claim is the person’s; otherwise `analyst_id` names the holder. Of several people at once exactly one gets it. `assign_to` gives the case to a colleague until it expires, even if somebody else has it.',
  idempotency: 'answer',
  params: z.object({ id: resourceId('case', 'case') }),
  body: claimRequest,
  bodyOptional: true,
  success: { description: 'The case, claimed.', schema: reviewCase, example: openCaseExample },
  errors: ['not_found', 'case_not_open', 'case_claimed'],
  requestExample: { analyst_id: 'ana.silva' },
});

export const releaseCaseRoute = defineRoute('DELETE /v1/cases/{id}/claim', {
  operation: 'release-case',
  ...CASES,
  permission: 'cases',
  summary: 'Release a case',
  description:
    'Ends the claim of the person whose key it is, or of `analyst_id`. A key of nobody in particular that names nobody releases any claim. Without a claim nothing happens.',
  params: z.object({ id: resourceId('case', 'case') }),
  query: z.object({ analyst_id: z.optional(text(1, 128)) }),
  success: { status: 204, description: 'The case is free.' },
  errors: ['not_found', 'case_claimed'],
});

export const commentCaseRoute = defineRoute('POST /v1/cases/{id}/comments', {
  operation: 'comment-case',
  ...CASES,
  permission: 'cases',
  summary: 'Comment on a case',
  description:
    'In any state of the case. Comments are on its timeline, are never changed, and go with the case after 90 days. At most 200 per case.',
  idempotency: 'answer',
  params: z.object({ id: resourceId('case', 'case') }),
  body: commentRequest,
  success: {
    status: 201,
    description: 'The comment.',
    schema: comment,
    example: {
      comment_id: 'cmt_01K9ZC8M2S4VXW6Y8ZABCDEFGH',
      case_id: 'case_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      text: 'Called the cardholder: no answer.',
      actor: 'ana.silva',
      at: '2026-11-14T09:32:40.000Z',
    },
  },
  errors: ['not_found'],
  requestExample: { text: 'Called the cardholder: no answer.', analyst_id: 'ana.silva' },
});

export const resolveCaseRoute = defineRoute('PUT /v1/cases/{id}', {
  operation: 'resolve-case',
  permission: 'cases',
  tag: 'Cases',
  summary: 'Resolve a review case',
  description:
    '`approved` means legitimate, `rejected` confirmed fraud. This also reviews the decision, and later screenings take it into account. If several people resolve a case at once, exactly one succeeds. While somebody else has claimed it, send `force: true` to resolve it all the same. `reason_code` is one of the account’s own codes. With a personal key `analyst_id` is the person whose key it is.',
  params: z.object({ id: resourceId('case', 'case') }),
  body: resolveCaseRequest,
  success: {
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
  errors: ['not_found', 'case_not_open', 'case_claimed'],
  requestExample: { status: 'rejected', analyst_id: 'ana', notes: 'The cardholder denies it.' },
});

export const resolveCasesRoute = defineRoute('POST /v1/cases/resolve', {
  operation: 'resolve-cases',
  ...CASES,
  permission: 'cases',
  summary: 'Resolve many cases',
  description:
    'Each as `PUT /v1/cases/{id}` would, in the order given. A case that cannot be resolved does not keep the others: its `status` is the error code. No case is ever decided twice, even if several people decide at once. If some are `unavailable`, repeat the request.',
  idempotency: 'answer',
  body: resolveCasesRequest,
  success: {
    description: 'How each of them ended.',
    schema: caseResults,
    example: {
      results: [
        { case_id: 'case_01K9ZC3V5T8QJ4M2N6P7R8S9TB', status: 'ok' },
        { case_id: 'case_01K9ZC3V5TAM7RW0V3C2Q9XN4D', status: 'case_not_open' },
      ],
    },
  },
  requestExample: {
    case_ids: ['case_01K9ZC3V5T8QJ4M2N6P7R8S9TB', 'case_01K9ZC3V5TAM7RW0V3C2Q9XN4D'],
    status: 'rejected',
    analyst_id: 'ana.silva',
    notes: 'One device, eleven cards.',
  },
});
