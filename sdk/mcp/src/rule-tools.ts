import * as z from 'zod';
import { type FraudScreening, FraudScreeningError, type Rule } from '../../client/src';
import { defineTool } from './tool';

const condition = {
  expression: z
    .string()
    .min(1)
    .describe('The condition, in a subset of CEL, such as amount > 1000 && features.user_age_days < 1.'),
  action: z.enum(['allow', 'block', 'challenge', 'review', 'points']).describe('What follows if it matches.'),
  points: z.number().exactOptional().describe('With the action points: how much the score changes.'),
};

async function existing(client: FraudScreening, name: string): Promise<Rule | undefined> {
  try {
    return await client.rules.get(name);
  } catch (error) {
    if (error instanceof FraudScreeningError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Tools that prepare a rule; what they leave behind has no effect on screenings. */
export const RULE_TOOLS = [
  defineTool({
    name: 'test_rule',
    title: 'Test a rule',
    description: 'What a rule would have done to past traffic: matches, precision, examples. Changes nothing.',
    changes: 'nothing',
    input: { ...condition, days: z.number().int().min(1).exactOptional().describe('How many days back to look.') },
    run: (client, input) => client.rules.test(input),
  }),
  defineTool({
    name: 'propose_rule',
    title: 'Propose a rule',
    description: 'Saves a rule as a draft, which has no effect until a person activates it. Test it first.',
    changes: 'a draft',
    input: {
      name: z.string().describe('Lower-case letters, digits, - and _, starting with a letter.'),
      ...condition,
      note: z.string().exactOptional().describe('Why this rule, for the person who reviews it.'),
    },
    run: async (client, { name, ...rule }) => {
      const before = await existing(client, name);
      // Saving a draft over a rule in force would switch that rule off, which is a decision.
      if (before && before.state !== 'draft') {
        throw new Error(`The rule ${name} exists and is ${before.state}. Propose it under another name.`);
      }
      return client.rules.put(name, { ...rule, state: 'draft' }, { ifVersion: before?.version });
    },
  }),
];
