import { ruleTest, testRuleRequest } from '../schemas/rule';
import { defineRoute } from './define-route';
import { ruleTestExample } from './rule-examples';

export const testRuleRoute = defineRoute({
  operation: 'test-rule',
  family: 'rules',
  method: 'POST',
  path: '/v1/rules/test',
  permission: 'rules',
  tag: 'Rules',
  summary: 'Test a rule on stored traffic',
  description:
    'What a rule would have done to your own screenings of the last `days`; nothing is changed, and the rule is not kept. Every screening that was not allowed is evaluated, and one in 64 of those that were allowed: `interval` is the 95% interval of `matched` (Wilson), `rows` the number of screenings that were evaluated. At most 7,000 are read; if there are more, the newest count, and `days` of the response says how far back they go. Numbers of labels are exact. Stored screenings do not hold the names in `not_testable`: a condition on one counts as met, so that the numbers are upper bounds, and as not met for the lower end of `interval`.',
  idempotency: 'answer',
  body: testRuleRequest,
  success: {
    status: 200,
    description: 'What the rule would have done.',
    schema: ruleTest,
    example: ruleTestExample,
  },
  errors: ['idempotency_in_progress', 'payload_too_large', 'unsupported_media_type', 'idempotency_mismatch'],
  requestExample: { expression: 'amount > 200 && features.user_age_days < 1', action: 'review', days: 30 },
});
