import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import type { EntityHistory, Window } from '../../../shared/domain/entities/entity-history';
import { compileSignals } from '../../../shared/domain/screening/compile-signals';
import { extractFeatures, FEATURE_NAMES } from '../../../shared/domain/screening/features';
import { score } from '../../../shared/domain/screening/score';
import { screen } from '../../../shared/domain/screening/screen';
import type { ScreeningFacts } from '../../../shared/domain/screening/screening-facts';
import { SIGNALS } from '../../../shared/domain/screening/signals';
import { sized } from '../../support/sized';
import { arbitraryFacts } from './arbitrary-facts';

const RUNS = { numRuns: sized(1_500, 400) };
const thresholds = fc
  .tuple(fc.integer({ min: 0, max: 101 }), fc.integer({ min: 0, max: 101 }))
  .map(([a, b]) => ({ review_threshold: Math.min(a, b), block_threshold: Math.max(a, b) }));
const scoreOf = (facts: ScreeningFacts) => screen(facts, DEFAULT_SETTINGS).risk_score;

const withFraudLabel = (history: EntityHistory | undefined, more: number): EntityHistory | undefined =>
  history && { ...history, labels: { ...history.labels, fraud: history.labels.fraud + more } };

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
        const none = { user: undefined, device: undefined, ip: undefined };
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
        const marked = { ...facts, [name]: withFraudLabel(facts[name], more) };
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
          history: i === index ? withFraudLabel(history, more) : history,
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
        const changed = what === 'card' ? { attributes: [{ key: 'card_fingerprint', history }] } : { [what]: history };
        expect(screen({ ...facts, ...changed }, settings).decision).not.toBe('allow');
      }),
      RUNS,
    );
  });
});
