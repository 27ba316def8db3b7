import { Environment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../shared/domain/accounts/account';
import { check, checkCondition } from '../shared/domain/rules/language/check';
import { ExpressionError } from '../shared/domain/rules/language/expression-error';
import { DEFAULT_RULE, RULE_ACTIONS, type StoredRule } from '../shared/domain/rules/rule';
import type { RuleFacts } from '../shared/domain/rules/rule-facts';
import { ruleNames } from '../shared/domain/rules/rule-names';
import { compileRules, NO_RULES, type RuleSet } from '../shared/domain/rules/rule-set';
import type { Tree } from '../shared/domain/rules/tree';
import { compileSignals } from '../shared/domain/screening/compile-signals';
import { decideByPolicy } from '../shared/domain/screening/decide-by-policy';
import { extractFeatures } from '../shared/domain/screening/features';
import { score } from '../shared/domain/screening/score';
import { screen } from '../shared/domain/screening/screen';
import type { ScreeningFacts } from '../shared/domain/screening/screening-facts';
import { SIGNALS } from '../shared/domain/screening/signals';
import { NOW_MS } from './support/build-history';
import type { Measurement } from './support/measurement';
import { RANDOM_NAMES, randomCondition, randomText } from './support/random-expressions';
import { FRAUD, HONEST } from './support/stories';

/* Prints what 50 and 200 rules add to a screening, and what checking an expression takes: `npm run bench -- rules`. */
const ROUNDS = 9;
const CALLS = 5_000;
const EXPRESSIONS = 10_000;

/** Conditions as people write them, each with a number of its own. */
const CONDITIONS: ReadonlyArray<(n: number) => string> = [
  (n) => `attr.category == "gift_card" && amount > ${n} && features.user_age_days < 1`,
  (n) => `ip.country != billing.country && amount > ${10 * n}`,
  (n) => `user_id in lists.vips && amount < ${20 * n}`,
  (n) => `attr.email.lowerAscii().endsWith("@shop${n}.example") && event_type == "signup"`,
  (n) => `attr.card_bin in ["411111", "424242", "${400_000 + n}"]`,
  (n) => `event_type == "payout_change" && (signals.new_device || score >= ${n % 100})`,
  (n) => `subject_type == "transaction" && ip.hosting && score >= ${n % 100}`,
  (n) => `payment_method == "crypto" && amount * 1.1 >= ${10 * n}`,
  (n) => `has(attr.partner) && attr.partner == "acme" && score < ${n % 40}`,
  (n) => `signals.velocity_spike && !(user_id in lists.staff) && features.user_tx_10m > ${n % 10}`,
];

const storedRule = (i: number): StoredRule => {
  const expression = CONDITIONS[i % CONDITIONS.length]?.(i + 1) ?? 'true';
  const action = RULE_ACTIONS[i % RULE_ACTIONS.length] ?? 'review';
  return {
    ...DEFAULT_RULE,
    name: `rule-${i}`,
    expression,
    action,
    points: action === 'points' ? 5 : null,
    state: i % 5 === 4 ? 'shadow' : 'active',
    rollout_percent: i % 3 === 0 ? 50 : 100,
    version: 1,
    created_at: new Date(NOW_MS).toISOString(),
    updated_at: new Date(NOW_MS).toISOString(),
    updated_by: 'bench',
    tree: checkCondition(expression, ruleNames()).tree,
  };
};

const ruleSet = (count: number): RuleSet =>
  count === 0 ? NO_RULES : compileRules(Array.from({ length: count }, (_, i) => storedRule(i)));

/** As a screening sees them: nine honest attempts out of ten. */
const STORIES = [...Array.from({ length: 9 }, () => HONEST).flat(), ...FRAUD];
const readSignals = compileSignals(SIGNALS);

function ruleFactsOf(facts: ScreeningFacts): RuleFacts {
  const { attempt, ip, payment_method, billing_country } = facts;
  const vector = extractFeatures(facts);
  const { fired } = readSignals(vector, facts);
  return {
    subject: {
      subject_type: attempt.action === 'transaction' ? 'transaction' : 'event',
      action: attempt.action,
      outcome: attempt.outcome,
      user_id: attempt.user_id,
      amount: attempt.amount,
      currency: attempt.currency,
      device_fingerprint: attempt.device,
      payment_method,
      billing_address: { country: billing_country },
      custom_attributes: { category: 'shoes', email: 'ann@mail.example', card_bin: '543210' },
    },
    ip,
    score: score(fired, DEFAULT_SETTINGS).risk_score,
    vector,
    fired,
    lists: [{ name: 'vips', type: 'user_id', effect: 'none' }],
  };
}

/** µs per call of each work, in the best of rounds that take turns: noise meets all of them alike. */
function alternately(works: ReadonlyArray<(i: number) => unknown>): number[] {
  const best = works.map(() => Number.POSITIVE_INFINITY);
  let sink: unknown;
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, work] of works.entries()) {
      const start = performance.now();
      for (let i = 0; i < CALLS; i++) sink = work(i);
      const us = ((performance.now() - start) * 1_000) / CALLS;
      // The first round warms up.
      if (round > 0) best[at] = Math.min(best[at] ?? us, us);
    }
  }
  if (sink === undefined) throw new Error('the work was optimised away');
  return best;
}

