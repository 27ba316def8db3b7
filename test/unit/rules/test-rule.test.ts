import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../../shared/runtime/ids';
import { testRule } from '../../../shared/usecases/rules/test-rule';
import { screened } from '../../support/changes';
import { memoryTraffic } from '../../support/memory/memory-traffic';
import { callerOf } from '../../support/payment';

const NOW = Date.parse('2026-11-14T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const own = callerOf('acc_1');
const rule = { expression: 'amount > 100', action: 'block' } as const;

const at = (ageMs: number, change: Partial<ScreeningRecord> = {}): ScreeningRecord =>
  screened(NOW - ageMs, { currency: 'USD', entities: ['user#someone'], ...change });
/** In the sample, or surely not. */
const allowed = (ageMs: number, isSampled: boolean, amount = 25): ScreeningRecord =>
  at(ageMs, { amount, ulid: `${newUlid(NOW - ageMs).slice(0, 24)}${isSampled ? '00' : 'ZZ'}` });

describe('testing a rule', () => {
  it('finds the sample, everything that was not allowed, and what has a label', async () => {
    const { deps, add } = memoryTraffic(NOW);
    for (let i = 1; i <= 6; i += 1) await add('acc_1', allowed(i * HOUR, i <= 2, i === 1 ? 200 : 25));
    await add('acc_1', allowed(HOUR, false, 500), 'fraud');
    await add('acc_1', at(2 * HOUR, { automated_decision: 'block', risk_score: 90, amount: 300 }));
    await add('acc_1', at(3 * HOUR, { automated_decision: 'review', risk_score: 65, amount: 300 }), 'legitimate');
    await add('acc_1', at(4 * HOUR, { automated_decision: 'challenge', risk_score: 30, amount: 300 }));
    const tested = await testRule(deps, own, { ...rule, days: 1 });
    expect(tested).toMatchObject({
      days: 1,
      rows: 6,
      screened: 10,
      // Half of the sample stands for half of the seven that were allowed.
      matched: 7,
      labelled: 2,
      fraud_matched: 1,
      legitimate_matched: 1,
      precision: 0.5,
      recall: 1,
      not_testable: [],
    });
    expect(tested.flips).toContainEqual({ from: 'allow', to: 'block', count: 4 });
    expect(tested.flips).toContainEqual({ from: 'review', to: 'block', count: 1 });
    expect(tested.flips).toContainEqual({ from: 'challenge', to: 'block', count: 1 });
    expect(tested.examples).toHaveLength(5);
  });

  it('reads the traffic of its own account only, of the days asked for', async () => {
    const { deps, add } = memoryTraffic(NOW);
    const block = { automated_decision: 'block', risk_score: 90, amount: 300 } as const;
    await add('acc_2', at(HOUR, block), 'fraud');
    await add('acc_1', at(40 * DAY, block));
    expect(await testRule(deps, own, rule)).toMatchObject({ days: 30, rows: 0, screened: 0, matched: 0, labelled: 0 });
    expect(await testRule(deps, own, { ...rule, days: 90 })).toMatchObject({ rows: 1, matched: 1 });
  });

  it('counts blocked ones that no list holds as possible matches', async () => {
    const { deps, add } = memoryTraffic(NOW);
    await add('acc_1', at(HOUR, { automated_decision: 'block', risk_score: 90, amount: 300, unlisted: true }));
    const caller = { ...own, settings: { ...own.settings, keep_history: false } };
    expect(await testRule(deps, caller, { ...rule, days: 1 })).toMatchObject({ matched: 0, interval: [0, 1] });
  });

  it('refuses a faulty expression, and a list that is not there', async () => {
    const { deps } = memoryTraffic(NOW);
    await expect(testRule(deps, own, { ...rule, expression: 'amout > 1' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const lists = { all: async () => [{ name: 'vips', type: 'user_id' }] };
    await expect(
      testRule({ ...deps, lists }, own, { ...rule, expression: 'user_id in lists.vip' }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
