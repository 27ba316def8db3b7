import fc from 'fast-check';
import {
  DAY_MS,
  generator,
  hostileAttempt,
  KINDS,
  learn,
  live,
  newLife,
  ordinaryAttempt,
  START_MS,
} from '../../../../bench/support/live-through';
import { bucketIndex } from '../../../../shared/domain/entities/kind-spec';
import { setName } from '../../../../shared/store/entities/distinct-sets';
import { readItem, SLOT } from '../../../../shared/store/entities/item-reading';
import { readHistory } from '../../../../shared/store/entities/read-history';
import { LEVELS, namesAt } from '../../../../shared/store/entities/time-buckets';
import { type EntityItem, itemSize, plainItem } from '../../../../shared/store/sdk/attribute-value';

const anyLife = fc.record({
  kind: fc.constantFrom(...KINDS),
  seed: fc.nat(),
  gapsMs: fc.array(fc.oneof(fc.nat(100_000), fc.nat(DAY_MS), fc.nat(70 * DAY_MS)), { minLength: 1, maxLength: 40 }),
});

/** An entity that lived through what a seed says, and when it ended. */
function livedThrough({ kind, seed, gapsMs }: typeof anyLife extends fc.Arbitrary<infer Life> ? Life : never) {
  const random = generator(seed);
  const life = newLife(kind);
  let atMs = START_MS;
  for (const [number, gapMs] of gapsMs.entries()) {
    atMs += gapMs;
    live(life, (random() < 0.5 ? hostileAttempt : ordinaryAttempt)(random, number, atMs));
    if (random() < 0.3) learn(life, { label: random() < 0.5 ? 'fraud' : 'legitimate', known_at_ms: atMs });
  }
  return { item: plainItem(life.item), live: life.item, atMs };
}

test('one walk finds what looking every name up finds, and the size', () => {
  fc.assert(
    fc.property(anyLife, fc.nat(40 * DAY_MS), (lived, laterMs) => {
      const { item, atMs } = livedThrough(lived);
      const nowMs = atMs + laterMs;
      const { values, bytes } = readItem(item, nowMs);
      expect(bytes).toBe(itemSize(item));
      for (const level of LEVELS) {
        const names = namesAt(level, bucketIndex(level, nowMs)).slice(0, level.live);
        const first = SLOT.buckets + level.slot;
        expect(Array.from(values.slice(first, first + level.live))).toEqual(names.map((name) => item[name]));
      }
      expect([values[SLOT.sets], values[SLOT.sets + 1]]).toEqual([
        item[setName('users', nowMs)],
        item[setName('users', nowMs, 1)],
      ]);
      expect([values[SLOT.firstSeen], values[SLOT.legitimate], values[SLOT.changes + 5]]).toEqual([
        item.b,
        item.ll,
        item.c6,
      ]);
    }),
  );
});

test('a history does not depend on the order in which a store hands the attributes over, nor on what holds them', () => {
  fc.assert(
    fc.property(anyLife, (lived) => {
      const { item, live, atMs } = livedThrough(lived);
      const turned: EntityItem = Object.fromEntries(Object.entries(item).reverse());
      expect(readHistory(lived.kind, turned, atMs)).toEqual(readHistory(lived.kind, item, atMs));
      expect(readHistory(lived.kind, live, atMs)).toEqual(readHistory(lived.kind, item, atMs));
    }),
  );
});
