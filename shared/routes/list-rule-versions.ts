import { ruleParams, ruleVersions } from '../schemas/rule';
import { defineRoute } from './define-route';
import { ruleExample } from './rule-examples';

export const listRuleVersionsRoute = defineRoute({
  operation: 'list-rule-versions',
  family: 'rules',
  method: 'GET',
  path: '/v1/rules/{name}/versions',
  permission: 'read',
  tag: 'Rules',
  summary: 'List the versions of a rule',
  description: 'What the rule said at any time and who changed it, newest first.',
  params: ruleParams,
  success: { status: 200, description: 'The versions.', schema: ruleVersions, example: { versions: [ruleExample] } },
  errors: ['not_found'],
});
