import { type Policy, readPolicyFile } from '../../../../shared/cli/policy-file';
import { FEATURE_NAMES } from '../../../../shared/domain/screening/features';
import { packVector } from '../../../../shared/domain/screening/subjects/feature-vector-codec';
import type { ScreeningRecord } from '../../../../shared/domain/screening/subjects/screening-record';
import type { KnownRules } from '../../../../shared/usecases/screening/sources/rules';
import { ruleReport, ruleReportText, shadowRules } from '../../../../training/replay/rule-report';
import { payment } from '../../../support/traffic/payment';
import { screened } from '../../../support/webhooks/changes';

const NOW = Date.parse('2026-11-14T12:00:00Z');
const vector = new Float32Array(FEATURE_NAMES.length).fill(Number.NaN);

const TEXT = `
rules:
  large: { expression: 'amount > 100', action: review, state: draft, rollout_percent: 1 }
  partner: { expression: 'attr.partner == "acme"', action: points, points: -10 }
  vips: { expression: 'user_id in lists.vips', action: allow }
`;

let file: Policy;
beforeAll(async () => {
  const read = await readPolicyFile(TEXT);
  if ('faults' in read) throw new Error(read.faults.join());
  file = read.policy;
});

const matches = (amount: number, partner?: string) => {
  const custom_attributes = partner === undefined ? {} : { partner };
  const subject = payment({ amount, currency: 'USD', custom_attributes });
  return (shadowRules(file).latest('acc_1') as KnownRules).rules(
    { subject, ip: undefined, score: 65, vector, fired: [], lists: [] },
    NOW,
  );
};
const record = (amount: number, change: Partial<ScreeningRecord> = {}, partner?: string): ScreeningRecord =>
  screened(NOW, {
    amount,
    currency: 'USD',
    vector: packVector(vector),
    shadow_rules: matches(amount, partner).shadow,
    ...change,
  });

it('tests every rule of a file on everybody, whatever its state and rollout', () => {
  const { matched, shadow, failed } = matches(150, 'acme');
  expect([matched, failed]).toEqual([[], []]);
  expect(shadow.map(({ name }) => name)).toEqual(['large', 'partner']);
});

it('counts matches, labels and changed decisions, of each rule and of all together', () => {
  const report = ruleReport(file);
  report.add(record(150), 1);
  report.add(record(200, { screened_at_ms: NOW + 86_400_000 }), 0);
  report.add(record(50, { automated_decision: 'review', risk_score: 65 }, 'acme'), 1);
  report.add(record(20), null);
  const result = report.finish();
  expect(result).toMatchObject({ lines: 4, days: 1, fraud: 2, lists: ['vips'] });
  expect(result.rules).toEqual([
    {
      name: 'large',
      matched: 2,
      amount_usd: 350,
      fraud_matched: 1,
      legitimate_matched: 1,
      flips: [{ from: 'allow', to: 'review', count: 2 }],
    },
    {
      name: 'partner',
      matched: 1,
      amount_usd: 50,
      fraud_matched: 1,
      legitimate_matched: 0,
      flips: [{ from: 'review', to: 'allow', count: 1 }],
    },
    { name: 'vips', matched: 0, amount_usd: 0, fraud_matched: 0, legitimate_matched: 0, flips: [] },
    expect.objectContaining({ name: 'all together', matched: 3 }),
  ]);
  const text = ruleReportText(result);
  expect(text).toContain('2 allow → review');
  expect(text).toContain('nothing is in lists.vips');
});
