import fc from 'fast-check';
import { addCounters } from '../../../shared/domain/overview/overview-counters';
import type { Interval } from '../../../shared/domain/overview/overview-span';
import { type TallyChangesDeps, tallyChanges } from '../../../shared/usecases/overview/tally-changes';
import { failing, interpose, type Moment } from '../../support/memory/interpose';
import { memoryOverview } from '../../support/memory/memory-overview';

const NOW = Date.parse('2026-11-14T12:00:00Z');
const HOUR = 3_600_000;

interface Raw {
  readonly account: string;
  readonly atMs: number;
  readonly poison?: 'unreadable' | 'refused';
}

/** Longer than a name may be: the table will never take it. */
const ENDLESS = 'x'.repeat(66_000);

/** Tallies in memory, whose calls of `add` go wrong one after another as listed. */
function table(faults: (Moment | undefined)[] = []) {
  const overview = memoryOverview();
  const tallies = interpose(
    overview,
    failing((call) => (call === 'add' ? faults.shift() : undefined)),
  );
  return { overview, tallies };
}

const deps = (tallies: TallyChangesDeps<Raw>['tallies']): TallyChangesDeps<Raw> => ({
  clock: { now: () => NOW },
  read: ({ account, atMs, poison }) => {
    if (poison === 'unreadable') throw new Error('no such shape');
    return { account_id: account, at_ms: atMs, counters: new Map([[poison ? ENDLESS : 'allow', 1]]) };
  },
  tallies,
  report: () => undefined,
});

const numbered = (raws: readonly Raw[], from = 1) => raws.map((raw, i) => ({ sequence: String(from + i), raw }));
const ACCOUNTS = ['acc_a', 'acc_b', 'acc_c'];
const HUNDRED = Array.from({ length: 100 }, (_, i) => `acc_${i}`);

/** How many were let through, of some accounts and over all hours or days that a test writes to. */
async function sumOf({ overview }: ReturnType<typeof table>, interval: Interval, accounts = ACCOUNTS): Promise<number> {
  const span = { interval, fromMs: NOW - 21 * 24 * HOUR, toMs: NOW + HOUR };
  const read = await Promise.all(accounts.map((account) => overview.read(account, span)));
  return addCounters(...read.flatMap((parts) => [...parts.values()])).get('allow') ?? 0;
}

describe('counting a shard', () => {
  const raw = fc.record({
    account: fc.constantFrom('acc_a', 'acc_b', 'acc_c'),
    atMs: fc.integer({ min: NOW - 3 * 24 * HOUR, max: NOW }),
  });

  it('counts every record exactly once, however batches are cut, repeated, lost before or after the write', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(raw, { minLength: 1, maxLength: 150 }),
        fc.array(fc.constantFrom<Moment | undefined>(undefined, 'before', 'after'), { maxLength: 30 }),
        fc.infiniteStream(fc.record({ size: fc.integer({ min: 1, max: 120 }), back: fc.integer({ min: 0, max: 40 }) })),
        async (raws, faults, cuts) => {
          const here = table(faults);
          const { tallies } = here;
          const records = numbered(raws, 8);
          // As Lambda does it: from the first record that failed, or, having lost its place, from somewhat before.
          for (let at = 0; at < records.length; ) {
            const { size, back } = cuts.next().value;
            const start = Math.max(0, at - back);
            const batch = records.slice(start, Math.max(start + size, at + 1));
            const { failed } = await tallyChanges(deps(tallies), 'shard-1', batch);
            at = failed === undefined ? start + batch.length : records.findIndex(({ sequence }) => sequence === failed);
          }
          expect(await sumOf(here, 'day')).toBe(raws.length);
          expect(await sumOf(here, 'hour')).toBe(raws.length);
          for (const account of ['acc_a', 'acc_b', 'acc_c']) {
            expect(await sumOf(here, 'day', [account])).toBe(raws.filter((each) => each.account === account).length);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('lets two calls for the same batch race: what one has counted the other leaves', async () => {
    const here = table();
    const { tallies } = here;
    const records = numbered(Array.from({ length: 100 }, () => ({ account: 'acc_a', atMs: NOW })));
    const reports = await Promise.all([
      tallyChanges(deps(tallies), 'shard-1', records),
      tallyChanges(deps(tallies), 'shard-1', records),
    ]);
    for (const { failed } of reports.filter((report) => report.failed)) {
      const rest = records.filter(({ sequence }) => Number(sequence) >= Number(failed));
      await tallyChanges(deps(tallies), 'shard-1', rest);
    }
    expect(await sumOf(here, 'day')).toBe(100);
  });

  it('never puts more into a transaction than it takes, and no less than it could', async () => {
    const here = table();
    const { tallies } = here;
    const sizes: number[] = [];
    const add: typeof tallies.add = (shardId, before, after, parts) => {
      sizes.push(parts.length);
      return tallies.add(shardId, before, after, parts);
    };
    const raws = Array.from({ length: 300 }, (_, i) => ({ account: `acc_${i % 100}`, atMs: NOW }));
    await tallyChanges(deps({ ...tallies, add }), 'shard-1', numbered(raws));
    expect(await sumOf(here, 'day', HUNDRED)).toBe(300);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(99);
    sizes.length = 0;
    const one = Array.from({ length: 1000 }, () => ({ account: 'acc_a', atMs: NOW }));
    await tallyChanges(deps({ ...tallies, add }), 'shard-2', numbered(one));
    expect(sizes).toEqual([2]);
  });

  it('knows that 10 comes after 9, and keeps shards apart', async () => {
    const here = table();
    const { tallies } = here;
    const one = [{ account: 'acc_a', atMs: NOW }];
    for (const from of [9, 10, 9]) await tallyChanges(deps(tallies), 'shard-1', numbered(one, from));
    await tallyChanges(deps(tallies), 'shard-2', numbered(one, 9));
    expect(await sumOf(here, 'day')).toBe(3);
  });

  it('leaves out only the record that cannot be counted, and says so', async () => {
    const here = table();
    const { tallies } = here;
    const raws = Array.from({ length: 90 }, (_, i): Raw => {
      const poison = i === 17 ? 'unreadable' : i === 61 ? 'refused' : undefined;
      return { account: 'acc_a', atMs: NOW, ...(poison ? { poison } : {}) };
    });
    const report = await tallyChanges(deps(tallies), 'shard-1', numbered(raws));
    expect(report).toEqual({ counted: 88, repeated: 0, skipped: 2, failed: undefined });
    expect(await sumOf(here, 'day')).toBe(88);
  });

  it('counts a late label by the day only: its hour is no longer shown', async () => {
    const here = table();
    const { tallies } = here;
    await tallyChanges(deps(tallies), 'shard-1', numbered([{ account: 'acc_a', atMs: NOW - 20 * 24 * HOUR }]));
    expect([await sumOf(here, 'hour'), await sumOf(here, 'day')]).toEqual([0, 1]);
  });

  it('lets a bug be a bug: the batch fails as a whole and comes again', async () => {
    const { tallies } = table();
    const broken = { ...tallies, add: () => Promise.reject(new TypeError('a bug')) };
    const records = numbered([{ account: 'acc_a', atMs: NOW }]);
    await expect(tallyChanges(deps(broken), 'shard-1', records)).rejects.toThrow('a bug');
  });
});
