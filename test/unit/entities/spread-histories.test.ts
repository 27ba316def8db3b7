import fc from 'fast-check';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { entityCalls } from '../../../shared/store/entities/entity-calls';
import { labelUpdate } from '../../../shared/store/entities/label-update';
import { spreadIn } from '../../../shared/store/entities/spread-reading';
import { itemSize } from '../../../shared/store/sdk/attribute-value';
import { throttled } from '../../support/memory/memory-entity-calls';
import { sized } from '../../support/sized';
import { ACCOUNT, attemptAt, CATEGORY, spreadScene } from './spread-scene';

const START_MS = Date.parse('2026-11-14T12:00:00Z');
type Scene = ReturnType<typeof spreadScene>;

/** Screens payments at a rate for a time, in random processes; returns the largest errors of the windows that were read. */
async function live(
  scene: Scene,
  { perSecond, seconds, fromMs, random }: { perSecond: number; seconds: number; fromMs: number; random: () => number },
  { before = 0, checkedFrom = 0 } = {},
) {
  const total = Math.round(perSecond * seconds);
  let worst = 0;
  for (let at = 0; at < total; at++) {
    const atMs = fromMs + Math.floor((at * 1000) / perSecond);
    const { transactions } = await scene.screen(attemptAt(atMs, before + at), Math.floor(random() * 1_000));
    if (before + at < checkedFrom) continue;
    for (const { count } of [transactions.windows['10m'], transactions.windows['30d'], { count: transactions.total }]) {
      worst = Math.max(worst, Math.abs(count - before - at) / (before + at));
    }
  }
  return { count: before + total, worst };
}