const nodesOf = (tree: Tree): number => {
  if ('left' in tree) return 1 + nodesOf(tree.left) + nodesOf(tree.right);
  return 1 + ('of' in tree ? nodesOf(tree.of) : 0) + ('values' in tree ? tree.values.length : 0);
};

/** The time of the slowest of many random expressions per node, the best of three tries each; a refused one has one node. */
function slowestCheckUs(): { readonly slowest: number; readonly mean: number } {
  const texts = [randomCondition, randomText].flatMap((of) => fc.sample(of, { numRuns: EXPRESSIONS / 2, seed: 21 }));
  let slowest = 0;
  let total = 0;
  for (const text of texts) {
    let least = Number.POSITIVE_INFINITY;
    let nodes = 1;
    for (let time = 0; time < 3; time++) {
      const start = performance.now();
      try {
        nodes = nodesOf(check(text, RANDOM_NAMES).tree);
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
      }
      least = Math.min(least, (performance.now() - start) * 1_000);
    }
    slowest = Math.max(slowest, least / nodes);
    total += least / nodes;
  }
  return { slowest, mean: total / texts.length };
}

/** The same conditions in another implementation of CEL, which knows doubles only and no missing values. */
function celRatio(facts: readonly RuleFacts[]): number {
  const conditions = ['amount > 200.0 && score >= 40.0', 'currency == "USD" && amount < 50.0', 'user_id.endsWith("9")'];
  const rules = conditions.map((expression, i) => ({
    ...storedRule(i),
    expression,
    rollout_percent: 100,
    tree: checkCondition(expression, ruleNames()).tree,
  }));
  const environment = new Environment()
    .registerVariable('amount', 'double')
    .registerVariable('score', 'double')
    .registerVariable('currency', 'string')
    .registerVariable('user_id', 'string');
  const parsed = conditions.map((expression) => environment.parse(expression));
  const payments = facts.filter(({ subject }) => subject.amount !== undefined);
  const contexts = payments.map(({ subject: { amount, currency, user_id }, score: risk }) => ({
    ...{ amount, currency, user_id },
    score: risk,
  }));
  const ours = compileRules(rules);
  const [mine = 0, theirs = 0] = alternately([
    (i) => ours(payments[i % payments.length] as RuleFacts, NOW_MS),
    (i) => parsed.map((each) => each(contexts[i % contexts.length])),
  ]);
  return theirs / mine;
}

export function run(): Measurement[] {
  const facts = STORIES.map((story) => ruleFactsOf(story.facts));
  const scored = STORIES.map((story) => {
    const { risk_score, explanation } = screen(story.facts, DEFAULT_SETTINGS);
    return { risk_score, contributions: explanation.contributions };
  });
  const judging = (rules: RuleSet) => (i: number) => {
    const at = i % facts.length;
    const { lists } = facts[at] as RuleFacts;
    const { matched } = rules(facts[at] as RuleFacts, NOW_MS);
    const judged = { rules: matched, lists, has_confirmed_fraud: false };
    return decideByPolicy(scored[at] as (typeof scored)[number], judged, DEFAULT_SETTINGS);
  };
  const [none = 0, fifty = 0, most = 0, whole = 0] = alternately([
    judging(ruleSet(0)),
    judging(ruleSet(50)),
    judging(ruleSet(200)),
    (i) => screen((STORIES[i % STORIES.length] as (typeof STORIES)[number]).facts, DEFAULT_SETTINGS),
  ]);
  const us = (value: number): string => `${value.toFixed(2)} µs`;
  const ratio = (value: number): string => `${(value / whole).toFixed(2)} × features, signals and score`;
  console.log(`no rules        ${us(none)}`);
  console.log(`50 rules        ${us(fifty - none)} more, ${ratio(fifty - none)}`);
  console.log(`200 rules       ${us(most - none)} more, ${ratio(most - none)}`);
  console.log(`200 to 50       ${((most - none) / (fifty - none)).toFixed(2)} times as long`);
  const cel = celRatio(facts);
  console.log(`3 conditions in @marcbachmann/cel-js: ${cel.toFixed(1)} times as long`);
  const { slowest, mean } = slowestCheckUs();
  console.log(`check           ${us(mean)} per node on average, ${us(slowest)} at most, of ${EXPRESSIONS} expressions`);
  return [
    { what: '50 rules per screening', found: us(fifty - none), aim: '≤ 50 µs' },
    { what: '200 rules per screening', found: us(most - none), aim: '≤ 200 µs' },
    { what: '@marcbachmann/cel-js × 3 conditions', found: cel.toFixed(1) },
    { what: `checking an expression, the slowest of ${EXPRESSIONS}, per node`, found: us(slowest), aim: '≤ 1,000 µs' },
  ];
}
