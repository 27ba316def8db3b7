import { newRuleParams, putRuleRequest, rule } from '../schemas/rule';
import { defineRoute } from './define-route';
import { countedRuleExample } from './rule-examples';

export const putRuleRoute = defineRoute({
  operation: 'put-rule',
  family: 'rules',
  method: 'PUT',
  path: '/v1/rules/{name}',
  permission: 'rules',
  tag: 'Rules',
  summary: 'Create or change a rule',
  description:
    'A condition on screenings and what follows from it: `allow`, `block`, `challenge`, `review`, or `points` that are added to the score. The expression is a subset of CEL; a faulty one is a 400 that says where, and which name may be meant. A name starts with a lower-case letter and has up to 63 lower-case letters, digits, `-` and `_`. A new rule is a `draft`: `shadow` evaluates and counts it without effect, `active` puts it in force within 60 seconds. An account can have 200 rules. With `If-Match`, only the version that you saw is changed; a rule that is sent again as it is stays the version it is.',
  conditional: true,
  params: newRuleParams,
  body: putRuleRequest,
  success: {
    status: 200,
    description: 'The rule, changed.',
    created: 'The rule, created.',
    schema: rule,
    example: countedRuleExample,
  },
  errors: ['version_mismatch', 'payload_too_large', 'unsupported_media_type'],
  requestExample: {
    expression: 'attr.category == "gift_card" && amount > 200 && features.user_age_days < 1',
    action: 'review',
    state: 'active',
    note: 'Gift cards are resold within minutes',
  },
});
