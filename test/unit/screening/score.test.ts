import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import type { EntityHistory, Window } from '../../../shared/domain/entities/entity-history';
import { compileRules, NO_RULES } from '../../../shared/domain/rules/rule-set';
import { compileSignals, type FiredSignal } from '../../../shared/domain/screening/compile-signals';
import { decide, riskLevel } from '../../../shared/domain/screening/decide';
import { extractFeatures, FEATURE_NAMES } from '../../../shared/domain/screening/features';
import { apportionPoints, type ModelOpinion, score } from '../../../shared/domain/screening/score';
import { screen } from '../../../shared/domain/screening/screen';
import type { ScreeningFacts } from '../../../shared/domain/screening/screening-facts';
import {
  all,
  atLeast,
  atMost,
  between,
  type Grade,
  graded,
  gradedByFactor,
  isTrue,
  not,
  type SignalDefinition,
} from '../../../shared/domain/screening/signal-definition';
import { SIGNALS } from '../../../shared/domain/screening/signals';
import { decideOn } from '../../../shared/usecases/screening/decide-screening';
import { decisionMembers } from '../../../shared/usecases/screening/new-record';
import { history, KNOWN, purchase } from '../../support/screening/build-history';
import { sized } from '../../support/sized';
import { callerOf, payment } from '../../support/traffic/payment';
import { storedRule } from '../rules/stored-rule';
import { arbitraryFacts, withFrauds } from './arbitrary-facts';

