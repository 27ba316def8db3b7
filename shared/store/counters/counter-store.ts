import type { Attempt } from '../../domain/entities/entity-history';
import type { PlannedCount } from '../../domain/rules/compile-counters';
import { type EntityCalls, type EntityTable, entityCalls } from '../entities/entity-calls';
import { countedBy } from '../entities/record-attempt-update';
import { digitsOf, type EntityItem } from '../sdk/attribute-value';
import { isThrottled, within } from '../sdk/client';
import {
  counterShard,
  counterShards,
  countIn,
  countUpdate,
  isFull,
  SPREAD,
  trimCounter,
  uncountUpdate,
} from './counter-item';

/*
 * A counter is one item, its home, which takes 1,000 attempts per second and is exact. It is spread over shards if it is
 * throttled, or if it has more different values than fit into one write unit; for another window, what shards hold counts:
 *
 *   throttled or full ──▶ shards count too ── window ──▶ home alone, plus what shards hold ── window ──▶ as before
 *
 * Attempts and sums still go to the home whenever it takes them, and are exact then. Each of different values goes to the
 * shard of its hash, so that its item has one entry for it, and the union of all items is what was seen.
 */
const SLACK_MS = 60_000;
/** How long a process spares a home that was throttled. */
const SPARE_MS = 1_000;

/** The value of a counter, including this attempt if it counts. */
export interface Counted {
  readonly name: string;
  readonly value: number;
  /** Where this attempt was counted; undefined if it was not, or another request with the same key was. */
  readonly item?: string | undefined;
  /** The mark of that other request. */
  readonly counted_by?: string | undefined;
  /** A write that can wait until there is time, if any. */
  readonly trim?: ((limitMs: number) => Promise<void>) | undefined;
}

type Calls = Pick<EntityCalls, 'record' | 'aside' | 'read'>;

