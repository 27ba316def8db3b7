import { kindOfKey } from '../../../shared/domain/entities/entity-ref';
import { readItem } from '../../../shared/store/entities/item-reading';
import { historyOf } from '../../../shared/store/entities/read-history';
import { spreadReading } from '../../../shared/store/entities/spread-reading';
import { spreadIn } from '../../../shared/store/entities/spread-text';
import { entityKey, entityShard } from '../../../shared/store/keys';
import type { EntityItem } from '../../../shared/store/sdk/attribute-value';

/** What a screening reads of an hour, against what all shards of the entity hold together. */
export interface WindowError {
  readonly attempts: number;
  /** What a screening on each shard would read more or less, as a share. */
  readonly byShard: readonly number[];
  /** What they would be off by chance alone: attempts choose shards as coins do, and few were counted since the last fold. */
  readonly byChance: number;
}

/** The mean distance from the mean, of a normal distribution with deviation 1. */
const MEAN_DISTANCE = Math.sqrt(2 / Math.PI);

const ENTITY_PK = /^ENTITY#([^#]+)#(.+)$/;

/** How far screenings are off that read a spread entity now: for each entity that is spread, by the shard that they meet. */
export function windowErrors(items: ReadonlyMap<string, EntityItem>, atMs: number): WindowError[] {
  const found: WindowError[] = [];
  for (const [pk, item] of items) {
    const [, accountId = '', name = ''] = ENTITY_PK.exec(pk) ?? [];
    const spread = spreadIn(item.sp);
    if (name === '' || name.includes('~') || spread === undefined || spread.shards === 1) continue;
    const kind = kindOfKey(name);
    const home = readItem(item, atMs);
    const shards = Array.from({ length: spread.most }, (_, shard) =>
      readItem(items.get(entityKey(accountId, entityShard(name, shard)).pk), atMs),
    );
    const hour = (reading: typeof home): number =>
      historyOf(kind, reading, atMs, undefined).transactions.windows['1h'].count;
    const exact = hour(shards.reduce((sum, shard) => spreadReading(sum, shard, 1), home));
    if (exact === 0) continue;
    const byShard = shards
      .slice(0, spread.shards)
      .map((shard) => hour(spreadReading(home, shard, spread.shards)) / exact - 1);
    const unfolded = Math.max(0, exact - hour(home));
    found.push({ attempts: exact, byShard, byChance: (MEAN_DISTANCE * Math.sqrt(spread.shards * unfolded)) / exact });
  }
  return found;
}

/** The error of a typical screening on a spread entity, and by chance alone: means over entities, by their attempts. */
export function typicalError(errors: readonly WindowError[]): { windowError: number; chanceError: number } {
  const attempts = Math.max(
    1,
    errors.reduce((sum, error) => sum + error.attempts, 0),
  );
  const mean = (of: (error: WindowError) => number): number =>
    errors.reduce((sum, error) => sum + error.attempts * of(error), 0) / attempts;
  return {
    windowError: mean(({ byShard }) => byShard.reduce((sum, off) => sum + Math.abs(off), 0) / byShard.length),
    chanceError: mean(({ byChance }) => byChance),
  };
}
