import { typicalError, windowErrors } from '../../../bench/scale/experiment/throttle';
import { raised } from '../../../shared/domain/entities/entity-spread';
import { markUpdate } from '../../../shared/store/entities/spread-reading';
import { entityKey, entityShard } from '../../../shared/store/keys';
import type { EntityItem } from '../../../shared/store/sdk/attribute-value';
import { ACCOUNT, attemptAt, CATEGORY, spreadScene } from '../entities/spread-scene';

const NOW_MS = Date.parse('2026-11-14T12:00:10Z');
const SHARDS = 4;

it('compares what a screening on each shard reads with what all of them hold', async () => {
  const scene = spreadScene(1);
  const entity = { entity: CATEGORY.key, params: markUpdate(undefined, raised(undefined, SHARDS, NOW_MS)) };
  for (let number = 0; number < 100; number++) await scene.screen(attemptAt(NOW_MS, number), 0);
  await scene.memory.calls.aside(ACCOUNT, entity, 1_000);
  for (let number = 100; number < 200; number++) await scene.screen(attemptAt(NOW_MS + number, number), 0);

  const names = [CATEGORY.key, ...Array.from({ length: SHARDS }, (_, shard) => entityShard(CATEGORY.key, shard))];
  const items = new Map<string, EntityItem>();
  for (const name of names) {
    const item = scene.memory.item(ACCOUNT, name);
    if (item) items.set(entityKey(ACCOUNT, name).pk, item);
  }
  const [error, ...others] = windowErrors(items, NOW_MS + 1_000);
  expect(others).toEqual([]);
  expect(error?.attempts).toBe(200);
  // The first of them still met the home, which told that there are shards; each other one stands for four.
  const readings = error?.byShard.map((off) => Math.round(200 * (1 + off))) ?? [];
  expect(readings).toHaveLength(SHARDS);
  expect(readings.reduce((sum, count) => sum + count, 0)).toBe(SHARDS * 200);
  expect(new Set(readings).size).toBeGreaterThan(1);
  // 99 attempts on four shards: the deviation of four times one of them is √(4 × 99) = 19.9, its mean distance 15.9 of 200.
  expect(error?.byChance).toBeCloseTo(0.079, 3);
  const { windowError, chanceError } = typicalError([error as NonNullable<typeof error>]);
  expect(chanceError).toBe(error?.byChance);
  expect(windowError).toBeGreaterThan(0);
});

it('is nothing where nothing is spread', () => {
  expect(typicalError(windowErrors(new Map(), NOW_MS))).toEqual({ windowError: 0, chanceError: 0 });
});
