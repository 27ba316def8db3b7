import fc from 'fast-check';
import { compileRules } from '../../../shared/domain/rules/rule-set';
import { screen } from '../../../shared/domain/screening/screen';
import type { ScreeningFacts } from '../../../shared/domain/screening/screening-facts';
import { decideOn } from '../../../shared/usecases/screening/decide-screening';
import { callerOf, payment } from '../../support/payment';
import { sized } from '../../support/sized';
import { arbitraryFacts } from '../screening/arbitrary-facts';
import { storedRule } from './stored-rule';

/* Any rules on any screening, against a second account of everything from the condition to the decision. */

type Screened = { readonly facts: ScreeningFacts; readonly score: number; readonly signals: readonly string[] };

/** Conditions, each also as a person would compute it. */
const CONDITIONS: ReadonlyArray<readonly [expression: string, holds: (screened: Screened) => boolean]> = [
  ['true', () => true],
  ['amount > 100', ({ facts }) => (facts.attempt.amount ?? 0) > 100],
  ['score >= 30 && score < 60', ({ score }) => score >= 30 && score < 60],
  ['subject_type == "event"', ({ facts }) => facts.attempt.action !== 'transaction'],
  [
    'signals.new_device || ip.hosting',
    ({ facts, signals }) => signals.includes('new_device') || facts.ip?.network === 'hosting',
  ],
  ['!has(amount)', ({ facts }) => facts.attempt.amount === undefined],
  ['currency in ["USD", "EUR"]', ({ facts }) => ['USD', 'EUR'].includes(facts.attempt.currency ?? '')],
];

const ACTIONS = ['allow', 'block', 'challenge', 'review', 'points'] as const;

const arbitraryRules = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    condition: fc.nat(CONDITIONS.length - 1),
    action: fc.constantFrom(...ACTIONS),
    points: fc.integer({ min: -50, max: 50 }),
    priority: fc.integer({ min: 0, max: 2 }),
    override_labels: fc.boolean(),
    state: fc.constantFrom('active' as const, 'shadow' as const, 'paused' as const),
  }),
  { selector: ({ name }) => name },
);

const REVIEW = 60;
const BLOCK = 85;
const byThresholds = (score: number) => (score >= BLOCK ? 'block' : score >= REVIEW ? 'review' : 'allow');
const isFraudKnown = ({ user, device, attributes }: ScreeningFacts): boolean => {
  const card = attributes.find(({ key }) => key === 'card_fingerprint');
  return [user, device, card?.history].some((history) => (history?.labels.fraud ?? 0) > 0);
};

it('base + points is the score, and the decision is what the precedence says, for any rules on any screening', () => {
  fc.assert(
    fc.property(arbitraryFacts, arbitraryRules, (facts, drawn) => {
      const caller = callerOf('acc_1');
      const thresholds = { review_threshold: REVIEW, block_threshold: BLOCK };
      const settings = { ...caller.settings, ...thresholds };
      const screening = screen(facts, settings);
      const { action, amount, currency } = facts.attempt;
      const subject = payment({
        subject_type: action === 'transaction' ? 'transaction' : 'event',
        action,
        amount,
        currency,
      });
      const rules = drawn.map(({ condition, points, ...rest }) =>
        storedRule(rest.name, {
          ...rest,
          expression: CONDITIONS[condition]?.[0] ?? '',
          points: rest.action === 'points' ? points : null,
        }),
      );
      const decided = decideOn({ subject, facts, screening }, settings, compileRules(rules), []);
      expect(decided.failed_rules).toEqual([]);

      const signals = screening.fired.map(({ name }) => name);
      const holding = drawn.filter(({ condition }) =>
        CONDITIONS[condition]?.[1]({ facts, score: screening.risk_score, signals }),
      );
      const named = (state: string) => holding.filter((each) => each.state === state).map(({ name }) => name);
      expect(decided.rules.map(({ name }) => name).sort()).toEqual(named('active').sort());
      expect((decided.shadow_rules ?? []).map(({ name }) => name).sort()).toEqual(named('shadow').sort());

      const sum = decided.contributions.reduce((total, { points }) => total + points, screening.explanation.base);
      expect(sum).toBe(decided.risk_score);
      const active = holding.filter(({ state }) => state === 'active');
      const wanted = active.reduce((total, { action: does, points }) => total + (does === 'points' ? points : 0), 0);
      expect(decided.risk_score).toBe(Math.min(100, Math.max(0, screening.risk_score + wanted)));

      const mayDecide = active.filter(
        (rule) => rule.action !== 'allow' || rule.override_labels || !isFraudKnown(facts),
      );
      const byScore = byThresholds(decided.risk_score);
      const says = (decision: string): string | undefined =>
        mayDecide
          .filter((rule) => rule.action === decision)
          .sort((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1))
          .map(({ name }) => name)[0];
      const strongest = (['allow', 'block', 'challenge', 'review'] as const).find(
        (decision) => says(decision) !== undefined || (decision !== 'allow' && byScore === decision),
      );
      expect(decided.decision).toBe(strongest ?? 'allow');
      const winner = strongest && says(strongest);
      expect(decided.decided_by).toEqual(winner ? { kind: 'rule', name: winner } : { kind: 'score', name: null });
    }),
    { numRuns: sized(3_000, 300) },
  );
});
