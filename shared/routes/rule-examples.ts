/* Rules, as the reference shows them. */

export const ruleExample = {
  name: 'gift-cards',
  expression: 'attr.category == "gift_card" && amount > 200 && features.user_age_days < 1',
  action: 'review',
  points: null,
  priority: 500,
  state: 'active',
  rollout_percent: 100,
  applies_to: [
    'transaction',
    'login',
    'signup',
    'password_reset',
    'password_change',
    'email_change',
    'phone_change',
    'payout_change',
    'profile_update',
  ],
  expires_at: null,
  note: 'Gift cards are resold within minutes',
  override_labels: false,
  version: 3,
  created_at: '2026-11-02T08:00:00.000Z',
  updated_at: '2026-11-14T09:30:00.000Z',
  updated_by: 'ana.silva',
};

export const countedRuleExample = { ...ruleExample, matches: { last_24h: 12, last_7d: 80 } };
