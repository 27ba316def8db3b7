import { SCREENED_KINDS } from '../domain/rules/rule';

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
