import * as schemas from '../schemas/rule';
import { defineRoute } from './define-route';

const RULES = { family: 'rules', tag: 'Rules' } as const;

export const listRulesRoute = defineRoute('GET /v1/rules', {
  operation: 'list-rules',
  ...RULES,
  permission: 'read',
  success: { schema: schemas.ruleList },
});

export const getRuleRoute = defineRoute('GET /v1/rules/{name}', {
  operation: 'get-rule',
  ...RULES,
  permission: 'read',
  params: schemas.ruleParams,
  success: { schema: schemas.rule },
  errors: ['not_found'],
});

export const putRuleRoute = defineRoute('PUT /v1/rules/{name}', {
  operation: 'put-rule',
  ...RULES,
  permission: 'rules',
  conditional: true,
  params: schemas.newRuleParams,
  body: schemas.putRuleRequest,
  success: { schema: schemas.rule },
});

export const deleteRuleRoute = defineRoute('DELETE /v1/rules/{name}', {
  operation: 'delete-rule',
  ...RULES,
  permission: 'rules',
  conditional: true,
  params: schemas.ruleParams,
  success: { status: 204 },
  errors: ['not_found'],
});

export const listRuleVersionsRoute = defineRoute('GET /v1/rules/{name}/versions', {
  operation: 'list-rule-versions',
  ...RULES,
  permission: 'read',
  params: schemas.ruleParams,
  success: { schema: schemas.ruleVersions },
  errors: ['not_found'],
});

export const testRuleRoute = defineRoute('POST /v1/rules/test', {
  operation: 'test-rule',
  ...RULES,
  permission: 'rules',
  idempotency: 'answer',
  body: schemas.testRuleRequest,
  success: { schema: schemas.ruleTest },
});

export const getRuleTestRoute = defineRoute('GET /v1/rule-tests/{test_id}', {
  operation: 'get-rule-test',
  ...RULES,
  permission: 'rules',
  params: schemas.ruleTestParams,
  success: { schema: schemas.ruleTest },
  errors: ['not_found'],
});
