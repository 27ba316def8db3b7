import fc from 'fast-check';
import { addCounters, type Counters } from '../../../shared/domain/overview/overview-counters';
import type { OverviewSpan } from '../../../shared/domain/overview/overview-span';
import type { OverviewPort } from '../memory/memory-overview';
import { freshAccount, type MakePort, START_MS } from './fresh-account';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const counters = (members: Readonly<Record<string, number>>): Counters => new Map(Object.entries(members));
const plain = (parts: ReadonlyMap<number, Counters>) =>
  Object.fromEntries([...parts].map(([at, counted]) => [new Date(at).toISOString(), Object.fromEntries(counted)]));
const hours = (fromMs: number, toMs: number): OverviewSpan => ({ interval: 'hour', fromMs, toMs });
const days = (fromMs: number, toMs: number): OverviewSpan => ({ interval: 'day', fromMs, toMs });

/** Tests that every store of overview tallies must pass. */
export function describeOverviewConformance(name: string, makePort: MakePort<OverviewPort>, runs = 30): void {
  describe(`overview tallies in ${name}`, () => {
    let overview: OverviewPort;
    let account: string;
    let shard: string;
    beforeEach(async () => {
      overview = await makePort();
      account = freshAccount();
      shard = `shard-${freshAccount()}`;
    });
    const part = (interval: 'hour' | 'day', at_ms: number, counted: Readonly<Record<string, number>>) => ({
      account_id: account,
      interval,
      at_ms,
      counters: counters(counted),
    });

    it('adds counters up by hour and by day, for one account', async () => {
      const both = (at_ms: number, counted: Readonly<Record<string, number>>) => [
        part('hour', at_ms, counted),
        part('day', at_ms, counted),
      ];
      expect(await overview.add(shard, undefined, '5', both(START_MS, { allow: 2, 'n:new_device': 1 }))).toBe(
        'counted',
      );
      expect(await overview.add(shard, '5', '6', both(START_MS + HOUR - 1, { allow: 1 }))).toBe('counted');
      expect(await overview.add(`${shard}-2`, undefined, '1', both(START_MS + HOUR, { block: 1 }))).toBe('counted');
      expect(plain(await overview.read(account, hours(START_MS, START_MS + 2 * HOUR)))).toEqual({
        '2026-03-01T10:00:00.000Z': { allow: 3, 'n:new_device': 1 },
        '2026-03-01T11:00:00.000Z': { block: 1 },
      });
      const midnight = Date.UTC(2026, 2, 1);
      expect(plain(await overview.read(account, days(midnight, midnight + DAY)))).toEqual({
        '2026-03-01T00:00:00.000Z': { allow: 3, block: 1, 'n:new_device': 1 },
      });
      expect(await overview.read(freshAccount(), days(midnight, midnight + DAY))).toEqual(new Map());
    });

    it('reads whole parts from the first to before the last', async () => {
      const parts = [-1, 0, 1, 2].map((after) => part('hour', START_MS + after * HOUR, { allow: 1 }));
      await overview.add(shard, undefined, '1', parts);
      const read = await overview.read(account, hours(START_MS, START_MS + 2 * HOUR));
      expect([...read.keys()].sort()).toEqual([START_MS, START_MS + HOUR]);
    });

    it('remembers how far a shard is counted, and counts nothing for who thinks it is elsewhere', async () => {
      expect(await overview.counted(shard)).toBeUndefined();
      expect(await overview.add(shard, '1', '2', [part('hour', START_MS, { allow: 1 })])).toBe('moved');
      expect(await overview.add(shard, undefined, '9', [])).toBe('counted');
      expect(await overview.counted(shard)).toBe('9');
      for (const before of [undefined, '8']) {
        expect(await overview.add(shard, before, '10', [part('hour', START_MS, { allow: 1 })])).toBe('moved');
      }
      expect(await overview.counted(shard)).toBe('9');
      expect(await overview.read(account, hours(START_MS, START_MS + HOUR))).toEqual(new Map());
    });

    it('lets one of several calls count the same records', async () => {
      const add = () => overview.add(shard, undefined, '3', [part('hour', START_MS, { allow: 3 })]);
      const outcomes = await Promise.all([add(), add(), add()]);
      expect(outcomes.sort()).toEqual(['counted', 'moved', 'moved']);
      const read = await overview.read(account, hours(START_MS, START_MS + HOUR));
      expect(plain(read)).toEqual({ '2026-03-01T10:00:00.000Z': { allow: 3 } });
    });

    it('refuses as a whole what it will never take', async () => {
      const endless = part('hour', START_MS, { ['x'.repeat(66_000)]: 1 });
      const twice = [part('hour', START_MS, { allow: 1 }), part('hour', START_MS + 1, { allow: 1 })];
      const tooMany = Array.from({ length: 100 }, (_, i) => part('hour', START_MS + i * HOUR, { allow: 1 }));
      for (const parts of [[endless], [part('day', START_MS, { allow: 1 }), endless], twice, tooMany]) {
        expect(await overview.add(shard, undefined, '1', parts)).toBe('refused');
      }
      expect(await overview.counted(shard)).toBeUndefined();
      expect(await overview.read(account, hours(START_MS, START_MS + DAY))).toEqual(new Map());
    });

    it('comes to the same sums however shards take turns', async () => {
      const step = fc.record({
        shard: fc.nat(2),
        hour: fc.nat(3),
        counted: fc.dictionary(fc.constantFrom('allow', 'block', 'review:fraud'), fc.integer({ min: -2, max: 3 }), {
          minKeys: 1,
        }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          const own = freshAccount();
          const marks = new Map<string, string>();
          for (const [index, { shard: number, hour, counted }] of steps.entries()) {
            const shardId = `${own}-${number}`;
            const added = { account_id: own, interval: 'hour' as const, at_ms: START_MS + hour * HOUR };
            const parts = [{ ...added, counters: counters(counted) }];
            expect(await overview.add(shardId, marks.get(shardId), String(index), parts)).toBe('counted');
            marks.set(shardId, String(index));
          }
          const read = await overview.read(own, hours(START_MS, START_MS + 4 * HOUR));
          for (const hour of [0, 1, 2, 3]) {
            const expected = addCounters(
              ...steps.filter((each) => each.hour === hour).map((each) => counters(each.counted)),
            );
            expect(read.get(START_MS + hour * HOUR) ?? new Map()).toEqual(expected);
          }
        }),
        { numRuns: runs },
      );
    });
  });
}