/** Counters of accounts: each attempt is one `UpdateItem` that returns the previous state. */
export function counterStore(table: EntityTable, calls: Calls = entityCalls(table)) {
  /** Until when shards of counters hold something, and homes are to be spared, as far as this process knows. */
  const spread = new Map<string, number>();
  const spared = new Map<string, number>();

  const nameOf = (accountId: string, { entity }: PlannedCount): string => `${accountId}#${entity}`;
  const remember = (in_: Map<string, number>, name: string, untilMs: number): void => {
    if (in_.size > 1_000) in_.clear();
    in_.set(name, untilMs);
  };

  function learn(accountId: string, plan: PlannedCount, item: EntityItem | undefined): number {
    const until = Number(digitsOf(item?.[SPREAD]) ?? 0);
    if (until > 0) remember(spread, nameOf(accountId, plan), until);
    return until;
  }

  async function others(
    accountId: string,
    entities: readonly string[],
  ): Promise<ReadonlyArray<EntityItem | undefined>> {
    // Not as what it is: only a count that was throttled may be repeated.
    const items = await calls.read(accountId, entities, false).catch(() => undefined);
    if (items === undefined) throw new Error('A part of a counter could not be read');
    return items;
  }

  async function markSpread(accountId: string, plan: PlannedCount, atMs: number, limitMs: number): Promise<void> {
    const until = atMs + 2 * (plan.windowMs + SLACK_MS);
    remember(spread, nameOf(accountId, plan), until);
    const params = {
      UpdateExpression: 'SET #sp = :until, #ttl = :ttl',
      ExpressionAttributeNames: { '#sp': SPREAD, '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':until': { N: `${until}` }, ':ttl': { N: `${Math.ceil(until / 1000)}` } },
      ConditionExpression: 'attribute_not_exists(#sp) OR #sp < :until',
    };
    await calls.aside(accountId, { entity: plan.entity, params }, limitMs);
  }

  /** Keeps an item within a write unit, once there is time. */
  const trimJob = (
    accountId: string,
    plan: PlannedCount,
    item: EntityItem | undefined,
    { atMs, isShard }: { readonly atMs: number; readonly isShard: boolean },
  ) => {
    if (!isShard && isFull(item, plan, atMs)) return (limitMs: number) => markSpread(accountId, plan, atMs, limitMs);
    const params = item && trimCounter(item, plan, atMs);
    return params && ((limitMs: number) => calls.aside(accountId, { entity: plan.entity, params }, limitMs));
  };

  const isSpreadAt = (accountId: string, plan: PlannedCount, atMs: number): boolean =>
    (spread.get(nameOf(accountId, plan)) ?? 0) > atMs;
  const isFullAt = (plan: PlannedCount, until: number, atMs: number): boolean =>
    plan.count === 'distinct' && atMs < until - plan.windowMs - SLACK_MS;

  /** Counts on one of a counter's items, and adds up all of them. */
  async function countOn(accountId: string, plan: PlannedCount, attempt: Attempt, entity: string): Promise<Counted> {
    const atMs = attempt.at_ms;
    const isShard = entity !== plan.entity;
    const readRest = () =>
      others(
        accountId,
        [plan.entity, ...counterShards(plan.entity)].filter((each) => each !== entity),
      );
    const early = isShard || isSpreadAt(accountId, plan, atMs) ? readRest() : undefined;
    early?.catch(() => undefined);
    // A full home refuses further values.
    const spreadMs = isShard || plan.count !== 'distinct' ? undefined : atMs + plan.windowMs + SLACK_MS;
    const params = countUpdate(plan, attempt, spreadMs);
    const { item, isApplied } = await calls.record(accountId, { entity, params });
    const until = isShard ? 0 : learn(accountId, plan, item);
    if (isFullAt(plan, until, atMs)) return countOn(accountId, plan, attempt, counterShard(plan, attempt));
    const besides = await (early ?? (until > atMs ? readRest() : []));
    return {
      name: plan.name,
      value: countIn([item, ...besides], plan, atMs, isApplied ? plan.adds : undefined),
      trim: trimJob(accountId, { ...plan, entity }, item, { atMs, isShard }),
      ...(isApplied ? { item: entity } : { counted_by: countedBy(item ?? {}, attempt).counted_by }),
    };
  }

  async function count(accountId: string, plan: PlannedCount, attempt: Attempt): Promise<Counted> {
    const name = nameOf(accountId, plan);
    const isSpared = plan.count !== 'distinct' && attempt.at_ms < (spared.get(name) ?? 0);
    const onShard = () => countOn(accountId, plan, attempt, counterShard(plan, attempt));
    if (isSpared || isFullAt(plan, spread.get(name) ?? 0, attempt.at_ms)) return onShard();
    try {
      return await countOn(accountId, plan, attempt, plan.entity);
    } catch (error) {
      // A throttled call was certainly not applied, so it may be repeated elsewhere.
      if (!isThrottled(error)) throw error;
      remember(spared, name, attempt.at_ms + SPARE_MS);
      const counted = await onShard();
      return { ...counted, trim: (limitMs) => markSpread(accountId, plan, attempt.at_ms, limitMs) };
    }
  }

  async function read(accountId: string, plan: PlannedCount, atMs: number): Promise<Counted> {
    const [home] = (await calls.read(accountId, [plan.entity], true)) ?? [];
    const shards = learn(accountId, plan, home) > atMs ? await others(accountId, counterShards(plan.entity)) : [];
    return { name: plan.name, value: countIn([home, ...shards], plan, atMs) };
  }

  return {
    read,

    count: (accountId: string, plan: PlannedCount, attempt: Attempt, limitMs: number): Promise<Counted> =>
      within(limitMs, plan.adds === undefined ? read(accountId, plan, attempt.at_ms) : count(accountId, plan, attempt)),

    /** Takes an attempt back from where it was counted; if no response said where, from wherever it left its mark. */
    async uncount(
      accountId: string,
      plan: PlannedCount,
      attempt: Attempt,
      { item, limitMs }: { readonly item?: string | undefined; readonly limitMs: number },
    ): Promise<void> {
      const params = uncountUpdate(plan, attempt, item !== undefined);
      if (params === undefined) return;
      const shard = isSpreadAt(accountId, plan, attempt.at_ms) ? [counterShard(plan, attempt)] : [];
      const where = item === undefined ? [plan.entity, ...shard] : [item];
      await Promise.all(where.map((entity) => calls.aside(accountId, { entity, params }, limitMs)));
    },

    /** For an experiment: counts on shards from now on, as after a throttled call. */
    spreadNow: markSpread,
  };
}
