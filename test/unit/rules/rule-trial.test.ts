import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { checkedTree } from '../../../shared/domain/rules/rule-faults';
import { type TrialRow, tryRule } from '../../../shared/domain/rules/rule-trial';
import type { Tree } from '../../../shared/domain/rules/tree';
import { FEATURE_NAMES, featureSlot } from '../../../shared/domain/screening/features';
import { packVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import { isSampled } from '../../../shared/domain/screening/subjects/record-members';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { lowestUlid } from '../../../shared/domain/ulid';
import { newUlid } from '../../../shared/runtime/ids';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { getRuleTest, startRuleTest, testRule } from '../../../shared/usecases/rules/test-rule';
import { trialRows } from '../../../shared/usecases/rules/trial-rows';
import { memoryTraffic } from '../../support/memory/memory-traffic';
import { callerOf } from '../../support/traffic/payment';
import { screened } from '../../support/webhooks/changes';

describe('rule trial', () => {
  const NOW = Date.parse('2026-11-14T12:00:00Z');

  const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

  const treeOf = (expression: string): Tree => {
    const tree = checkedTree(expression);
    if (typeof tree === 'string') throw new Error(tree);
    return tree;
  };

  /** The same numbers for the same seed. */
  function randomness(seed: number): () => number {
    let state = seed;
    return () => {
      state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
      const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39);
      return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
    };
  }

  const NO_FEATURES = packVector(new Float32Array(FEATURE_NAMES.length).fill(Number.NaN));
  const row = (change: Partial<ScreeningRecord>, label?: TrialRow['label']): TrialRow => ({
    record: screened(NOW - 1_000, { vector: NO_FEATURES, currency: 'USD', ...change }),
    label,
  });
  const blocked = (change: Partial<ScreeningRecord> = {}) =>
    ({ automated_decision: 'block', risk_score: 90, ...change }) as const;
  const by = { accountId: 'acc_1', pseudonyms: PUBLIC_PSEUDONYMS, settings: DEFAULT_SETTINGS, typeOf: () => undefined };
  const traffic = { days: 1, allowed: 0, unlisted: 0, by };
  const trial = (expression: string, rows: readonly TrialRow[], action: 'allow' | 'block' | 'review' = 'block') =>
    tryRule({ action, tree: treeOf(expression) }, rows, traffic);

  describe('trying a rule on stored traffic', () => {
    it.each([
      ['often', [20, 200, 1_200, 3_600]],
      // Most samples of one in 64 have none of them: a single hit must not claim too much.
      ['rarely', [7, 8, 9, 10]],
    ])('has the true number of matches in its interval in 95%% of cases, if it matches %s', (_, truths) => {
      const next = randomness(20_261_114);
      const tree = treeOf('amount > 100');
      const start = screened(NOW).ulid.slice(0, 24);
      let held = 0;
      for (let time = 0; time < 200; time += 1) {
        const truth = truths[time % 4] as number;
        const allowed = 4_000;
        const rows: TrialRow[] = [];
        for (let i = 0; i < allowed; i += 1) {
          const ulid = start + CROCKFORD[Math.floor(next() * 32)] + CROCKFORD[Math.floor(next() * 32)];
          if (!isSampled({ ulid, automated_decision: 'allow' })) continue;
          rows.push(row({ ulid, amount: i < truth ? 150 : 50 }));
        }
        const { interval, matched } = tryRule({ action: 'review', tree }, rows, { ...traffic, allowed });
        expect(interval[0]).toBeLessThanOrEqual(matched);
        expect(interval[1]).toBeGreaterThanOrEqual(matched);
        held += Number(interval[0] <= truth && truth <= interval[1]);
      }
      expect(held).toBeGreaterThanOrEqual(190);
    });

    it('is exact about what was not allowed, and sums amounts in US dollars', () => {
      const rows = [row(blocked({ amount: 300 })), row(blocked({ amount: 50 })), row(blocked({ amount: 120 }))];
      expect(trial('amount > 100', rows)).toMatchObject({
        rows: 3,
        screened: 3,
        matched: 2,
        matched_per_day: 2,
        interval: [2, 2],
        amount_usd: 420,
        flips: [],
        not_testable: [],
      });
    });

    it('counts flips as screenings would decide', () => {
      const fraudulent = new Float32Array(FEATURE_NAMES.length).fill(Number.NaN);
      fraudulent[featureSlot('user_fraud_labels')] = 1;
      const rows = [
        row(blocked()),
        row(blocked({ vector: packVector(fraudulent) })),
        row({ automated_decision: 'review', risk_score: 65 }),
        row(blocked({ decided_by: { kind: 'list', name: 'stolen' }, risk_score: 5 })),
      ];
      // A confirmed fraud is not allowed by a rule.
      expect(trial('amount > 0', rows, 'allow').flips).toEqual([
        { from: 'block', to: 'allow', count: 2 },
        { from: 'review', to: 'allow', count: 1 },
      ]);
      // Nothing but allow softens a block.
      expect(trial('amount > 0', rows, 'review').flips).toEqual([]);
      expect(trial('score == 65', rows).flips).toEqual([{ from: 'review', to: 'block', count: 1 }]);
      const points = tryRule({ action: 'points', points: -30, tree: treeOf('amount > 0') }, rows, traffic);
      // Attempts that a list blocked stay blocked.
      expect(points.flips).toEqual([
        { from: 'block', to: 'review', count: 2 },
        { from: 'review', to: 'allow', count: 1 },
      ]);
    });

    it('reads the score from before the points of other rules', () => {
      const contributions = [{ signal: 'rule:partner', points: 40, detail: '' }];
      const rules = [{ name: 'partner', version: 1, action: 'points' }] as const;
      const rows = [row({ automated_decision: 'review', risk_score: 65, contributions, rules })];
      expect(trial('score == 25', rows).matched).toBe(1);
      const points = tryRule({ action: 'points', points: 20, tree: treeOf('score == 25') }, rows, traffic);
      expect(points.flips).toEqual([{ from: 'review', to: 'block', count: 1 }]);
    });

    it('takes conditions that cannot be tested as met, and as not met for the lower end', () => {
      const rows = [row(blocked({ amount: 300 })), row(blocked({ amount: 50 }))];
      expect(trial('attr.category == "gift" && amount > 100', rows)).toMatchObject({
        matched: 1,
        interval: [0, 1],
        not_testable: ['attr.category'],
      });
      expect(trial('attr.email.endsWith("x") || amount > 100', rows)).toMatchObject({ matched: 2, interval: [1, 2] });
      expect(trial('user_id == "user-1" && currency == "USD"', rows)).toMatchObject({ matched: 2, not_testable: [] });
    });

    it('takes lists that could not be read as rules took them then, and as met for the upper end', () => {
      const unread = row(blocked({ amount: 50, missing: ['lists'] }));
      const rows = [unread, row(blocked({ amount: 50, lists: ['vips'] })), row(blocked({ amount: 50 }))];
      const [listed, others] = ['user_id in lists.vips', '!(user_id in lists.vips || amount > 100)'];
      expect(trial(listed, rows)).toMatchObject({ matched: 1, interval: [1, 2], not_testable: [] });
      expect(trial(others, rows)).toMatchObject({ matched: 2, interval: [1, 2], not_testable: [] });
    });

    it('judges by labels, also of what the sample does not hold', () => {
      const outside = { ulid: `${screened(NOW).ulid.slice(0, 24)}ZZ` };
      const rows = [
        row(blocked({ amount: 300 }), 'fraud'),
        row(blocked({ amount: 200 }), 'legitimate'),
        row(blocked({ amount: 10 }), 'fraud'),
        row({ ...outside, amount: 400 }, 'fraud'),
      ];
      expect(
        tryRule({ action: 'block', tree: treeOf('amount > 100') }, rows, { ...traffic, allowed: 64 }),
      ).toMatchObject({
        labelled: 4,
        fraud_matched: 2,
        legitimate_matched: 1,
        precision: 0.6667,
        recall: 0.6667,
        screened: 67,
        interval: [2, 66],
      });
      expect(trial('amount > 1000', rows)).toMatchObject({ precision: null, recall: 0 });
      expect(trial('amount > 1000', [])).toMatchObject({ rows: 0, recall: null, interval: [0, 0] });
    });

    it('leaves out what a sandbox request forced', () => {
      expect(trial('amount > 0', [row(blocked({ decided_by: { kind: 'sandbox', name: null } }))]).rows).toBe(0);
    });
  });
});

