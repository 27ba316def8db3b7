import fc from 'fast-check';
import { type Decision, decide, type Thresholds } from '../../../shared/domain/screening/decide';
import {
  decideByPolicy,
  isRuleContribution,
  type Matched,
  type MatchedList,
  type MatchedRule,
} from '../../../shared/domain/screening/decide-by-policy';
import { sized } from '../../support/sized';

const THRESHOLDS = { review_threshold: 60, block_threshold: 85 };
const scoreOf = (risk_score: number) => ({
  risk_score,
  contributions: [{ signal: 'new_device', points: risk_score - 5, detail: 'First use of this device' }],
});
const rule = (name: string, change: Partial<MatchedRule> = {}): MatchedRule => ({
  name,
  version: 1,
  action: 'block',
  priority: 500,
  ...change,
});
const list = (name: string, effect: MatchedList['effect']): MatchedList => ({ name, type: 'user_id', effect });
const matched = (change: Partial<Matched>): Matched => ({
  rules: [],
  lists: [],
  has_confirmed_fraud: false,
  ...change,
});

describe('deciding by a score', () => {
  it('leaves the decision to the score where nothing matched', () => {
    expect(decideByPolicy(scoreOf(70), matched({}), THRESHOLDS)).toMatchObject({
      risk_score: 70,
      decision: 'review',
      decided_by: { kind: 'score', name: null },
      rules: [],
      lists: [],
    });
  });

  it('challenges between the two thresholds, if the account wants it', () => {
    const thresholds = { ...THRESHOLDS, challenge_threshold: 40 };
    expect([39, 40, 59, 60, 85].map((score) => decide(score, thresholds))).toEqual([
      'allow',
      'challenge',
      'challenge',
      'review',
      'block',
    ]);
    expect(decide(59, THRESHOLDS)).toBe('allow');
  });

  it.each<[string, Partial<Matched>, number, Decision, string]>([
    ['a block beats a review', { rules: [rule('a', { action: 'review' }), rule('b')] }, 5, 'block', 'rule b'],
    ['an allow beats a block', { rules: [rule('a', { action: 'allow' }), rule('b')] }, 99, 'allow', 'rule a'],
    ['the lower priority names the decision', { rules: [rule('a'), rule('z', { priority: 1 })] }, 5, 'block', 'rule z'],
    ['then the name', { rules: [rule('b'), rule('a')] }, 5, 'block', 'rule a'],
    [
      'a list has priority 0',
      { rules: [rule('a', { priority: 1 })], lists: [list('z', 'block')] },
      5,
      'block',
      'list z',
    ],
    ['a list without effect decides nothing', { lists: [list('z', 'none')] }, 5, 'allow', 'score null'],
    [
      'a review does not soften a block by score',
      { rules: [rule('a', { action: 'review' })] },
      90,
      'block',
      'score null',
    ],
    ['a rule names a decision that the score shares', { rules: [rule('a')] }, 90, 'block', 'rule a'],
  ])('%s', (...[, change, score, decision, by]) => {
    const decided = decideByPolicy(scoreOf(score), matched(change), THRESHOLDS);
    expect([decided.decision, `${decided.decided_by.kind} ${decided.decided_by.name}`]).toEqual([decision, by]);
  });

  it('lets an allow beat a confirmed fraud only where it overrides labels', () => {
    const vip = rule('vip', { action: 'allow' });
    const fraud = matched({ rules: [vip], lists: [list('staff', 'allow')], has_confirmed_fraud: true });
    expect(decideByPolicy(scoreOf(90), fraud, THRESHOLDS)).toMatchObject({
      decision: 'block',
      decided_by: { kind: 'score' },
    });
    const overriding = { ...fraud, rules: [{ ...vip, override_labels: true }] };
    expect(decideByPolicy(scoreOf(90), overriding, THRESHOLDS)).toMatchObject({
      decision: 'allow',
      decided_by: { name: 'vip' },
    });
    expect(decideByPolicy(scoreOf(90), { ...fraud, has_confirmed_fraud: false }, THRESHOLDS).decided_by).toEqual({
      kind: 'list',
      name: 'staff',
    });
  });

  it('adds points as contributions, and lets the thresholds decide', () => {
    const rules = [rule('gift-cards', { action: 'points', points: 20, note: 'Gift cards are resold' })];
    const decided = decideByPolicy(scoreOf(50), matched({ rules }), THRESHOLDS);
    expect(decided).toMatchObject({ risk_score: 70, decision: 'review', decided_by: { kind: 'score' } });
    expect(decided.contributions).toContainEqual({
      signal: 'rule:gift-cards',
      points: 20,
      detail: 'Rule gift-cards: Gift cards are resold',
    });
    expect(decided.rules).toEqual([{ name: 'gift-cards', version: 1, action: 'points' }]);
  });
});

