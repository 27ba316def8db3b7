import * as z from 'zod/mini';
import { timeline } from '../schemas/desk';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';

export const getCaseTimelineRoute = defineRoute({
  operation: 'get-case-timeline',
  family: 'desk',
  method: 'GET',
  path: '/v1/cases/{id}/timeline',
  permission: 'read',
  tag: 'Cases',
  summary: 'What happened to a case',
  description:
    'Everything that happened to the subject of the case, oldest first: screening, claims, comments, resolution, reviews, corrections, and outcomes from outside such as a chargeback, where they became known. `in_force` says whether an outcome’s label is the one that counts: a person’s review beats it. `actor` is null for what the service did by itself; `proven` says whether the actor’s own key was used.',
  params: z.object({ id: resourceId('case', 'case') }),
  success: {
    status: 200,
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