describe('score', () => {
  const fired = (
    name: string,
    log_odds: number,
    family: FiredSignal['family'] = 'velocity',
    forces_review = false,
  ) => ({
    name,
    family,
    log_odds,
    detail: `${name} fired`,
    forces_review,
  });
  const of = (...signals: FiredSignal[]) => score(signals, DEFAULT_SETTINGS).risk_score;

  describe('the one function that combines', () => {
    it('has the base score when nothing fired', () => {
      expect(score([], DEFAULT_SETTINGS)).toEqual({
        risk_score: 5,
        probability: expect.closeTo(0.0004, 4),
        signals: [],
        explanation: { base: 5, contributions: [] },
      });
    });

    it('counts a second signal of the same family half, of another in full', () => {
      const [velocity, location] = [fired('a', 3), fired('b', 2, 'location')];
      expect(of(velocity, fired('b', 2))).toBe(of(velocity, fired('c', 1, 'location')));
      expect(of(velocity, location)).toBeGreaterThan(of(velocity, fired('b', 2)));
    });

    it('lets no family but a forced review reach block alone, however many of it fire', () => {
      for (const family of [
        'velocity',
        'location',
        'device',
        'crowd',
        'reputation',
        'amount',
        'account',
        'habit',
      ] as const) {
        expect(of(...Array.from({ length: 9 }, (_, i) => fired(`s${i}`, 50, family)))).toBeLessThan(85);
      }
    });

    it('lifts to the score of what is repeated, up to a block, however often labels have judged it, and adds up', () => {
      for (const lifts_to of [1, 40, 66, 85, 94, 100]) {
        const repeat = { ...fired('r', 0.3, 'reputation'), lifts_to };
        const trust = { judged: { r: Array(8).fill(1e6) } };
        const model: ModelOpinion = { version: 'm', log_odds: -9, parts: [], detail: '', trust };
        for (const opinion of [undefined, model]) {
          const { risk_score, explanation } = score([repeat, fired('t', -2, 'trust')], DEFAULT_SETTINGS, opinion);
          expect(risk_score).toBeGreaterThanOrEqual(lifts_to);
          expect(explanation.base + explanation.contributions.reduce((sum, { points }) => sum + points, 0)).toBe(
            risk_score,
          );
        }
      }
      // A score above the floor stays there.
      const worse = [fired('a', 7, 'crowd'), fired('b', 5, 'location')];
      expect(of(...worse, { ...fired('r', 0.3, 'reputation'), lifts_to: 50 })).toBeGreaterThanOrEqual(of(...worse));
    });

    it('takes points off for trust, and never below 0', () => {
      expect(of(fired('a', 3), fired('t', -2, 'trust'))).toBeLessThan(of(fired('a', 3)));
      expect(of(fired('t', -500, 'trust'))).toBeGreaterThanOrEqual(0);
    });

    it('lifts to the review threshold of the account and not to block', () => {
      const label = fired('prior_fraud', 0.5, 'reputation', true);
      for (const [review, block] of [
        [60, 85],
        [1, 2],
        [90, 91],
        [100, 101],
        [50, 51],
      ] as const) {
        const settings = { review_threshold: review, block_threshold: block };
        const { risk_score, explanation } = score([label, fired('a', 1)], settings);
        expect(risk_score).toBeGreaterThanOrEqual(review);
        if (review > 5) expect(decide(risk_score, settings)).toBe('review');
        expect(explanation.contributions.reduce((sum, { points }) => sum + points, 5)).toBe(risk_score);
      }
      expect(score([label], { review_threshold: 101, block_threshold: 101 }).risk_score).toBeGreaterThanOrEqual(60);
    });

    it('still ranks above the floor', () => {
      const label = fired('prior_fraud', 0.5, 'reputation', true);
      expect(of(label, fired('a', 4))).toBeGreaterThan(of(label));
    });
  });

  describe('no single signal', () => {
    // The strongest that each can be: every grade at its end.
    const end = (part: number | Grade): number =>
      typeof part === 'number' ? part : Math.max(part.from[1], part.to[1]);
    const strongest = ({ cases }: SignalDefinition): number =>
      Math.max(
        ...cases.map(({ strength }) => {
          const parts = Array.isArray(strength)
            ? (strength as readonly (number | Grade)[])
            : [strength as number | Grade];
          return parts.reduce<number>((sum, part) => sum + end(part), 0);
        }),
      );

    it.each(SIGNALS.map((signal) => [signal.name, signal] as const))('blocks alone: %s', (_, signal) => {
      const points = of(fired(signal.name, strongest(signal), signal.family));
      expect(points).toBeLessThan(85);
      const mayReviewAlone = [
        ...['shared_device', 'known_fraud_device', 'prior_fraud', 'attribute_risk'],
        ...['extreme_amount', 'success_after_spray', 'shared_card', 'split_payments', 'declined_cards', 'cvc_guessing'],
      ];
      if (!mayReviewAlone.includes(signal.name)) expect(points).toBeLessThan(60);
      if (signal.name === 'shared_ip') expect(points).toBeLessThan(30);
    });
  });

  describe('thresholds', () => {
    it.each([
      [0, 'allow', 'low'],
      [59, 'allow', 'low'],
      [60, 'review', 'elevated'],
      [84, 'review', 'elevated'],
      [85, 'block', 'high'],
      [100, 'block', 'high'],
    ])('%i is %s, %s', (value, decision, level) => {
      expect(decide(value, DEFAULT_SETTINGS)).toBe(decision);
      expect(riskLevel(value, DEFAULT_SETTINGS)).toBe(level);
    });
  });

  describe('points', () => {
    const part = (name: string, log_odds: number) => ({ name, log_odds });

    it('gives each signal at least 1 where there is room', () => {
      expect(apportionPoints([part('a', 9), part('b', 0.01), part('c', 0.02)], 20.2, 20, 2.4)).toEqual([18, 1, 1]);
      expect(apportionPoints([part('a', 0.1), part('b', 0.1)], 0.6, 1, 2.4)).toEqual([1, 0]);
    });

    it('explains what cancels out', () => {
      expect(apportionPoints([part('a', 2), part('b', -2)], 0, 0, 2.4)).toEqual([5, -5]);
    });

    it('adds up for any parts', () => {
      const logOdds = fc.double({ min: -12, max: 12, noNaN: true });
      const model = fc.record({
        log_odds: logOdds,
        own: fc.array(logOdds, { maxLength: 4 }),
        base: fc.option(fc.double({ min: -15, max: 5, noNaN: true }), { nil: undefined }),
        judged: fc.nat(500),
      });
      const family = fc.constantFrom<FiredSignal['family']>('velocity', 'location', 'reputation', 'trust');
      const signals = fc.array(fc.tuple(logOdds, family, fc.boolean()), { maxLength: 12 });
      fc.assert(
        fc.property(signals, fc.option(model, { nil: undefined }), (list, opinion) => {
          const all = list.map(([value, kind, forces], i) => fired(`s${i}`, value, kind, forces));
          const says: ModelOpinion | undefined = opinion && {
            version: 'm1',
            ...(opinion.base === undefined ? {} : { base_log_odds: opinion.base }),
            log_odds: opinion.log_odds,
            trust: { judged: { s1: [opinion.judged, opinion.judged / 2] } },
            parts: opinion.own.map((value, i) => ({ signal: `s${i * 5}`, log_odds: value })),
            detail: 'the model',
          };
          const { risk_score, explanation } = score(all, DEFAULT_SETTINGS, says);
          expect(explanation.contributions.reduce((sum, { points }) => sum + points, explanation.base)).toBe(
            risk_score,
          );
          expect(risk_score).toBe(Math.min(100, Math.max(0, Math.round(risk_score))));
        }),
        { numRuns: sized(3_000, 600) },
      );
    });
  });

  describe('the seam for a model', () => {
    const opinion: ModelOpinion = {
      version: 'base-7',
      log_odds: 4,
      parts: [
        { signal: 'velocity_spike', log_odds: 1 },
        { signal: 'new_device', log_odds: 2.5 },
      ],
      detail: 'category and hour',
    };

    it('adds log-odds, joins the signals that fired, and calls the rest model_risk', () => {
      const result = screen(
        purchase({ user: history(30, { within10m: 6, eachUsd: 12 }, KNOWN) }, { amount: 12 }),
        DEFAULT_SETTINGS,
        {
          opinion: () => opinion,
        },
      );
      expect(result.model_version).toBe('base-7');
      expect(result.signals).toEqual(['velocity_spike', 'model_risk']);
      expect(result.explanation.contributions[1]?.detail).toBe('category and hour');
      expect(result.risk_score).toBeGreaterThan(
        screen(purchase(), DEFAULT_SETTINGS, { opinion: () => opinion }).risk_score,
      );
    });

    it('can take points off', () => {
      const calm = { version: 'm', log_odds: -3, parts: [], detail: 'all quiet' };
      const result = screen(purchase(), DEFAULT_SETTINGS, { opinion: () => calm });
      expect(result).toMatchObject({ signals: [], explanation: { contributions: [{ signal: 'model_risk' }] } });
      expect(result.risk_score).toBeLessThan(5);
    });

    it('never turns anything into a block where it was made for other people’s traffic', () => {
      const logOdds = fc.double({ min: -9, max: 9, noNaN: true });
      const signals = fc.array(fc.tuple(logOdds, fc.boolean()), { maxLength: 6 });
      const thresholds = fc.record({ review_threshold: fc.nat(101), block_threshold: fc.nat(101) });
      fc.assert(
        fc.property(signals, logOdds, logOdds, thresholds, (list, said, part, settings) => {
          const all = list.map(([value, forces], i) => fired(`s${i}`, value, 'velocity', forces));
          const nudge: ModelOpinion = {
            ...opinion,
            log_odds: said,
            parts: [{ signal: 's0', log_odds: part }],
            only_nudges: true,
          };
          const { risk_score, explanation } = score(all, settings, nudge);
          const alone = score(all, settings).risk_score;
          if (decide(alone, settings) !== 'block') expect(decide(risk_score, settings)).not.toBe('block');
          if (said >= 0) expect(risk_score).toBeGreaterThanOrEqual(alone);
          expect(explanation.contributions.reduce((sum, { points }) => sum + points, explanation.base)).toBe(
            risk_score,
          );
        }),
        { numRuns: sized(3_000, 600) },
      );
      const almost = fired('velocity_spike', 8.5);
      const withModel = (only_nudges: boolean) =>
        score([almost], DEFAULT_SETTINGS, { ...opinion, parts: [], only_nudges }).risk_score;
      expect([score([almost], DEFAULT_SETTINGS).risk_score, withModel(false), withModel(true)]).toEqual([69, 94, 84]);
    });

    it('may start elsewhere than the signals do', () => {
      const other = { ...opinion, base_log_odds: -3, log_odds: 0, parts: [] };
      const result = screen(purchase(), DEFAULT_SETTINGS, { opinion: () => other });
      expect(result.explanation.base).toBe(18);
      expect(result.risk_score).toBe(18);
      expect(result.probability).toBeCloseTo(1 / (1 + Math.exp(3 + 1.9)), 9);
    });

    it('counts a signal the less the more labels have judged it, and what they have not met in full', () => {
      const quiet = { ...opinion, log_odds: 0, parts: [] };
      const judged = (counts: readonly number[]) =>
        score([fired('velocity_spike', 3)], DEFAULT_SETTINGS, {
          ...quiet,
          trust: { judged: { velocity_spike: counts } },
        }).risk_score;
      const full = score([fired('velocity_spike', 3)], DEFAULT_SETTINGS).risk_score;
      expect(judged([900, 900, 0, 0])).toBe(full);
      // 50 labels, each of which says three times as much: a quarter is left.
      expect(judged([900, 900, 50, 50])).toBe(score([fired('a', 0.75)], DEFAULT_SETTINGS).risk_score);
      expect(judged([1e6, 1e6, 1e6, 1e6])).toBe(5);
    });

    it('follows the labels where they have judged even a signal that forces a review', () => {
      const says = (count: number) => ({
        ...opinion,
        log_odds: 0,
        parts: [],
        trust: { judged: { prior_fraud: [count] } },
      });
      const forcing = fired('prior_fraud', 0.5, 'reputation', true);
      expect(score([forcing], DEFAULT_SETTINGS, says(0)).risk_score).toBe(61);
      expect(score([forcing], DEFAULT_SETTINGS, says(1e6)).risk_score).toBe(5);
    });

    it.each([
      () => {
        throw new Error('no trees');
      },
      () => ({ ...opinion, log_odds: Number.NaN }),
    ])('does without a model that fails', (fails) => {
      const result = screen(purchase(), DEFAULT_SETTINGS, { opinion: fails });
      expect(result).toMatchObject({ risk_score: 5, model_version: 'rules-1', failed_signals: ['model_risk'] });
    });
  });

  describe('compiling', () => {
    const definition: SignalDefinition = {
      name: 'test',
      summary: 'a test',
      family: 'habit',
      applies_to: 'transactions',
      cases: [
        {
          when: atLeast('user_tx_10m', 2),
          strength: gradedByFactor('user_tx_10m', [2, 1], [8, 3]),
          detail: () => 'some',
        },
        {
          when: between('user_tx_10m', 4, 4),
          strength: [graded('user_tx_10m', [0, 0], [4, 2]), 5],
          detail: () => 'four',
        },
      ],
    };
    const read = (within10m: number, signal = definition) => {
      const facts = purchase({ user: history(1, { within10m }) });
      return compileSignals([signal])(extractFeatures(facts), facts);
    };

    it('grades, and takes the strongest case', () => {
      expect(read(0).fired).toEqual([]);
      expect(read(1).fired[0]).toMatchObject({ log_odds: 1, detail: 'some' });
      expect(read(3).fired[0]).toMatchObject({ log_odds: 7, detail: 'four' });
      expect(read(99).fired[0]).toMatchObject({ log_odds: 3 });
    });

    it('takes a missing feature for false, whichever way the comparison points', () => {
      const facts = purchase({ user: undefined });
      const vector = extractFeatures(facts);
      const holds = (when: SignalDefinition['cases'][number]['when']) =>
        compileSignals([{ ...definition, cases: [{ when, strength: 1, detail: () => '' }] }])(vector, facts).fired
          .length;
      expect(holds(atLeast('user_tx_10m', -1e9))).toBe(0);
      expect(holds(atMost('user_tx_10m', 1e9))).toBe(0);
      expect(holds(all(atMost('user_tx_10m', 1e9), isTrue('is_transaction')))).toBe(0);
      expect(holds(not(atMost('user_tx_10m', 1e9)))).toBe(1);
    });

    it('keeps a signal whose sentence throws, and reports it', () => {
      const detail = () => {
        throw new Error('bug');
      };
      const { fired: found, failed } = read(3, {
        ...definition,
        cases: definition.cases.map((one) => ({ ...one, detail })),
      });
      expect(found[0]).toMatchObject({ name: 'test', detail: 'a test' });
      expect(failed).toEqual(['test']);
    });
  });
});

