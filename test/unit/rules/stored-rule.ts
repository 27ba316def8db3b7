import { checkCondition } from '../../../shared/domain/rules/language/check';
import { DEFAULT_RULE, type StoredRule } from '../../../shared/domain/rules/rule';
import type { RuleFacts } from '../../../shared/domain/rules/rule-facts';
import { ruleNames } from '../../../shared/domain/rules/rule-names';
import { payment } from '../../support/traffic/payment';

export const NOW = Date.parse('2026-11-14T09:30:00Z');
/** Of an ordinary payment. */
export const ruleFacts: RuleFacts = {
  subject: payment(),
  ip: undefined,
  score: 5,
  vector: new Float32Array(),
  fired: [],
  lists: [],
};

/** An active rule that leads to a review. */
export const storedRule = (name: string, change: Partial<StoredRule> = {}): StoredRule => {
  const expression = change.expression ?? 'amount > 5';
  return {
    ...DEFAULT_RULE,
    name,
    action: 'review',
    state: 'active',
    version: 1,
    created_at: '2026-11-14T09:30:00.000Z',
    updated_at: '2026-11-14T09:30:00.000Z',
    updated_by: 'ana',
    expression,
    tree: checkCondition(expression, ruleNames()).tree,
    ...change,
  };
};