/* The precedence as the interface words it, written a second time in the plainest way. */
function decisionByTheBook(score: number, { rules, lists, has_confirmed_fraud }: Matched, thresholds: Thresholds) {
  const said = [
    ...rules
      .filter(({ action, override_labels }) => action !== 'allow' || !has_confirmed_fraud || override_labels)
      .map(({ action, priority, name }) => ({ by: `rule ${name}`, action: action as string, priority, name })),
    ...lists
      .filter(({ effect }) => effect !== 'allow' || !has_confirmed_fraud)
      .map(({ effect, name }) => ({ by: `list ${name}`, action: effect as string, priority: 0, name })),
  ];
  const byScore = decide(score, thresholds);
  for (const action of ['allow', 'block', 'challenge', 'review'] as const) {
    const first = said
      .filter((each) => each.action === action)
      .sort((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1))[0];
    if (first !== undefined) return { decision: action, by: first.by };
    if (action !== 'allow' && byScore === action) return { decision: action, by: 'score null' };
  }
  return { decision: 'allow', by: 'score null' };
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const arbitraryRules = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...NAMES),
    version: fc.constant(1),
    action: fc.constantFrom<MatchedRule['action']>('allow', 'block', 'challenge', 'review', 'points'),
    points: fc.integer({ min: -50, max: 50 }),
    priority: fc.integer({ min: 0, max: 3 }),
    override_labels: fc.boolean(),
  }),
  { selector: ({ name }) => name },
);
const arbitraryLists = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('la', 'lb', 'lc'),
    type: fc.constant('user_id'),
    effect: fc.constantFrom<MatchedList['effect']>('allow', 'block', 'challenge', 'review', 'none'),
  }),
  { selector: ({ name }) => name },
);

describe('any rules and lists', () => {
  it('base + points is the score, and the decision is what the precedence says', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        arbitraryRules,
        arbitraryLists,
        fc.tuple(fc.boolean(), fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined })),
        (score, rules, lists, [has_confirmed_fraud, challenge]) => {
          const thresholds = { ...THRESHOLDS, ...(challenge === undefined ? {} : { challenge_threshold: challenge }) };
          const all = { rules, lists, has_confirmed_fraud };
          const decided = decideByPolicy(scoreOf(score), all, thresholds);
          const sum = decided.contributions.reduce((total, { points }) => total + points, 5);
          expect(sum).toBe(decided.risk_score);
          const wanted = rules.reduce((total, { action, points }) => total + (action === 'points' ? points : 0), score);
          expect(decided.risk_score).toBe(Math.min(100, Math.max(0, wanted)));
          const own = decided.contributions.filter(isRuleContribution);
          // Nobody's points are turned round or exceeded.
          for (const { signal, points } of own) {
            const asked = rules.find(({ name }) => signal === `rule:${name}`)?.points ?? 0;
            expect(Math.sign(points)).toBe(Math.sign(asked));
            expect(Math.abs(points)).toBeLessThanOrEqual(Math.abs(asked));
          }
          const { kind, name } = decided.decided_by;
          expect({ decision: decided.decision, by: `${kind} ${name}` }).toEqual(
            decisionByTheBook(decided.risk_score, all, thresholds),
          );
        },
      ),
      { numRuns: sized(1_000, 250) },
    );
  });
});
