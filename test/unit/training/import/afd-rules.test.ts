import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPolicyFile } from '../../../../shared/cli/policy-file';
import { completeMapping, DEFAULT_MAPPING } from '../../../../shared/domain/afd/afd-mapping';
import { insightScore, riskScoreReaching } from '../../../../shared/domain/afd/afd-score';
import { listRequests } from '../../../../training/afd/import-lists';
import { simpleRegex } from '../../../../training/afd/rules/detectorpl';
import { ruleFileText, translateExpression, translateRules } from '../../../../training/afd/rules/import-rules';

const celOf = (text: string) => translateExpression(text, DEFAULT_MAPPING).expression;

it.each([
  ['$order_price > 100', 'amount > 100'],
  ['$billing_country == "US" and $order_price >= 99.5', '(billing.country == "US" && amount >= 99.5)'],
  ["$payment_currency not in ['EUR', 'USD']", '!(currency in ["EUR", "USD"])'],
  ['$card_bin in [411111, 512345]', 'attr.card_bin in ["411111", "512345"]'],
  ['!($order_price + 5 < 10)', '!((amount + 5) < 10)'],
  ['$customer_email in @blocked_emails', 'attr.email in lists.blocked_emails'],
  ['$ip_address in @bad-addresses', 'ip in lists["bad-addresses"]'],
  ['$user_agent != null', 'has(attr.user_agent)'],
  ['regex_match(".*@gmail\\.com", lowercase($email))', 'attr.email.lowerAscii().endsWith("@gmail.com")'],
  ['regex_match("^fake_.*", $email)', 'attr.email.startsWith("fake_")'],
  [
    'regex_match("(?i).*(test|demo).*", $email)',
    '(attr.email.lowerAscii().contains("test") || attr.email.lowerAscii().contains("demo"))',
  ],
  ['regex_match("(US|CA)", $billing_country)', 'billing.country in ["US", "CA"]'],
])('%s becomes %s', (theirs, ours) => {
  expect(celOf(theirs)).toBe(ours);
});

it('scores keep their false positives', () => {
  const { expression, notes } = translateExpression('$fraud_insightscore > 900', DEFAULT_MAPPING);
  const ours = riskScoreReaching(901);
  expect(expression).toBe(`score >= ${ours}`);
  expect(insightScore(ours)).toBeGreaterThan(900);
  expect(notes).toEqual([`a score of 900 has the false positives of our ${ours}`]);
  expect(celOf('600 >= $fraud_insightscore')).toBe(`score < ${riskScoreReaching(601)}`);
});

it.each([
  ['regex_match("[a-z]+\\d{3}", $email)', 'is not a prefix, suffix, part or choice of fixed texts'],
  ['$shoe_size > 40', '$shoe_size is a text here'],
  ['$ip_address == "1.2.3.4"', 'rules can only look an IP address up in a list'],
  ['$order_price % 2 == 0', '% has no counterpart'],
  ['getepochmilliseconds($x) > 5', 'getepochmilliseconds() has no counterpart'],
  ['$order_price >', 'it ends too early'],
  ['$order_price ; 5', '";" at position 14 is not part of the language'],
])('%s is left, with the reason', (theirs, reason) => {
  expect(() => celOf(theirs)).toThrow(reason);
});

it('a regular expression is only taken for what it is', () => {
  expect(simpleRegex('^abc')).toEqual({ how: 'startsWith', texts: ['abc'], ignoresCase: false });
  expect(simpleRegex('abc')).toMatchObject({ how: 'equals' });
  expect(simpleRegex('.*\\+1')).toMatchObject({ how: 'endsWith', texts: ['+1'] });
  for (const hard of ['a.c', 'a+', '\\d', '.*', '(a|b)c', 'a\\.*'])
    expect(() => simpleRegex(hard)).toThrow('regular expression');
});

it('rules keep their order, start in shadow, and do what their outcomes say', () => {
  const rule = (ruleId: string, expression: string, ...outcomes: string[]) => ({ ruleId, expression, outcomes });
  const text = JSON.stringify({
    ruleDetails: [
      rule('high_fraud_risk', '$m_insightscore > 900', 'verify_customer', 'block_order'),
      rule('2nd', '$order_price > 5', 'approve_order'),
      rule('odd', '$order_price > 5', 'elephant'),
      rule('named', '$order_price > 7', 'elephant'),
      { ruleId: 'broken' },
    ],
  });
  const { rules, left } = translateRules(text, DEFAULT_MAPPING);
  expect(rules.map(({ name, action, priority, state }) => [name, action, priority, state])).toEqual([
    ['high_fraud_risk', 'block', 10, 'shadow'],
    ['r_2nd', 'allow', 20, 'shadow'],
  ]);
  expect(left.map(({ name }) => name)).toEqual(['odd', 'named', 'rule 5']);
  expect(left[0]?.reason).toContain('name it under "outcomes"');
  const named = translateRules(text, completeMapping({ outcomes: { review: 'elephant' } }));
  expect(named.rules.find(({ name }) => name === 'odd')?.action).toBe('review');
});

it('lists become calls of the API, a thousand entries each', () => {
  const elements = Array.from({ length: 1_500 }, (_, i) => `u${i}@mail.example`);
  const requests = listRequests(
    JSON.stringify({
      lists: [
        { name: 'Blocked Emails', variableType: 'EMAIL_ADDRESS', elements },
        { name: 'addresses', variableType: 'IP_ADDRESS', elements: ['1.2.3.4', '10.0.0.0/8'] },
        { name: 'card_bin', elements: ['411111'] },
      ],
    }),
  );
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'PUT /v1/lists/blocked_emails',
    'POST /v1/lists/blocked_emails/entries',
    'POST /v1/lists/blocked_emails/entries',
    'PUT /v1/lists/addresses',
    'POST /v1/lists/addresses/entries',
    'PUT /v1/lists/addresses-networks',
    'POST /v1/lists/addresses-networks/entries',
    'PUT /v1/lists/card_bin',
    'POST /v1/lists/card_bin/entries',
  ]);
  const types = requests.filter(({ method }) => method === 'PUT').map(({ body }) => (body as { type: string }).type);
  expect(types).toEqual(['email', 'ip_address', 'cidr', 'attribute:card_bin']);
});

it('rules are written as a file that can be applied, each under a name of its own', async () => {
  const sample = readFileSync(join(__dirname, '../../../../docs/samples/fraud-detector-rules.json'), 'utf8');
  const { rules } = translateRules(sample, DEFAULT_MAPPING);
  const read = await readPolicyFile(ruleFileText(rules));
  expect('policy' in read ? [...read.policy.rules.keys()] : read.faults).toEqual(rules.map(({ name }) => name).sort());
  const alike = ['High Risk', 'high_risk', 'high risk'].map((ruleId) => ({
    ...{ ruleId, expression: '$order_price > 100', outcomes: ['block'] },
  }));
  const names = translateRules(JSON.stringify({ rules: alike }), DEFAULT_MAPPING).rules.map(({ name }) => name);
  expect(names).toEqual(['high_risk', 'high_risk_2', 'high_risk_3']);
});
