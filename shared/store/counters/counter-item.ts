import { hash32 } from '../../domain/entities/counterpart-hashes';
import type { Attempt } from '../../domain/entities/entity-history';
import type { PlannedCount } from '../../domain/rules/compile-counters';
import { attemptWrites, undoneMark } from '../entities/attempt-writes';
import { COUNTED } from '../entities/entity-attributes';
import { entityShard } from '../keys';
import { type AttributeValue, digitsOf, type EntityItem, itemSize, type UpdateParams } from '../sdk/attribute-value';

/*
 * A counter's item for one combination of values, below 1 KB:
 *
 *   x0 … x3     marks of recent attempts, as on entities: the same attempt is never counted twice
 *   ttl         seconds; when the window has passed
 *   ow          the key of the entity whose it is: it is erased with it
 *   b<bucket>   what was counted in a sixtieth of the window
 *   v<member>   one of different values, and the last bucket that saw it
 *   lv          on a shard of more different values than it can hold: one in 2^lv is kept
 *   sp          until when shards count too (`counter-store.ts`)
 */
const BUCKETS = 60;
const BUCKET = 'b';
const { member: MEMBER, owner: OWNER } = COUNTED;
const LEVEL = 'lv';
export const SPREAD = 'sp';
const MEMBER_BITS = 30;
/** How many different values fit into an item next to everything else. */
const MOST_MEMBERS = 50;
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

const SHARDS = 16;
const SHARD_SALT = 0x636e7472;
const memberShard = (member: string): number => hash32(member, SHARD_SALT) % SHARDS;

/** The names of a counter's shards. */
export const counterShards = (entity: string): string[] =>
  Array.from({ length: SHARDS }, (_, at) => entityShard(entity, at));
/** The shard of an attempt: the same for all requests with one key, so that a repeat meets the first, or by what it adds. */
export const counterShard = ({ entity, adds }: PlannedCount, { repeat_key, attempt_id }: Attempt): string =>
  entityShard(entity, memberShard(typeof adds === 'string' ? adds : (repeat_key ?? attempt_id)));

const isLive = (bucket: number, now: number): boolean => bucket >= now - BUCKETS;

/** How many different values are in the window: each that is kept stands for as many as its shard's level says. */
function membersIn(items: ReadonlyArray<EntityItem | undefined>, now: number, adds?: PlannedCount['adds']): number {
  const levels = new Map<number, number>();
  const members = new Set<string>(typeof adds === 'string' ? [adds] : []);
  for (const item of items) {
    const level = numberOf(item?.[LEVEL]);
    for (const name in item) {
      if (!name.startsWith(MEMBER) || !isLive(numberOf(item[name]), now)) continue;
      const member = name.slice(MEMBER.length);
      members.add(member);
      if (level > 0) levels.set(memberShard(member), level);
    }
  }
  let count = 0;
  for (const member of members) {
    const level = levels.get(memberShard(member)) ?? 0;
    if (isSampled(member, level)) count += 2 ** level;
  }
  return count;
}

/** The count of a counter's items in the window that ends at a time; `adds` is counted with it if it is given. */
export function countIn(
  items: ReadonlyArray<EntityItem | undefined>,
  plan: Plan,
  atMs: number,
  adds?: PlannedCount['adds'],
): number {
  const now = bucketOf(plan, atMs);
  if (plan.count === 'distinct') return membersIn(items, now, adds);
  const units = unitsOf(plan);
  let total = typeof adds === 'number' ? Math.round(adds * units) : 0;
  for (const item of items) {
    for (let age = 0; item !== undefined && age <= BUCKETS; age++) total += numberOf(item[bucketName(now - age)]);
  }
  return Math.round((total / units) * 1e6) / 1e6;
}

/** Whether a counter has more different values than its item can hold. */
export const isFull = (item: EntityItem | undefined, plan: Plan, atMs: number): boolean =>
  plan.count === 'distinct' && membersIn([item], bucketOf(plan, atMs)) >= MOST_MEMBERS;

const NOT_YET_COUNTED = '(attribute_not_exists(#x) OR #x <> :x)';
const NO_REPEAT = '(attribute_not_exists(#x) OR NOT begins_with(#x, :identity))';
/** Different values that a spread counter has are on its shards. */
const NOT_SPREAD = '(attribute_not_exists(#sp) OR #sp <= :sp)';

/**
 * Counts an attempt; refused if the item has counted it, or a request with the same `Idempotency-Key`, or if it is spread
 * beyond `spreadMs`.
 */
export function countUpdate(
  { adds, owner, ...plan }: PlannedCount,
  attempt: Attempt,
  spreadMs?: number | undefined,
): UpdateParams {
  const { recentName, mark, identity, isRepeatable } = attemptWrites(attempt);
  const ttl = Math.ceil((attempt.at_ms + (plan.windowMs * (BUCKETS + 1)) / BUCKETS) / 1000) + GRACE_SECONDS;
  const bucket = bucketOf(plan, attempt.at_ms);
  const isMember = typeof adds === 'string';
  const own = owner === undefined ? '' : ', #ow = :ow';
  const isNew = isRepeatable ? NO_REPEAT : NOT_YET_COUNTED;
  return {
    UpdateExpression: isMember ? `SET #x = :x, #ttl = :ttl, #n = :n${own}` : `SET #x = :x, #ttl = :ttl${own} ADD #n :n`,
    ExpressionAttributeNames: {
      '#x': recentName,
      '#ttl': 'ttl',
      '#n': isMember ? MEMBER + adds : bucketName(bucket),
      ...(owner === undefined ? {} : { '#ow': OWNER }),
      ...(spreadMs === undefined ? {} : { '#sp': SPREAD }),
    },
    ExpressionAttributeValues: {
      ':x': { S: mark },
      ':ttl': { N: `${ttl}` },
      ':n': { N: isMember ? `${bucket}` : wholeUnits(plan, adds ?? 0) },
      ...(owner === undefined ? {} : { ':ow': { S: owner } }),
      ...(isRepeatable ? { ':identity': { S: identity } } : {}),
      ...(spreadMs === undefined ? {} : { ':sp': { N: `${spreadMs}` } }),
    },
    ConditionExpression: spreadMs === undefined ? isNew : `${isNew} AND ${NOT_SPREAD}`,
  };
}

/**
 * Takes an attempt back, once; if it is not certain that it was counted, only one that left its mark. Different values
 * keep what they saw. Undefined if there is nothing to take back.
 */
export function uncountUpdate(
  { adds, ...plan }: PlannedCount,
  attempt: Attempt,
  isCertain: boolean,
): UpdateParams | undefined {
  if (typeof adds !== 'number') return undefined;
  const { recentName, mark } = attemptWrites(attempt);
  return {
    UpdateExpression: 'SET #x = :undone ADD #n :n',
    ExpressionAttributeNames: {
      '#x': recentName,
      '#n': bucketName(bucketOf(plan, attempt.at_ms)),
      ...(isCertain ? { '#ttl': 'ttl' } : {}),
    },
    ExpressionAttributeValues: {
      ':undone': { S: undoneMark(attempt) },
      ':n': { N: wholeUnits(plan, -adds) },
      ...(isCertain ? {} : { ':x': { S: mark } }),
    },
    ConditionExpression: isCertain
      ? 'attribute_exists(#ttl) AND (attribute_not_exists(#x) OR #x <> :undone)'
      : '#x = :x',
  };
}

/** Removes what nobody reads any more, and thins the sample of a shard that is full; mostly undefined. */
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