describe('screen properties', () => {
  const RUNS = { numRuns: sized(1_500, 400) };
  const thresholds = fc
    .tuple(fc.integer({ min: 0, max: 101 }), fc.integer({ min: 0, max: 101 }))
    .map(([a, b]) => ({ review_threshold: Math.min(a, b), block_threshold: Math.max(a, b) }));
  const scoreOf = (facts: ScreeningFacts) => screen(facts, DEFAULT_SETTINGS).risk_score;

  function withBurst(history: EntityHistory | undefined, more: number, eachUsd: number): EntityHistory | undefined {
    if (history === undefined) return undefined;
    const { total, windows, established, stopped } = history.transactions;
    const grown = Object.fromEntries(
      (Object.keys(windows) as Window[]).map((name) => [
        name,
        { count: windows[name].count + more, amount_usd: windows[name].amount_usd + more * eachUsd },
      ]),
    ) as EntityHistory['transactions']['windows'];
    return { ...history, transactions: { total: total + more, established, stopped, windows: grown } };
  }

  type EntityName = 'user' | 'device' | 'ip_history';
  const entity = fc.constantFrom<EntityName>('user', 'device', 'ip_history');

  describe('every screening', () => {
    it('adds up exactly, is an integer from 0 to 100, and names only what raised it', () => {
      fc.assert(
        fc.property(arbitraryFacts, thresholds, (facts, settings) => {
          const result = screen(facts, settings);
          const { base, contributions } = result.explanation;
          expect(base + contributions.reduce((sum, { points }) => sum + points, 0)).toBe(result.risk_score);
          expect(Number.isInteger(result.risk_score) && result.risk_score >= 0 && result.risk_score <= 100).toBe(true);
          expect(contributions.every(({ points }) => Number.isInteger(points) && points !== 0)).toBe(true);
          expect(result.signals).toEqual(contributions.filter(({ points }) => points > 0).map(({ signal }) => signal));
          expect(new Set(contributions.map(({ signal }) => signal)).size).toBe(contributions.length);
          expect(contributions.map(({ points }) => points)).toEqual(
            contributions.map(({ points }) => points).sort((a, b) => b - a),
          );
          expect(result.failed_signals).toEqual([]);
          expect(contributions.filter(({ detail }) => /NaN|undefined|Infinity/.test(detail))).toEqual([]);
          expect(result.vector.length).toBe(FEATURE_NAMES.length);
          expect(result.vector.every((value) => value !== Infinity && value !== -Infinity)).toBe(true);
          expect({ allow: 'low', challenge: 'elevated', review: 'elevated', block: 'high' }[result.decision]).toBe(
            result.risk_level,
          );
        }),
        RUNS,
      );
    });

    it('comes out the same a second time', () => {
      fc.assert(
        fc.property(arbitraryFacts, (facts) => {
          expect(screen(structuredClone(facts), DEFAULT_SETTINGS)).toEqual(screen(facts, DEFAULT_SETTINGS));
        }),
        { numRuns: 300 },
      );
    });

    it('does not depend on the order of signals', () => {
      const forwards = compileSignals(SIGNALS);
      fc.assert(
        fc.property(
          arbitraryFacts,
          fc.shuffledSubarray([...SIGNALS], { minLength: SIGNALS.length }),
          (facts, shuffled) => {
            const vector = extractFeatures(facts);
            const [a, b] = [forwards, compileSignals(shuffled)].map((read) =>
              score(read(vector, facts).fired, DEFAULT_SETTINGS),
            );
            expect(b).toEqual(a);
          },
        ),
        { numRuns: 300 },
      );
    });

    it('copes with any history missing', () => {
      fc.assert(
        fc.property(arbitraryFacts, (facts) => {
          const attributes = facts.attributes.map(({ key }) => ({ key }));
          const none = { user: undefined, device: undefined, ip: undefined, email: undefined };
          const nowhere = {
            ip_history: undefined,
            network_history: undefined,
            asn_history: undefined,
            email_pattern_history: undefined,
          };
          const bare = { ...facts, ...none, ...nowhere, attributes };
          const result = screen(bare, DEFAULT_SETTINGS);
          expect(result).toMatchObject({ risk_score: 5, signals: [], decision: 'allow', failed_signals: [] });
        }),
        { numRuns: 300 },
      );
    });
  });

  describe('sense', () => {
    it('a confirmed fraud on user, device or IP address never lowers the score', () => {
      fc.assert(
        fc.property(arbitraryFacts, entity, fc.integer({ min: 1, max: 20 }), (facts, name, more) => {
          const marked = { ...facts, [name]: facts[name] && withFrauds(facts[name], more, facts.attempt.at_ms) };
          expect(scoreOf(marked)).toBeGreaterThanOrEqual(scoreOf(facts));
        }),
        RUNS,
      );
    });

    it('a confirmed fraud with a tracked attribute never lowers the score', () => {
      fc.assert(
        fc.property(arbitraryFacts, fc.nat(3), fc.integer({ min: 1, max: 20 }), (facts, index, more) => {
          const attributes = facts.attributes.map(({ key, history }, i) => ({
            key,
            history: i === index && history ? withFrauds(history, more, facts.attempt.at_ms) : history,
          }));
          expect(scoreOf({ ...facts, attributes })).toBeGreaterThanOrEqual(scoreOf(facts));
        }),
        RUNS,
      );
    });

    it('more transactions in the last 10 minutes never lower the score', () => {
      const eachUsd = fc.double({ min: 0, max: 10_000, noNaN: true });
      fc.assert(
        fc.property(arbitraryFacts, entity, fc.integer({ min: 1, max: 50 }), eachUsd, (facts, name, more, each) => {
          const busier = { ...facts, [name]: withBurst(facts[name], more, each) };
          expect(scoreOf(busier)).toBeGreaterThanOrEqual(scoreOf(facts));
        }),
        RUNS,
      );
    });

    it('a fraud confirmed on the very user, device or card is reviewed at the least, by any thresholds', () => {
      fc.assert(
        fc.property(arbitraryFacts, fc.constantFrom('user', 'device', 'card'), thresholds, (facts, what, settings) => {
          fc.pre(settings.review_threshold <= 100);
          const marked = { ...(facts.user ?? facts.device ?? facts.ip_history), labels: { fraud: 1, legitimate: 3 } };
          fc.pre('transactions' in marked);
          const history = marked as EntityHistory;
          const changed =
            what === 'card' ? { attributes: [{ key: 'card_fingerprint', history }] } : { [what]: history };
          expect(screen({ ...facts, ...changed }, settings).decision).not.toBe('allow');
        }),
        RUNS,
      );
    });
  });
});

