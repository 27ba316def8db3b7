import * as z from 'zod';
import { defineTool } from './tool';

const limit = z.number().int().min(1).max(100).default(20).describe('How many to return, 1 to 100.');
const cursor = z.string().optional().describe('next_cursor of the page before.');
const userId = z.string().min(1).describe('Your ID of the user.');

/** Tools that read. */
export const LOOKUP_TOOLS = [
  defineTool({
    name: 'find_cases',
    title: 'Find review cases',
    description: 'Lists review cases, newest first unless sorted. Use get_case for the explanation of one.',
    changes: 'nothing',
    input: {
      status: z.enum(['open', 'approved', 'rejected', 'expired']).optional().describe('Any status if absent.'),
      user_id: userId.optional(),
      sort: z.enum(['newest', 'score', 'amount', 'expires']).default('newest'),
      limit,
      cursor,
    },
    run: (client, input) => client.cases.search(input),
  }),
  defineTool({
    name: 'get_case',
    title: 'Look up a case',
    description: 'A review case and why it was opened: the explanation of its score, rules and lists that matched.',
    changes: 'nothing',
    input: { case_id: z.string().min(1).describe('Such as case_01…') },
    run: async (client, { case_id }) => {
      const found = await client.cases.get(case_id);
      const { decision_id, explanation, decided_by, rules, lists } = await client.decisions.get(found.subject_id);
      return { case: found, decision_id, decided_by, explanation, rules, lists };
    },
  }),
  defineTool({
    name: 'get_user',
    title: 'Look up a user',
    description: 'The risk profile of a user: score, level, history of payments and events.',
    changes: 'nothing',
    input: { user_id: userId },
    run: (client, { user_id }) => client.users.riskProfile(user_id),
  }),
  defineTool({
    name: 'get_links',
    title: 'Look up links',
    description: 'Who and what a user is connected with over shared devices, addresses and attributes: two hops.',
    changes: 'nothing',
    input: { user_id: userId },
    run: (client, { user_id }) => client.users.links(user_id),
  }),
  defineTool({
    name: 'list_decisions',
    title: 'List decisions',
    description: 'Decisions, newest first. Name a user_id, an outcome, or a decision other than allow.',
    changes: 'nothing',
    input: {
      user_id: userId.optional(),
      decision: z.enum(['allow', 'challenge', 'review', 'block']).optional().describe('The decision in force.'),
      outcome: z.enum(['missed_fraud']).optional().describe('Allowed payments that were reported as fraud.'),
      limit,
      cursor,
    },
    run: (client, input) => client.decisions.list(input),
  }),
  defineTool({
    name: 'get_decision',
    title: 'Look up a decision',
    description: 'One decision with its explanation, by its own ID or that of the transaction or event.',
    changes: 'nothing',
    input: { id: z.string().min(1).describe('The ID of a decision, transaction or event.') },
    run: (client, { id }) => client.decisions.get(id),
  }),
];
