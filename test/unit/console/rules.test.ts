import type { Rule, RuleTrial } from '../../../console/src/api/types';
import {
  actionText,
  changesBetween,
  changeText,
  completed,
  completions,
  FRESH_RULE,
  matchesText,
  stateText,
  stepsOf,
  typedWord,
  wordDiff,
} from '../../../console/src/text/rule-words';

const names = ['amount', 'attr.email', 'ip.country', 'billing.country', 'features.user_age_days'].map((name) => ({
  name,
  type: 'string',
  description: '',
}));
const found = (word: string) => completions(names, word).map(({ name }) => name);

describe('completing names', () => {
  it('offers those that begin with the word, then those with a part that does', () => {
    expect(found('a')).toEqual(['amount', 'attr.email', 'features.user_age_days']);
    expect(found('country')).toEqual(['ip.country', 'billing.country']);
    expect(found('amount')).toEqual([]);
    expect(found('zebra')).toEqual([]);
  });

  it('knows the word at the caret, and that texts in quotes hold no names', () => {
    expect(typedWord('amount > 5 && ip.c', 18)).toEqual({ from: 14, word: 'ip.c' });
    expect(typedWord('amount > 5', 10)).toBeUndefined();
    expect(typedWord('currency == "am', 15)).toBeUndefined();
    expect(typedWord('currency == "a\\"b" && am', 24)).toEqual({ from: 22, word: 'am' });
    // Within a word, nothing is being added to it.
    expect(typedWord('amount', 2)).toBeUndefined();
  });

  it('puts the name in place of the word', () => {
    expect(completed('!ip.c && x', { from: 1, word: 'ip.c' }, 'ip.country')).toEqual({
      text: '!ip.country && x',
      caret: 11,
    });
  });
});

describe('differences of versions', () => {
  it('are listed by member', () => {
    const after = { ...FRESH_RULE, priority: 10, applies_to: ['login' as const], note: 'why' };
    expect(changesBetween(FRESH_RULE, after)).toEqual([
      { member: 'priority', from: '500', to: '10' },
      { member: 'applies_to', from: 'none', to: 'login' },
      { member: 'note', from: 'none', to: 'why' },
    ]);
    expect(changesBetween(after, after)).toEqual([]);
  });

  it('of texts are shown word by word, and both can be read from them', () => {
    const [before, after] = ['amount > 200 && score >= 40', 'amount > 250 && score >= 40 && ip.hosting'];
    const parts = wordDiff(before, after);
    expect(parts.filter(({ kind }) => kind === 'gone')).toEqual([{ kind: 'gone', text: '200' }]);
    const without = (kind: string) => parts.flatMap((part) => (part.kind === kind ? [] : part.text)).join('');
    expect([without('new'), without('gone')]).toEqual([before, after]);
  });
});

describe('the way of a rule', () => {
  const steps = (state: Rule['state'], rollout_percent = 100) =>
    stepsOf({ state, rollout_percent }).map(({ label }) => label);

  it('leads from draft through shadow and a tenth to everybody', () => {
    expect(steps('draft')).toEqual(['Try in shadow']);
    expect(steps('shadow')).toEqual(['Activate for 10%', 'Pause']);
    expect(steps('active', 10)).toEqual(['Activate for 100%', 'Back to shadow', 'Pause']);
    expect(steps('active')).toEqual(['Pause']);
    expect(steps('paused', 10)).toEqual(['Try in shadow', 'Activate for 10%']);
  });

  it('is described in words', () => {
    expect(stateText({ state: 'active', rollout_percent: 10 })).toBe('Active, 10%');
    expect(actionText({ action: 'points', points: -5 })).toBe('−5 points');
    expect(matchesText({ matches: { last_24h: 3, last_7d: 10 } })).toBe('1.4 per day');
  });

  it('says per day and by its share of users what a step would change', () => {
    const trial = { days: 30, flips: [{ from: 'allow', to: 'review', count: 600 }] } as unknown as RuleTrial;
    const [tenth] = stepsOf({ state: 'shadow', rollout_percent: 100 });
    expect(tenth && changeText(tenth, trial)).toBe('By the last 30 days, expect per day: 2 allowed → held for review.');
    expect(tenth && changeText(tenth, { ...trial, flips: [] })).toBe(
      'In the last 30 days it would have changed no decision.',
    );
  });
});