describe('test rule', () => {
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
      expect(await testRule(deps, own, rule)).toMatchObject({
        days: 30,
        rows: 0,
        screened: 0,
        matched: 0,
        labelled: 0,
      });
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

    it('on the warehouse is known to the account that asked for it, and to no other', async () => {
      const queries: string[] = [];
      const warehouse = {
        start: async (sql: string) => `query-${queries.push(sql)}`,
        state: async (id: string) => ({
          sql: queries[Number(id.split('-')[1]) - 1] ?? 'SELECT 1',
          state: 'running' as const,
        }),
        rows: async () => [],
      };
      const deps = { ...memoryTraffic(NOW).deps, warehouse };
      const { test_id } = await startRuleTest(deps, own, { ...rule, days: 730 });
      expect(await getRuleTest(deps, own, test_id)).toEqual({ test_id });
      for (const [caller, id] of [
        [callerOf('acc_2'), test_id],
        [own, 'query-2'],
      ] as const)
        await expect(getRuleTest(deps, caller, id)).rejects.toMatchObject({ code: 'not_found' });
    });
  });
});

describe('trial rows', () => {
  const NOW = Date.parse('2026-11-14T12:00:00Z');
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;
  const at = (ageMs: number, change: Parameters<typeof screened>[1] = {}) =>
    screened(NOW - ageMs, { currency: 'USD', entities: ['user#someone'], ...change });
  const sampled = (ageMs: number) => at(ageMs, { ulid: `${newUlid(NOW - ageMs).slice(0, 24)}00` });

  it('covers a shorter time rather than reading more than a call may', async () => {
    const { deps, add } = memoryTraffic(NOW);
    for (let i = 1; i <= 10; i += 1) {
      await add('acc_1', at(i * HOUR, { automated_decision: 'block', risk_score: 90 }));
      await add('acc_1', sampled(i * HOUR + 1));
    }
    const span = { from: lowestUlid(NOW - DAY), before: lowestUlid(NOW) };
    const most = { labels: 100, block: 4, challenge: 4, review: 4 };
    const { rows, sinceMs } = await trialRows(deps, 'acc_1', span, most);
    expect(sinceMs).toBe(NOW - 4 * HOUR);
    expect(rows).toHaveLength(7);
  });
});
