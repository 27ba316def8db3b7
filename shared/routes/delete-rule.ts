import { ruleParams } from '../schemas/rule';
import { defineRoute } from './define-route';

export const deleteRuleRoute = defineRoute({
  operation: 'delete-rule',
  family: 'rules',
  method: 'DELETE',
  path: '/v1/rules/{name}',
  permission: 'rules',
  tag: 'Rules',
  summary: 'Delete a rule',
  description:
    'It no longer matches within 60 seconds. Its versions are kept; a rule that is created under the same name continues their numbers.',
  conditional: true,
  params: ruleParams,
  success: { status: 204, description: 'Deleted.' },
  errors: ['not_found', 'version_mismatch'],
});
