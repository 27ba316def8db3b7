import { rule, ruleParams } from '../schemas/rule';
import { defineRoute } from './define-route';
import { countedRuleExample } from './rule-examples';

export const getRuleRoute = defineRoute({
  operation: 'get-rule',
  family: 'rules',
  method: 'GET',
  path: '/v1/rules/{name}',
  permission: 'read',
  tag: 'Rules',
  summary: 'Get a rule',
  description:
    'A rule, with how many screenings it matched in the last 24 hours and 7 days, in shadow or not. Screenings are counted within about a minute.',
  params: ruleParams,
  success: { status: 200, description: 'The rule.', schema: rule, example: countedRuleExample },
  errors: ['not_found'],
});
