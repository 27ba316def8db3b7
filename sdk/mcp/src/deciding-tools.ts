import * as z from 'zod';
import { defineTool } from './tool';

const person = {
  analyst_id: z.string().min(1).describe('The person on whose behalf you decide.'),
  notes: z.string().exactOptional().describe('Why, for anyone who reads the case later.'),
};

/** Tools that decide about people's money: offered only with `--allow-decisions`. */
export const DECIDING_TOOLS = [
  defineTool({
    name: 'resolve_case',
    title: 'Resolve a case',
    description: 'Approves or rejects an open case. Ask the person first; a case is decided once.',
    changes: 'a decision',
    input: { case_id: z.string().min(1), status: z.enum(['approved', 'rejected']), ...person },
    run: (client, { case_id, ...request }) => client.cases.resolve(case_id, request),
  }),
  defineTool({
    name: 'review_decision',
    title: 'Override a decision',
    description: 'Overrides a decision: block says it was fraud, allow that it was not. Ask the person first.',
    changes: 'a decision',
    input: { id: z.string().min(1), decision: z.enum(['allow', 'block']), ...person },
    run: (client, { id, ...request }) => client.decisions.review(id, request),
  }),
  defineTool({
    name: 'activate_rule',
    title: 'Activate a rule',
    description: 'Puts a rule in force, exactly the version that was reviewed. Ask the person first.',
    changes: 'a decision',
    input: { name: z.string().min(1), version: z.number().int().min(1).describe('The version that was reviewed.') },
    run: async (client, { name, version }) => {
      const rule = await client.rules.get(name);
      const { expression, action, points, priority, rollout_percent } = rule;
      const { applies_to, expires_at, note, override_labels } = rule;
      const scope = { priority, rollout_percent, applies_to, expires_at, note, override_labels };
      const request = { expression, action, points, ...scope, state: 'active' as const };
      return client.rules.put(name, request, { ifVersion: version });
    },
  }),
];
