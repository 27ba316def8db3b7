import { decisionList, listDecisionsQuery } from '../schemas/screening';
import { defineRoute } from './define-route';
import { listedDecisionExample } from './examples';

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
