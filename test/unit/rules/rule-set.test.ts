import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { StoredRule } from '../../../shared/domain/rules/rule';
import { expressionFault } from '../../../shared/domain/rules/rule-faults';
import { compileRules, isRolledOut } from '../../../shared/domain/rules/rule-set';
import type { Tree } from '../../../shared/domain/rules/tree';
import { screen } from '../../../shared/domain/screening/screen';
import type { ScreeningFacts } from '../../../shared/domain/screening/screening-facts';
import { decideOn } from '../../../shared/usecases/screening/decide-screening';
import { sized } from '../../support/sized';
import { callerOf, payment } from '../../support/traffic/payment';
import { arbitraryFacts } from '../screening/arbitrary-facts';
import { ruleFacts as facts, NOW, storedRule } from './stored-rule';

describe('rule set', () => {
  const matching = (rules: readonly StoredRule[], given = facts, atMs = NOW) => {
    const { matched, shadow, failed } = compileRules(rules)(given, atMs);
    const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
    return { matched: names(matched), shadow: names(shadow), failed };
  };

  describe('running rules', () => {
    it('runs active ones, shows those in shadow, and leaves drafts and paused ones alone', () => {
      const rules = (['draft', 'shadow', 'active', 'paused'] as const).map((state) => storedRule(state, { state }));
      expect(matching(rules)).toEqual({ matched: ['active'], shadow: ['shadow'], failed: [] });
    });

    it.each(['Bad@Mail.example', ' bad@mail.example ', 'bad\u200b@mail.example', '\uff42\uff41\uff44@mail.example'])(
      'is not passed by writing %j',
      (email) => {
        const rules = [
          'attr.email == "bad@mail.example"',
          'attr.email in ["bad@mail.example"]',
          'attr.email.endsWith("@MAIL.example")',
        ].map((expression, at) => storedRule(`r${at}`, { expression }));
        const given = { ...facts, subject: payment({ custom_attributes: { email } }) };
        expect(matching(rules, given).matched).toEqual(['r0', 'r1', 'r2']);
      },
    );

    it('ends to the instant', () => {
      const rules = [storedRule('a', { expires_at: '2026-11-14T09:30:00.000Z' })];
      expect(matching(rules, facts, NOW - 1).matched).toEqual(['a']);
      expect(matching(rules, facts, NOW).matched).toEqual([]);
    });

    it('applies to what it says', () => {
      const rules = [storedRule('logins', { applies_to: ['login'], expression: 'true' })];
      expect(matching(rules).matched).toEqual([]);
      const login = { ...facts, subject: payment({ subject_type: 'event', action: 'login' }) };
      expect(matching(rules, login).matched).toEqual(['logins']);
    });

    it('skips a rule that cannot be compiled or evaluated, and names it; the others run', () => {
      const broken = storedRule('broken', { tree: { op: 'name' } as unknown as Tree });
      const unknown = storedRule('of-a-later-version', { tree: { op: 'name', name: 'moon.phase' } });
      const strange = storedRule('strange', { tree: { op: 'lower', of: { op: 'value', value: 5 } } });
      expect(matching([broken, unknown, strange, storedRule('good')])).toEqual({
        matched: ['good'],
        shadow: [],
        failed: ['broken', 'strange'],
      });
    });

    it('is rolled out to about as many users as it says; more percent never drop one', () => {
      const users = Array.from({ length: 2_000 }, (_, i) => `user-${i}`);
      const of = (percent: number, rule = 'a') => users.filter((user) => isRolledOut(rule, user, percent));
      expect(of(10).length).toBeGreaterThan(140);
      expect(of(10).length).toBeLessThan(260);
      let before: string[] = [];
      for (const percent of [1, 5, 10, 35, 50, 90, 99, 100]) {
        const now = of(percent);
        expect(before.filter((user) => !now.includes(user))).toEqual([]);
        before = now;
      }
      expect(before).toHaveLength(users.length);
      // Another rule tries other users.
      expect(of(10, 'b')).not.toEqual(of(10));
    });
  });
});

describe('rules on screenings', () => {
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
});

describe('recipes', () => {
  const PAGE = readFileSync(join(__dirname, '../../../docs/guide/rules.md'), 'utf8');

  describe('docs/guide/rules.md', () => {
    it('has ten recipes that can be sent as they are', () => {
      const [, part = ''] = PAGE.split('## Ten recipes');
      const rows = (part.split('\n## ')[0] ?? '').matchAll(/^\| [^|`]+ \| `([^`]+)` \| `(\w+)`/gm);
      const recipes = [...rows].map(([, expression = '']) => expression);
      expect(recipes).toHaveLength(10);
      expect(recipes.flatMap((expression) => expressionFault(expression) ?? [])).toEqual([]);
    });

    it('translates rules of others to expressions that are right', () => {
      const [, part = ''] = PAGE.split('## From Radar and Fraud Detector');
      const expressions = [...part.matchAll(/^\| `.+?` \| `([^`]+)`/gm)].map(([, expression = '']) => expression);
      expect(expressions.length).toBeGreaterThanOrEqual(14);
      expect(expressions.flatMap((expression) => expressionFault(expression) ?? [])).toEqual([]);
    });
  });
});
