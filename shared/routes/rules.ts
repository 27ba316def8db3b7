import { SCREENED_KINDS } from '../domain/rules/rule';
import * as schemas from '../schemas/rule';
import { defineRoute } from './define-route';

/* Rules, as the reference shows them. */

export const ruleExample = {
  name: 'gift-cards',
  expression: 'attr.category == "gift_card" && amount > 200 && features.user_age_days < 1',
  action: 'review',
  points: null,
  priority: 500,
  state: 'active',
  rollout_percent: 100,
  applies_to: SCREENED_KINDS,
  expires_at: null,
  note: 'Gift cards are resold within minutes',
  override_labels: false,
  version: 3,
  created_at: '2026-11-02T08:00:00.000Z',
  updated_at: '2026-11-14T09:30:00.000Z',
  updated_by: 'ana.silva',
};

export const countedRuleExample = { ...ruleExample, matches: { last_24h: 12, last_7d: 80 } };

export const ruleTestExample = {
  days: 30,
  rows: 1_740,
  screened: 86_400,
  matched: 960,
  matched_per_day: 32,
  interval: [601, 1_531],
  labelled: 220,
  fraud_matched: 31,
  legitimate_matched: 9,
  precision: 0.775,
  recall: 0.4189,
  flips: [{ from: 'allow', to: 'review', count: 830 }],
  amount_usd: 412_300.5,
  examples: ['dec_01K9ZC3V5T8QJ4M2N6P7R8S9TB'],
  not_testable: [],
};

const RULES = { family: 'rules', tag: 'Rules' } as const;

export const listRulesRoute = defineRoute('GET /v1/rules', {
  operation: 'list-rules',
  ...RULES,
  permission: 'read',
  summary: 'List the rules',
  description: 'All rules of the account, by name.',
  success: { description: 'The rules.', schema: schemas.ruleList, example: { rules: [countedRuleExample] } },
});

export const getRuleRoute = defineRoute('GET /v1/rules/{name}', {
  operation: 'get-rule',
  ...RULES,
  permission: 'read',
  summary: 'Get a rule',
  description:
    'A rule, with how many screenings it matched in the last 24 hours and 7 days, in shadow or not. Screenings are counted within about a minute.',
  params: schemas.ruleParams,
  success: { description: 'The rule.', schema: schemas.rule, example: countedRuleExample },
  errors: ['not_found'],
});

export const putRuleRoute = defineRoute('PUT /v1/rules/{name}', {
  operation: 'put-rule',
  ...RULES,
  permission: 'rules',
  summary: 'Create or change a rule',
  description:
    'A condition on screenings and what follows from it: `allow`, `block`, `challenge`, `review`, or `points` that are added to the score. The expression is a subset of CEL; a faulty one is a 400 that says where, and which name may be meant. A name starts with a lower-case letter and has up to 63 lower-case letters, digits, `-` and `_`. A new rule is a `draft`: `shadow` evaluates and counts it without effect, `active` puts it in force within 60 seconds. An account can have 200 rules. With `If-Match`, only the version that you saw is changed; a rule that is sent again as it is stays the version it is.',
  conditional: true,
  params: schemas.newRuleParams,
  body: schemas.putRuleRequest,
  success: {
    description: 'The rule, changed.',
    created: 'The rule, created.',
    schema: schemas.rule,
    example: countedRuleExample,
  },
  requestExample: {
    expression: 'attr.category == "gift_card" && amount > 200 && features.user_age_days < 1',
    action: 'review',
    state: 'active',
    note: 'Gift cards are resold within minutes',
  },
});

export const deleteRuleRoute = defineRoute('DELETE /v1/rules/{name}', {
  operation: 'delete-rule',
  ...RULES,
  permission: 'rules',
  summary: 'Delete a rule',
  description:
    'It no longer matches within 60 seconds. Its versions are kept; a rule that is created under the same name continues their numbers.',
  conditional: true,
  params: schemas.ruleParams,
  success: { status: 204, description: 'Deleted.' },
  errors: ['not_found'],
});

export const listRuleVersionsRoute = defineRoute('GET /v1/rules/{name}/versions', {
  operation: 'list-rule-versions',
  ...RULES,
  permission: 'read',
  summary: 'List the versions of a rule',
  description: 'What the rule said at any time and who changed it, newest first.',
  params: schemas.ruleParams,
  success: { description: 'The versions.', schema: schemas.ruleVersions, example: { versions: [ruleExample] } },
  errors: ['not_found'],
});

export const testRuleRoute = defineRoute('POST /v1/rules/test', {
  operation: 'test-rule',
  ...RULES,
  permission: 'rules',
  summary: 'Test a rule on stored traffic',
  description:
    'What a rule would have done to your own screenings of the last `days`; nothing is changed, and the rule is not kept. Every screening that was not allowed is evaluated, and one in 64 of those that were allowed: `interval` is the 95% interval of `matched` (Wilson), `rows` the number of screenings that were evaluated. At most 7,000 are read; if there are more, the newest count, and `days` of the response says how far back they go. Numbers of labels are exact. Values are compared with the hashes and rough numbers that are stored; what these may confuse is part of `interval`. Parts of texts, and what some screening did not store, are named in `not_testable`: a condition on one counts as met, so that the numbers are upper bounds, and as not met for the lower end of `interval`. With a warehouse, `days` goes to 730: a test of more than 90 days is a query of Athena. The response is then 202 with a `test_id` and no result yet, which `GET /v1/rule-tests/{test_id}` has after some seconds.',
  idempotency: 'answer',
  body: schemas.testRuleRequest,
  success: {
    description: 'What the rule would have done.',
    accepted: 'The test runs on the warehouse: fetch its result by `test_id`. All numbers are 0 until then.',
    schema: schemas.ruleTest,
    example: ruleTestExample,
  },
  requestExample: { expression: 'amount > 200 && features.user_age_days < 1', action: 'review', days: 30 },
});

export const getRuleTestRoute = defineRoute('GET /v1/rule-tests/{test_id}', {
  operation: 'get-rule-test',
  ...RULES,
  permission: 'rules',
  summary: 'Get a test of a rule on the warehouse',
  description:
    'The result of a test over more than 90 days; `status` is `running` until it is there. Up to 9,999 screenings are evaluated: all of them, or else every one that was not allowed and one in 64 of the others, the newest if there are more. Results can be fetched for a day.',
  params: schemas.ruleTestParams,
  success: {
    description: 'What the rule would have done, if `status` is `complete`.',
    schema: schemas.ruleTest,
    example: { ...ruleTestExample, days: 730, status: 'complete', test_id: '4a1b8e5c-5b3f-4c6e-9d2a-7f0e1c2d3b4a' },
  },
  errors: ['not_found'],
});
