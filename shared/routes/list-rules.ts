import { ruleList } from '../schemas/rule';
import { defineRoute } from './define-route';
import { countedRuleExample } from './rule-examples';

export const listRulesRoute = defineRoute({
  operation: 'list-rules',
  family: 'rules',
  method: 'GET',
  path: '/v1/rules',
  permission: 'read',
  tag: 'Rules',
  summary: 'List the rules',
  description: 'All rules of the account, by name.',
  success: { status: 200, description: 'The rules.', schema: ruleList, example: { rules: [countedRuleExample] } },
  errors: [],
});
