import { firstShards, raised, type Spread } from '../../domain/entities/entity-spread';
import { bucketIndex } from '../../domain/entities/time-windows';
import type { UpdateParams } from '../sdk/attribute-value';
import { expirySeconds, NAME } from './entity-attributes';
import { type ItemReading, SLOT } from './item-reading';
import { countOf } from './packed-number';
import { spreadText } from './spread-text';
import { TRANSACTION_LEVELS } from './time-buckets';

/** How an entity should be spread that is not yet, by the newest bucket of its home; mostly undefined. */
export function heated({ values }: ItemReading, atMs: number, spread: Spread | undefined): Spread | undefined {
  const [newest] = TRANSACTION_LEVELS;
  const value = values[SLOT.buckets + newest.slot];
  if (value === undefined || (spread !== undefined && spread.shards > 1)) return undefined;
  const attempts = countOf(value, newest.countDigits);
  const spanMs = atMs - bucketIndex(newest, atMs) * newest.bucketMs;
  const shards = firstShards(attempts, spanMs);
  return shards === 1 ? undefined : raised(spread, shards, atMs);
}

/** Notes on a home how its entity is spread from now on, unless somebody else has changed that meanwhile. */
export const markUpdate = (before: Spread | undefined, spread: Spread): UpdateParams => ({
  // An item that has nothing else yet expires too.
  UpdateExpression: 'SET #0 = :0, #ttl = if_not_exists(#ttl, :ttl)',
  ExpressionAttributeNames: { '#0': NAME.spread, '#ttl': NAME.ttl },
  ExpressionAttributeValues: {
    ':0': { S: spreadText(spread) },
    ':ttl': { N: `${expirySeconds(spread.since_ms)}` },
    ...(before === undefined ? {} : { ':1': { S: spreadText(before) } }),
  },
  ConditionExpression: before === undefined ? 'attribute_not_exists(#0)' : '#0 = :1',
});
