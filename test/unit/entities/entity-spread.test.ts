import fc from 'fast-check';
import {
  firstShards,
  folded,
  HOT_PER_SECOND,
  isFoldDue,
  isWorthReading,
  MOST_SHARDS,
  moreShards,
  raised,
  shardOf,
  shardsFor,
  unfolded,
} from '../../../shared/domain/entities/entity-spread';
import { attemptAt } from './spread-scene';

const NOW_MS = Date.parse('2026-11-14T12:00:00Z');
const rates = fc.double({ min: 0, max: 200_000, noNaN: true });
const counts = fc.constantFrom(1, 2, 4, 8, 16, 32, 64);

describe('over how many shards an entity is spread', () => {
  it('is one for ordinary entities, and otherwise keeps each shard far below what an item takes', () => {
    expect(shardsFor(HOT_PER_SECOND)).toBe(1);
    expect(shardsFor(HOT_PER_SECOND + 1)).toBe(2);
    expect(shardsFor(23_330)).toBe(MOST_SHARDS);
    fc.assert(
      fc.property(rates, counts, (perSecond, before) => {
        const shards = shardsFor(perSecond, before);
        expect(Number.isInteger(Math.log2(shards))).toBe(true);
        if (perSecond > HOT_PER_SECOND && perSecond < 200 * MOST_SHARDS)
          expect(perSecond / shards).toBeLessThanOrEqual(200);
        // The same rate again changes nothing: shards do not come and go at a steady load.
        expect(shardsFor(perSecond, shards)).toBe(shards);
      }),
    );
  });

  it('begins when the entity has enough attempts for one shard to stand for all', () => {
    expect(firstShards(4_999, 10_000)).toBe(1);
    expect(firstShards(5_000, 10_000)).toBe(2);
    expect(firstShards(5_000, 110_000)).toBe(1);
    expect(firstShards(90_000, 10_000)).toBe(32);
  });

  it('lets the home take those who seldom meet an entity of few shards', () => {
    expect([isWorthReading(4, 9_999), isWorthReading(4, 10_000), isWorthReading(8, 50_000)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('doubles for an item that is throttled, up to what one transaction can fold', () => {
    expect([moreShards(1), moreShards(8), moreShards(64)]).toEqual([8, 16, 64]);
    expect(raised(undefined, 8, NOW_MS)).toEqual({
      shards: 8,
      most: 8,
      folded_at_ms: NOW_MS,
      since_ms: NOW_MS,
      pace: 0,
    });
  });

  it('ends only when nobody can know the shards any more', () => {
    const started = raised(undefined, 8, NOW_MS - 60_000);
    expect(folded(started, { home: 0, shards: 0 }, NOW_MS - 50_000)).toMatchObject({ shards: 8 });
    const hot = { ...started, folded_at_ms: NOW_MS };
    const cooled = folded(hot, { home: 10, shards: 200 }, NOW_MS + 20_000);
    expect(cooled).toMatchObject({ shards: 1, most: 8, since_ms: NOW_MS + 20_000, pace: 10 });
    const none = { home: 0, shards: 0 };
    const waiting = cooled && folded(cooled, none, NOW_MS + 130_000);
    expect(waiting).toMatchObject({ shards: 1, most: 8, pace: 0 });
    expect(waiting && folded(waiting, none, NOW_MS + 140_000)).toBeUndefined();
  });

  it('says how much shards have probably taken since the last fold, of one interval at most', () => {
    const spread = { ...raised(undefined, 8, NOW_MS), pace: 300 };
    expect(unfolded(spread, NOW_MS + 5_000)).toBe(1_500);
    expect(unfolded(spread, NOW_MS + 500_000)).toBe(6_000);
    expect(unfolded(spread, NOW_MS - 5_000)).toBe(0);
  });

  it('lets one attempt per interval fold', () => {
    const spread = { ...raised(undefined, 8, NOW_MS), since_ms: NOW_MS - 60_000 };
    expect(isFoldDue(NOW_MS + 20_000, NOW_MS + 19_999, spread)).toBe(true);
    expect(isFoldDue(NOW_MS + 20_001, NOW_MS + 20_000, spread)).toBe(false);
    expect(isFoldDue(NOW_MS + 5_000, NOW_MS - 1, { ...spread, folded_at_ms: NOW_MS })).toBe(false);
  });

  it('lets one fold every second while the number of shards is new, and every 20 seconds then', () => {
    const spread = raised(undefined, 8, NOW_MS);
    const folds = Array.from({ length: 600 }, (_, at) => NOW_MS + 100 * at).filter((atMs) =>
      isFoldDue(atMs, atMs - 100, { ...spread, folded_at_ms: atMs - 10_000 }),
    );
    expect(folds.filter((atMs) => atMs < NOW_MS + 30_000)).toHaveLength(30);
    expect(folds.filter((atMs) => atMs >= NOW_MS + 30_000)).toEqual([NOW_MS + 40_000]);
  });

  it('gives repeats of one Idempotency-Key one shard, and attempts about equally many', () => {
    const repeat = { ...attemptAt(NOW_MS, 1), repeat_key: 'same' };
    expect(shardOf(repeat, 64)).toBe(shardOf({ ...repeat, attempt_id: 'another' }, 64));
    const hits = new Array(8).fill(0);
    for (let at = 0; at < 8_000; at++) hits[shardOf(attemptAt(NOW_MS, at), 8)] += 1;
    for (const count of hits) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });
});
