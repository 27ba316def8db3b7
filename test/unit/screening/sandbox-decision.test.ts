import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { forcedScreening, sandboxWarnings } from '../../../shared/domain/screening/sandbox-decision';
import { transactionAnswer } from '../../../shared/http/presenters/screening-answer';
import { screenSubject } from '../../../shared/usecases/screening/screen-subject';
import { callerOf, payment } from '../../support/payment';
import { shopInMemory } from '../../support/shop-in-memory';

type Answered = Parameters<typeof transactionAnswer>[0];

const asking = (sandbox_decision: string) =>
  payment({ custom_attributes: { card_fingerprint: 'c', sandbox_decision } });

describe('in the sandbox', () => {
  it.each([
    ['allow', 29, 'low'],
    ['challenge', 59, 'elevated'],
    ['review', 72, 'elevated'],
    ['block', 92, 'high'],
  ])('%s is the decision, with a score in the middle of its band', async (decision, score, level) => {
    const { deps, table } = shopInMemory();
    const { record } = await screenSubject({ ...deps, stage: 'sandbox' }, callerOf('acc_1'), asking(decision));
    const answer = transactionAnswer(record as Answered);
    expect(answer).toMatchObject({
      decision,
      risk_score: score,
      risk_level: level,
      decided_by: { kind: 'sandbox', name: null },
      signals: ['sandbox_decision'],
    });
    const { base, contributions, what_if } = answer.explanation;
    expect(contributions).toHaveLength(1);
    expect(base + (contributions[0]?.points ?? 0)).toBe(score);
    expect(what_if).toEqual(decision === 'allow' ? undefined : []);
    expect((await table.cases.find('acc_1', record.ulid))?.status).toBe(decision === 'review' ? 'open' : undefined);
  });

  it('leaves no history, sample or label, whatever people say about it', async () => {
    const shop = shopInMemory();
    const sandbox = { ...shop.deps, samples: shop.table.labels, stage: 'sandbox' as const };
    for (let i = 0; i < 200; i++) await screenSubject(sandbox, callerOf('acc_1'), asking('allow'));
    const { record } = await screenSubject(sandbox, callerOf('acc_1'), asking('review'));
    await shop.resolve(record, 'block');
    expect(record).toMatchObject({ entities: [], listed_user: expect.stringMatching(/^1\./) });
    expect(await shop.table.labels.storedInMonth('acc_1', '2026-03')).toEqual([]);
    const { record: next } = await screenSubject(shop.deps, callerOf('acc_1'), payment());
    const { record: elsewhere } = await screenSubject(shopInMemory().deps, callerOf('acc_1'), payment());
    expect(next.risk_score).toBe(elsewhere.risk_score);
    expect(next.vector).toEqual(elsewhere.vector);
  });

  it('follows the thresholds of the account', () => {
    const settings = { ...DEFAULT_SETTINGS, challenge_threshold: 45 };
    const scoreOf = (decision: 'allow' | 'challenge' | 'review' | 'block', over: object = {}) =>
      forcedScreening(decision, { ...settings, ...over }).decision.risk_score;
    expect([scoreOf('allow'), scoreOf('challenge')]).toEqual([22, 52]);
    // The account never reviews or blocks by score: the nearest score stands for it.
    expect([
      scoreOf('block', { block_threshold: 101 }),
      scoreOf('review', { review_threshold: 101, block_threshold: 101 }),
    ]).toEqual([100, 100]);
  });

  it('warns about a value that is not a decision, and scores as usual', async () => {
    const { deps } = shopInMemory();
    const { record } = await screenSubject({ ...deps, stage: 'sandbox' }, callerOf('acc_1'), asking('maybe'));
    expect(record.decided_by).toBeUndefined();
    expect(sandboxWarnings('sandbox', { sandbox_decision: 'maybe' })).toEqual([
      'custom_attributes.sandbox_decision has no effect: it must be one of allow, challenge, review, block.',
    ]);
  });
});

it('has no effect in production, is named in warnings, and no model learns from it', async () => {
  const run = (subject: ReturnType<typeof payment>) =>
    screenSubject({ ...shopInMemory().deps, stage: 'production' }, callerOf('acc_1'), subject);
  const { record } = await run(asking('block'));
  const { record: plain } = await run(payment({ custom_attributes: { card_fingerprint: 'c' } }));
  expect(record).toEqual({ ...plain, ulid: record.ulid });
  expect(sandboxWarnings('production', { sandbox_decision: 'block' })).toEqual([
    'custom_attributes.sandbox_decision has no effect in production.',
  ]);
  expect(sandboxWarnings('production', { email: 'a@b.c' })).toEqual([]);
});
