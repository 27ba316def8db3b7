import type { Attempt } from '../../domain/entities/entity-history';
import type { PlannedCount } from '../../domain/rules/compile-counters';
import { type EntityCalls, type EntityTable, entityCalls } from '../entities/entity-calls';
import { countedBy } from '../entities/record-attempt-update';
import { entityShard } from '../keys';
import { digitsOf, type EntityItem } from '../sdk/attribute-value';
import { isThrottled, within } from '../sdk/client';
import { countIn, countUpdate, SPREAD, shardHash, trimCounter, uncountUpdate } from './counter-item';

/*
 * A counter is one item, which takes 1,000 attempts per second and is exact. One that is throttled is spread over shards
 * for the length of its window; for another window, what they hold still counts:
 *
 *   throttled ──▶ attempts go to shards ── window ──▶ to the home again, plus all shards ── window ──▶ as before
 *
 * Attempts take turns at the shards, so that the first of the third shard is the third of all.
 */
const SHARDS = 16;
const SLACK_MS = 60_000;

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
  /** Until when counters are spread, as far as this process knows. */
  const spread = new Map<string, number>();
  let turn = 0;

  const shardNames = (entity: string): string[] => Array.from({ length: SHARDS }, (_, at) => entityShard(entity, at));
  const sum = (items: ReadonlyArray<EntityItem | undefined>, plan: PlannedCount, atMs: number): number =>
    items.reduce((total, item) => total + countIn(item, plan, atMs), 0);
  const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

  function learn(accountId: string, { entity }: PlannedCount, item: EntityItem | undefined): number {
    const until = Number(digitsOf(item?.[SPREAD]) ?? 0);
    if (until > 0) {
      if (spread.size > 1_000) spread.clear();
      spread.set(`${accountId}#${entity}`, until);
    }
    return until;
  }

  const trimJob = (
    accountId: string,
    { entity, ...plan }: PlannedCount,
    item: EntityItem | undefined,
    atMs: number,
  ) => {
    const params = item && trimCounter(item, plan, atMs);
    return params && ((limitMs: number) => calls.aside(accountId, { entity, params }, limitMs));
  };

  const whereCounted = (entity: string, item: EntityItem | undefined, isApplied: boolean, attempt: Attempt) =>
    isApplied ? { item: entity } : { counted_by: countedBy(item ?? {}, attempt).counted_by };

  async function onHome(accountId: string, plan: PlannedCount, attempt: Attempt): Promise<Counted> {
    const { entity, name, adds } = plan;
    const { item, isApplied } = await calls.record(accountId, { entity, params: countUpdate(plan, attempt) });
    const own = countIn(item, plan, attempt.at_ms, isApplied ? adds : undefined);
    const isSpread = learn(accountId, plan, item) > attempt.at_ms;
    const more = isSpread
      ? sum((await calls.read(accountId, shardNames(entity), false)) ?? [], plan, attempt.at_ms)
      : 0;
    const trim = trimJob(accountId, plan, item, attempt.at_ms);
    return { name, value: rounded(own + more), trim, ...whereCounted(entity, item, isApplied, attempt) };
  }

  async function onShard(accountId: string, plan: PlannedCount, attempt: Attempt): Promise<Counted> {
    const { entity, name, adds, count } = plan;
    const at = attempt.repeat_key === undefined ? turn++ % SHARDS : shardHash(attempt) % SHARDS;
    const shard = entityShard(entity, at);
    const home = calls.read(accountId, [entity], false);
    home.catch(() => undefined);
    const { item, isApplied } = await calls.record(accountId, { entity: shard, params: countUpdate(plan, attempt) });
    const own = countIn(item, plan, attempt.at_ms, isApplied ? adds : undefined);
    // Whole turns of all shards, and this one's place in the present turn.
    const all = count === 'attempts' ? (own - 1) * SHARDS + at + 1 : own * SHARDS;
    const before = sum((await home) ?? [], plan, attempt.at_ms);
    const trim = trimJob(accountId, { ...plan, entity: shard }, item, attempt.at_ms);
    return {
      name,
      value: rounded(before + Math.max(own, all)),
      trim,
      ...whereCounted(shard, item, isApplied, attempt),
    };
  }

  async function markSpread(accountId: string, plan: PlannedCount, atMs: number, limitMs: number): Promise<void> {
    const until = atMs + 2 * (plan.windowMs + SLACK_MS);
    spread.set(`${accountId}#${plan.entity}`, until);
    const params = {
      UpdateExpression: 'SET #sp = :until, #ttl = :ttl',
      ExpressionAttributeNames: { '#sp': SPREAD, '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':until': { N: `${until}` }, ':ttl': { N: `${Math.ceil(until / 1000)}` } },
      ConditionExpression: 'attribute_not_exists(#sp) OR #sp < :until',
    };
    await calls.aside(accountId, { entity: plan.entity, params }, limitMs);
  }

  async function count(accountId: string, plan: PlannedCount, attempt: Attempt): Promise<Counted> {
    const until = spread.get(`${accountId}#${plan.entity}`) ?? 0;
    if (attempt.at_ms < until - plan.windowMs - SLACK_MS) return onShard(accountId, plan, attempt);
    try {
      return await onHome(accountId, plan, attempt);
    } catch (error) {
      // A throttled call was certainly not applied, so it may be repeated elsewhere.
      if (!isThrottled(error)) throw error;
      const counted = await onShard(accountId, plan, attempt);
      return { ...counted, trim: (limitMs) => markSpread(accountId, plan, attempt.at_ms, limitMs) };
    }
  }

  async function read(accountId: string, plan: PlannedCount, atMs: number): Promise<Counted> {
    const [home] = (await calls.read(accountId, [plan.entity], true)) ?? [];
    const isSpread = learn(accountId, plan, home) > atMs;
    const shards = isSpread ? ((await calls.read(accountId, shardNames(plan.entity), false)) ?? []) : [];
    return { name: plan.name, value: rounded(sum([home, ...shards], plan, atMs)) };
  }

  return {
    count: (accountId: string, plan: PlannedCount, attempt: Attempt, limitMs: number): Promise<Counted> =>
      within(limitMs, plan.adds === undefined ? read(accountId, plan, attempt.at_ms) : count(accountId, plan, attempt)),

    async uncount(
      accountId: string,
      plan: PlannedCount,
      attempt: Attempt,
      { item, limitMs }: { readonly item: string; readonly limitMs: number },
    ): Promise<void> {
      const params = uncountUpdate(plan, attempt);
      if (params) await calls.aside(accountId, { entity: item, params }, limitMs);
    },

    /** For an experiment: counts on shards from now on, as after a throttled call. */
    spreadNow: markSpread,
  };
}
