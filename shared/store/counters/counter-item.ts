import { hash32 } from '../../domain/entities/counterpart-hashes';
import type { Attempt } from '../../domain/entities/entity-history';
import type { PlannedCount } from '../../domain/rules/compile-counters';
import { attemptWrites } from '../entities/attempt-writes';
import { type AttributeValue, digitsOf, type EntityItem, itemSize, type UpdateParams } from '../sdk/attribute-value';

/*
 * The item of a counter for one combination of values, below 1 KB:
 *
 *   x0 … x3     marks of recent attempts, as on entities: the same attempt is never counted twice
 *   ttl         seconds; when the window has passed
 *   ow          the key of the user whose it is, if it is by user
 *   b<bucket>   what was counted in a sixtieth of the window
 *   v<member>   one of different values, and the last bucket that saw it
 *   lv          of more than 1,024 different values, one in 2^lv is kept
 *   sp          until when shards count too (`counter-store.ts`)
 */
const BUCKETS = 60;
const BUCKET = 'b';
const MEMBER = 'v';
const LEVEL = 'lv';
const OWNER = 'ow';
export const SPREAD = 'sp';
const MEMBER_BITS = 30;
/** Exact up to here; beyond it a sample of 512 to 1,024 stands for all, with a standard error below 4.5%. */
const MOST_MEMBERS = 1_024;
/** A trim is worth its write from here on. */
const TRIM_BYTES = 850;
const MOST_TRIMMED = 60;
const RING = 36 ** 4;
const GRACE_SECONDS = 3_600;

type Plan = Pick<PlannedCount, 'count' | 'windowMs'>;

const bucketOf = ({ windowMs }: Plan, atMs: number): number => Math.floor((atMs * BUCKETS) / windowMs);
const bucketName = (bucket: number): string => BUCKET + (bucket % RING).toString(36).padStart(4, '0');
const numberOf = (value: AttributeValue | undefined): number => Number(digitsOf(value) ?? 0);

/** Sums are whole ten-thousandths: what is added up in another order is the same. */
const unitsOf = ({ count }: Plan): number => (count === 'sum' ? 1e4 : 1);
const wholeUnits = (plan: Plan, value: number): string => `${BigInt(Math.round(value * unitsOf(plan)))}`;

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Whether a member is in the sample of a level: its first bits are zero. */
function isSampled(member: string, level: number): boolean {
  if (level === 0) return true;
  let bits = 0;
  for (const character of member) bits = bits * 64 + CHARACTERS.indexOf(character);
  return bits < 2 ** (MEMBER_BITS - level);
}

const isLive = (bucket: number, now: number): boolean => bucket >= now - BUCKETS;

/** The count of an item in the window that ends at a time; includes `adds` if given. */
export function countIn(item: EntityItem | undefined, plan: Plan, atMs: number, adds?: PlannedCount['adds']): number {
  const now = bucketOf(plan, atMs);
  if (plan.count === 'distinct') {
    const level = numberOf(item?.[LEVEL]);
    let kept = 0;
    let isOwn = false;
    for (const [name, value] of Object.entries(item ?? {})) {
      if (!name.startsWith(MEMBER) || !isLive(numberOf(value), now) || !isSampled(name.slice(1), level)) continue;
      kept += 1;
      if (name.slice(1) === adds) isOwn = true;
    }
    if (typeof adds === 'string' && !isOwn && isSampled(adds, level)) kept += 1;
    return kept * 2 ** level;
  }
  const units = unitsOf(plan);
  let total = typeof adds === 'number' ? Math.round(adds * units) : 0;
  for (let age = 0; item !== undefined && age <= BUCKETS; age++) total += numberOf(item[bucketName(now - age)]);
  return total / units;
}

const NOT_YET_COUNTED = '(attribute_not_exists(#x) OR #x <> :x)';
const NO_REPEAT = '(attribute_not_exists(#x) OR NOT begins_with(#x, :identity))';

