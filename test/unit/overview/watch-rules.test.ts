import {
  countRules,
  LEAST_SCREENINGS,
  largestRuleShare,
  type RuledScreening,
} from '../../../shared/domain/overview/rule-share';
import { readRuled } from '../../../shared/store/overview/tally-record';
import { watchRules } from '../../../shared/usecases/overview/watch-rules';

const screenings = (account_id: string, made: number, rule?: string): RuledScreening[] =>
  Array.from({ length: made }, () => ({ account_id, rule }));
const deps = { readRuled: (raw: RuledScreening) => raw };

describe('watching what rules decide', () => {
  it('finds the rule with the largest share of its own account, however small that account is in the stage', () => {
    const batch = [
      ...screenings('acc_large', 5_000),
      ...screenings('acc_large', 40, 'usual'),
      ...screenings('acc_small', 90),
      ...screenings('acc_small', 10, 'runaway'),
    ];
    const { share } = watchRules(deps, {}, batch);
    expect(share).toEqual({ account_id: 'acc_small', rule: 'runaway', percent: 10 });
  });

  it('adds batches of a window up, so that a slow account is watched as well', () => {
    const batch = [...screenings('acc_a', 9), ...screenings('acc_a', 1, 'gift-cards')];
    let watched = watchRules(deps, {}, batch);
    for (let batches = 1; batches < LEAST_SCREENINGS / 10; batches++) {
      expect(watched.share).toBeUndefined();
      // As Lambda carries it: through JSON.
      watched = watchRules(deps, JSON.parse(JSON.stringify(watched.uses)), batch);
    }
    expect(watched.share).toEqual({ account_id: 'acc_a', rule: 'gift-cards', percent: 10 });
  });

  it('says nothing of accounts without rules', () => {
    expect(watchRules(deps, {}, screenings('acc_a', 1_000)).share).toBeUndefined();
  });

  it('carries no more than Lambda takes, whatever the number of accounts', () => {
    const many = Array.from({ length: 10_000 }, (_, i) =>
      screenings(`acc_${String(i).padStart(26, '0')}`, 1, 'gift-cards'),
    );
    const uses = countRules({}, many.flat());
    expect(JSON.stringify(uses).length).toBeLessThan(1_000_000);
    expect(largestRuleShare(uses)).toBeUndefined();
  });
});

describe('a change of the table', () => {
  const image = (decided_by?: object) => ({
    entity: { S: 'screening' },
    pk: { S: 'SUBJECT#acc_a#01K9ZC3V5T8QJ4M2N6P7R8S9TB' },
    ...(decided_by ? { decided_by: { M: decided_by } } : {}),
  });
  const read = (eventName: 'INSERT' | 'MODIFY', NewImage: Record<string, unknown>) =>
    readRuled({ eventName, dynamodb: { NewImage } });

  it('is a new screening, decided by a rule or not', () => {
    expect(read('INSERT', image())).toEqual({ account_id: 'acc_a', rule: undefined });
    expect(read('INSERT', image({ kind: { S: 'rule' }, name: { S: 'gift-cards' } }))).toEqual({
      account_id: 'acc_a',
      rule: 'gift-cards',
    });
    expect(read('INSERT', image({ kind: { S: 'list' }, name: { S: 'vips' } }))?.rule).toBeUndefined();
  });

  it('is anything else', () => {
    expect(read('MODIFY', image({ kind: { S: 'rule' }, name: { S: 'gift-cards' } }))).toBeUndefined();
    expect(read('INSERT', { ...image(), entity: { S: 'kept' } })).toBeUndefined();
  });
});