describe('decide screening', () => {
  const { settings } = callerOf('acc_1');
  const [facts] = fc.sample(arbitraryFacts, { numRuns: 1, seed: 7 }) as [
    typeof arbitraryFacts extends fc.Arbitrary<infer Facts> ? Facts : never,
  ];
  const subject = payment({ amount: facts.attempt.amount });
  const scored = { subject, facts, screening: screen(facts, settings) };
  const decided = (...rules: Parameters<typeof storedRule>[]) =>
    decideOn(scored, settings, compileRules(rules.map((each) => storedRule(...each))), []);

  describe('the rules of an account', () => {
    it('decide, and those in shadow only say what they would have done', () => {
      const result = decided(
        ['stop', { expression: 'true', action: 'block' }],
        ['try', { expression: 'true', state: 'shadow' }],
      );
      expect(result).toMatchObject({ decision: 'block', decided_by: { kind: 'rule', name: 'stop' } });
      expect(result.shadow_rules).toEqual([{ name: 'try', version: 1, action: 'review' }]);
      expect(decisionMembers(result)).toMatchObject({ decided_by: { name: 'stop' }, rules: [{ name: 'stop' }] });
    });

    it('see the amount that is supposed, not the one that was sent', () => {
      const small = { ...scored, facts: { ...facts, attempt: { ...facts.attempt, amount: 1 } } };
      const rules = compileRules([storedRule('large', { expression: 'amount > 1.5', action: 'block' })]);
      expect(decideOn({ ...small, subject: payment({ amount: 900 }) }, settings, rules, []).rules).toEqual([]);
    });
  });

  it('a record keeps nothing where only the score decided', () => {
    expect(decisionMembers(decideOn(scored, settings, NO_RULES, []))).toEqual({});
  });

  it('a list counts like a rule with priority 0', () => {
    const list = { name: 'stolen', type: 'device_fingerprint', effect: 'block' } as const;
    const result = decideOn(scored, settings, NO_RULES, [list]);
    expect(result).toMatchObject({ decision: 'block', decided_by: { kind: 'list', name: 'stolen' } });
    expect(decisionMembers(result).lists).toEqual(['stolen']);
  });
});