describe('a history that is spread over shards', () => {
  it('reads within 5% of what happened, at any rate and in any number of processes', async () => {
    const scenes = fc.record({
      perSecond: fc.integer({ min: 130, max: 220 }),
      processes: fc.integer({ min: 1, max: 12 }),
      seed: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(scenes, async ({ perSecond, processes, seed }) => {
        const scene = spreadScene(processes);
        const rate = { perSecond, seconds: 60, fromMs: START_MS, random: seededRandom(seed) };
        const { count, worst } = await live(scene, rate, { checkedFrom: 1 });
        expect(spreadIn(scene.home()?.sp)?.shards).toBeGreaterThan(1);
        expect(worst).toBeLessThan(0.05);
        const sum = scene.sum(START_MS + 60_000);
        expect(sum.transactions.total).toBe(count);
        expect(sum.transactions.windows['10m'].count).toBe(count);
        expect(sum.transactions.windows['24h'].amount_usd).toBeCloseTo(sum.amounts_usd.total, 1);
        expect(sum.amounts_usd.count).toBe(count);
      }),
      { numRuns: sized(8, 1), endOnFailure: true },
    );
  });

  it('folds back into its home when it cools down, loses nothing, and is an ordinary item again', async () => {
    const scene = spreadScene(4);
    const random = seededRandom(7);
    const hot = await live(scene, { perSecond: 250, seconds: 40, fromMs: START_MS, random });
    expect(spreadIn(scene.home()?.sp)?.shards).toBeGreaterThan(1);
    const cool = { perSecond: 0.5, seconds: 360, fromMs: START_MS + 40_000, random };
    // Until the next fold, 20 seconds later, anyone who knows only the home relies on the pace before.
    const { count, worst } = await live(scene, cool, { before: hot.count, checkedFrom: hot.count + 11 });
    expect(worst).toBeLessThan(0.05);
    expect(scene.home()?.sp).toBeUndefined();
    expect(scene.sum(START_MS + 400_000).transactions.total).toBe(count);
    for (const [name, item] of scene.memory.items) {
      expect(itemSize(item)).toBeLessThan(name.includes('~') ? 1_000 : 2_000);
    }
    // Afterwards every attempt is one write of the home, and nothing of the shards.
    const shards = JSON.stringify([...scene.memory.items].filter(([name]) => name.includes('~')));
    const later = { perSecond: 1, seconds: 30, fromMs: START_MS + 420_000, random };
    const after = await live(scene, later, { before: count, checkedFrom: 1 });
    expect(after.worst).toBeLessThan(0.001);
    expect(JSON.stringify([...scene.memory.items].filter(([name]) => name.includes('~')))).toBe(shards);
  });

  it('loses and invents nothing if folds are refused, or done although nobody hears of it', async () => {
    const ending = fc.constantFrom('done' as const, 'refused' as const, 'unheard' as const);
    await fc.assert(
      fc.asyncProperty(fc.array(ending, { minLength: 3, maxLength: 8 }), fc.nat(), async (endings, seed) => {
        let folds = 0;
        const scene = spreadScene(3, { onTogether: () => endings[folds++ % endings.length] ?? 'done' });
        const rate = { perSecond: 130, seconds: 85, fromMs: START_MS, random: seededRandom(seed) };
        const { count, worst } = await live(scene, rate, { checkedFrom: 500 });
        expect(folds).toBeGreaterThan(1);
        expect(scene.sum(START_MS + 85_000).transactions.total).toBe(count);
        expect(worst).toBeLessThan(0.05);
      }),
      { numRuns: sized(4, 1), endOnFailure: true },
    );
  });

  it('starts at the first throttled update: when a category becomes hot at once, nothing is left out, and windows are right from the third second on', async () => {
    const taken = new Map<string, number>();
    let second = 0;
    let refused = 0;
    // An item that takes 100 writes per second, a tenth of DynamoDB's, at 1,500 per second.
    const onWrite = (item: string): void => {
      const count = (taken.get(item) ?? 0) + 1;
      taken.set(item, count);
      if (count <= 100) return;
      refused += 1;
      throw throttled();
    };
    const scene = spreadScene(10, { onWrite });
    let missing = 0;
    const offs: number[] = [];
    for (let at = 0; at < 7_500; at++) {
      const atMs = START_MS + Math.floor((at * 1000) / 1_500);
      if (Math.floor(atMs / 1000) !== second) taken.clear();
      second = Math.floor(atMs / 1000);
      const history = await scene.screen(attemptAt(atMs, at), at).catch(() => missing++);
      // Until folds have found the shards, a second or two, it reads anything between nothing and many times too much.
      if (typeof history !== 'number' && at >= 4_500) offs.push(history.transactions.windows['10m'].count / at - 1);
    }
    expect(refused).toBeGreaterThan(0);
    expect(missing / 7_500).toBeLessThan(0.01);
    expect(scene.sum(START_MS + 5_000).transactions.total).toBe(7_500 - missing);
    const sorted = offs.map(Math.abs).sort((a, b) => a - b);
    // From the third second on: a shard has a tenth of the attempts that real ones have, and three times their noise.
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(0.05);
    expect(sorted[Math.floor(sorted.length * 0.95)]).toBeLessThan(0.1);
  });

  it('keeps labels exact: they are written to the home, where every screening reads them within 33 seconds', async () => {
    const scene = spreadScene(2);
    const random = seededRandom(3);
    const first = await live(scene, { perSecond: 220, seconds: 25, fromMs: START_MS, random });
    const label = { label: 'fraud', known_at_ms: START_MS + 25_000 } as const;
    for (let at = 0; at < 5; at++) scene.memory.apply(ACCOUNT, { entity: CATEGORY.key, params: labelUpdate(label) });
    await live(scene, { perSecond: 60, seconds: 35, fromMs: START_MS + 25_000, random }, { before: first.count });
    for (const process of [0, 1]) {
      const { labels, recent_labels } = await scene.screen(attemptAt(START_MS + 60_100, 99_000 + process), process);
      expect(labels).toEqual({ fraud: 5, legitimate: 0 });
      expect(recent_labels['1d']).toEqual({ fraud: 5, labelled: 5 });
    }
    expect(scene.sum(START_MS + 61_000).labels.fraud).toBe(5);
  });

  it('sees counterparts, the last place and what was stopped, whichever shard has them', async () => {
    const scene = spreadScene(1);
    const random = seededRandom(5);
    const { count } = await live(scene, { perSecond: 200, seconds: 30, fromMs: START_MS, random });
    const history = await scene.screen(attemptAt(START_MS + 30_100, count), 0);
    expect(history.distinct.devices).toBeGreaterThan(100);
    expect(history.distinct.countries).toBe(1);
    expect(history.last_place).toMatchObject({ country: 'DE' });
    expect(history.first_seen_ms).toBe(START_MS);
    expect(history.last_seen_ms).toBeGreaterThan(START_MS + 29_000);
  });

  it('costs an ordinary entity nothing: one write, no read, and the item that it always had', async () => {
    let writes = 0;
    const scene = spreadScene(1, { onWrite: () => writes++ });
    for (let at = 0; at < 600; at++) {
      const somebody = { ...attemptAt(START_MS + 50 * at, at), user_id: 'ann', device: 'phone' };
      await scene.screen(somebody, 0);
    }
    expect(writes).toBe(600);
    expect([...scene.memory.items.keys()]).toEqual([`${ACCOUNT}#${CATEGORY.key}`]);
    const names = Object.keys(scene.home() ?? {});
    for (const name of ['sp', 'nw', 'qn', 'fv']) expect(names).not.toContain(name);
    expect(names.filter((name) => name.length === 4)).toEqual([]);
  });
});

describe('calls on the items of entities', () => {
  const failing = (...names: readonly string[]) => {
    let sent = 0;
    const send = async () => {
      const name = names[sent++];
      if (name !== undefined) throw Object.assign(new Error(name), { name });
      return { Attributes: { n: { N: '1' } } };
    };
    return { sent: () => sent, calls: entityCalls({ onceClient: { send } as never, name: 'table' }) };
  };
  const update = { entity: CATEGORY.key, params: labelUpdate({ label: 'fraud', known_at_ms: START_MS }) };

  it('wait for a transaction on the item more than once', async () => {
    const conflict = 'TransactionConflictException';
    const { sent, calls } = failing(conflict, conflict);
    expect(await calls.record(ACCOUNT, update)).toEqual({ item: { n: { N: '1' } }, isApplied: true });
    expect(sent()).toBe(3);
  });

  it('leave a throttled update to those who know another place for it', async () => {
    const { sent, calls } = failing('ProvisionedThroughputExceededException');
    await expect(calls.record(ACCOUNT, update)).rejects.toThrow('ProvisionedThroughputExceeded');
    expect(sent()).toBe(1);
  });
});
