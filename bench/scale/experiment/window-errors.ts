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
}

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
    found.push({ attempts: exact, byShard });
  }
  return found;
}

/** The error of a typical screening on a spread entity: the mean of what screenings would be off, by attempts. */
export function typicalError(errors: readonly WindowError[]): number {
  const attempts = errors.reduce((sum, error) => sum + error.attempts, 0);
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + Math.abs(value), 0) / Math.max(1, values.length);
  return errors.reduce((sum, error) => sum + error.attempts * mean(error.byShard), 0) / Math.max(1, attempts);
}