/** Counts an attempt; refused if the item has counted it, or a request with the same `Idempotency-Key`. */
export function countUpdate({ adds, owner, ...plan }: PlannedCount, attempt: Attempt): UpdateParams {
  const { recentName, mark, identity, isRepeatable } = attemptWrites(attempt);
  const ttl = Math.ceil((attempt.at_ms + (plan.windowMs * (BUCKETS + 1)) / BUCKETS) / 1000) + GRACE_SECONDS;
  const bucket = bucketOf(plan, attempt.at_ms);
  const isMember = typeof adds === 'string';
  const own = owner === undefined ? '' : ', #ow = :ow';
  return {
    UpdateExpression: isMember ? `SET #x = :x, #ttl = :ttl, #n = :n${own}` : `SET #x = :x, #ttl = :ttl${own} ADD #n :n`,
    ExpressionAttributeNames: {
      '#x': recentName,
      '#ttl': 'ttl',
      '#n': isMember ? MEMBER + adds : bucketName(bucket),
      ...(owner === undefined ? {} : { '#ow': OWNER }),
    },
    ExpressionAttributeValues: {
      ':x': { S: mark },
      ':ttl': { N: `${ttl}` },
      ':n': { N: isMember ? `${bucket}` : wholeUnits(plan, adds ?? 0) },
      ...(owner === undefined ? {} : { ':ow': { S: owner } }),
      ...(isRepeatable ? { ':identity': { S: identity } } : {}),
    },
    ConditionExpression: isRepeatable ? NO_REPEAT : NOT_YET_COUNTED,
  };
}

/** Takes an attempt back, once. Different values keep what they saw. Undefined if there is nothing to take back. */
export function uncountUpdate({ adds, ...plan }: PlannedCount, attempt: Attempt): UpdateParams | undefined {
  if (typeof adds !== 'number') return undefined;
  const { recentName, mark, identity, request, isRepeatable } = attemptWrites(attempt);
  const undone = isRepeatable ? `${identity}!${request}` : `!${mark}`;
  return {
    UpdateExpression: 'SET #x = :undone ADD #n :n',
    ExpressionAttributeNames: { '#x': recentName, '#n': bucketName(bucketOf(plan, attempt.at_ms)), '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':undone': { S: undone }, ':n': { N: wholeUnits(plan, -adds) } },
    ConditionExpression: 'attribute_exists(#ttl) AND (attribute_not_exists(#x) OR #x <> :undone)',
  };
}

/** Removes what nobody reads any more, and thins a sample that has grown too large; mostly undefined. */
export function trimCounter(item: EntityItem, plan: Plan, atMs: number): UpdateParams | undefined {
  if (itemSize(item) < TRIM_BYTES) return undefined;
  const now = bucketOf(plan, atMs);
  const level = numberOf(item[LEVEL]);
  const live = new Set(Array.from({ length: BUCKETS + 2 }, (_, age) => bucketName(now + 1 - age)));
  const members = Object.entries(item).filter(([name]) => name.startsWith(MEMBER));
  const kept = members.filter(([name, at]) => isLive(numberOf(at), now - 1) && isSampled(name.slice(1), level));
  const next = kept.length > MOST_MEMBERS ? level + 1 : level;
  const isStale = ([name, at]: readonly [string, AttributeValue]): boolean =>
    name.startsWith(MEMBER)
      ? !isLive(numberOf(at), now - 1) || !isSampled(name.slice(1), next)
      : name.startsWith(BUCKET) && !live.has(name);
  const stale = Object.entries(item).filter(isStale).slice(0, MOST_TRIMMED);
  if (stale.length < 8 && next === level) return undefined;
  // A value that came back meanwhile stays: then the next attempt trims.
  const same = stale.flatMap(([name], at) => (name.startsWith(MEMBER) ? [`#${at} = :${at}`] : []));
  const values = Object.fromEntries(
    stale.flatMap(([name, value], at) => (name.startsWith(MEMBER) ? [[`:${at}`, value]] : [])),
  );
  return {
    UpdateExpression: `SET #lv = :lv ${stale.length === 0 ? '' : `REMOVE ${stale.map((_, at) => `#${at}`).join(', ')}`}`,
    ExpressionAttributeNames: {
      '#ttl': 'ttl',
      '#lv': LEVEL,
      ...Object.fromEntries(stale.map(([name], at) => [`#${at}`, name])),
    },
    ExpressionAttributeValues: { ...values, ':lv': { N: `${next}` } },
    ConditionExpression: ['attribute_exists(#ttl)', ...same].join(' AND '),
  };
}

const SHARD_SALT = 0x636e7472;
/** The same for all requests with one key, so that a repeat meets the first. */
export const shardHash = ({ repeat_key = '' }: Attempt): number => hash32(repeat_key, SHARD_SALT);
