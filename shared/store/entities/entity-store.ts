import { BatchGetItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { EarnedAttempt } from '../../domain/entities/earning';
import {
  type Attempt,
  type EntityHistory,
  type EntityKind,
  type EntityProfile,
  EVENT_ACTIONS,
} from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import { KIND } from '../../domain/entities/kind-spec';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { type EntityItem, membersOf, type UpdateParams } from '../sdk/attribute-value';
import { reach, within } from '../sdk/client';
import { attemptRecorder } from './attempt-recorder';
import { earnUpdate, recentDevice, trustUpdate, type Unconditional } from './earn-update';
import { DEVICE_SLOTS, EVENT_GROUPS, ownEventsFrom } from './entity-attributes';
import { type EntityTable, entityCalls, lowLevelKey, type WireKey } from './entity-calls';
import { stoppedElsewhereUpdate, unearnUpdate } from './familiarity-update';
import { type ItemReading, readItem, SET_SLOT, SLOT } from './item-reading';
import { isOnlyListed } from './list-flags';
import { unpackQuarters } from './log-amounts';
import { historyOf } from './read-history';
import { recordAttemptUpdate, removeAttemptUpdate } from './record-attempt-update';
import { heated, homeReading, markUpdate } from './spread-reading';
import { trimUpdate } from './trim-update';

function readEvents({ values }: ItemReading): EntityProfile['events'] {
  const counts = EVENT_GROUPS.flatMap((_, group) => unpackQuarters(values[SLOT.events + group]));
  const seen = EVENT_ACTIONS.flatMap((action, at) => (counts[at] ? [[action, counts[at]] as const] : []));
  return { total: seen.reduce((sum, [, count]) => sum + count, 0), by_type: Object.fromEntries(seen) };
}

function readCountries({ values }: ItemReading): readonly string[] {
  const slot = SET_SLOT.countries;
  return [...new Set([...membersOf(values[slot]), ...membersOf(values[slot + 1])])].sort();
}

function readDevices({ values }: ItemReading): EntityProfile['recent_devices'] {
  return DEVICE_SLOTS.flatMap((_, at) => recentDevice(values[SLOT.devices + at]) ?? []).sort(
    (a, b) => b.last_seen_ms - a.last_seen_ms,
  );
}

function readOwnEvents(item: EntityItem): ReadonlyMap<number, number> | undefined {
  const counts = new Map<number, number>();
  for (const [name, value] of Object.entries(item)) {
    const from = ownEventsFrom(name);
    if (from !== undefined)
      for (const [at, count] of unpackQuarters(value).entries()) if (count) counts.set(from + at, count);
  }
  return counts.size === 0 ? undefined : counts;
}

export function readProfile(kind: EntityKind, item: EntityItem, atMs: number): EntityProfile {
  const reading = readItem(item, atMs);
  return {
    ...historyOf(kind, reading, atMs, undefined),
    events: readEvents(reading),
    own_events: KIND[kind].person ? readOwnEvents(item) : undefined,
    countries: readCountries(reading),
    recent_devices: KIND[kind].person ? readDevices(reading) : [],
  };
}

/** For functions that record nothing: what records is a tenth of their code. */
export const profileReader = ({ onceClient, name }: EntityTable) => ({
  /** An entity's profile as of now, in one read; undefined if it was never seen. */
  async profile(
    accountId: string,
    kind: EntityKind,
    entity: string,
    nowMs: number,
  ): Promise<EntityProfile | undefined> {
    const command = new GetItemCommand({
      TableName: name,
      Key: lowLevelKey(accountId, entity),
      ConsistentRead: true,
    });
    const { Item: item } = await reach(() => onceClient.send(command));
    return item && !isOnlyListed(item as EntityItem) ? readProfile(kind, item as EntityItem, nowMs) : undefined;
  },
});

/** Histories of entities: each attempt is one `UpdateItem ADD` that returns the previous state. */
export function entityStore(table: EntityTable, recorder = attemptRecorder(entityCalls(table))) {
  const calls = entityCalls(table);
  const aside = (
    accountId: string,
    { key: entity }: EntityRef,
    params: UpdateParams | Unconditional,
    limitMs: number,
  ) => calls.aside(accountId, { entity, params }, limitMs);

  return {
    ...profileReader(table),
    recordAttempt: recorder.record,

    /** Takes an attempt back by adding its negated weights; doing it twice has the same effect as once. */
    async removeAttempt(
      accountId: string,
      ref: EntityRef,
      attempt: Attempt,
      { isCertain, limitMs }: { readonly isCertain: boolean; readonly limitMs: number },
    ): Promise<void> {
      const params = removeAttemptUpdate(ref.kind, attempt, isCertain);
      await within(limitMs, calls.record(accountId, { entity: recorder.itemOf(accountId, ref, attempt), params }));
    },

    async earn(accountId: string, ref: EntityRef, earned: EarnedAttempt, limitMs: number): Promise<void> {
      const params = earnUpdate(earned);
      if (params) await aside(accountId, ref, params, limitMs);
    },

    /** Takes that back: the attempt's result was never stored. */
    async unearn(accountId: string, ref: EntityRef, record: ScreeningRecord, limitMs: number): Promise<void> {
      const params = unearnUpdate(record);
      if (params) await aside(accountId, ref, params, limitMs);
    },

    trust: (accountId: string, ref: EntityRef, atMs: number, limitMs: number): Promise<void> =>
      aside(accountId, ref, trustUpdate(atMs), limitMs),

    async countStopped(accountId: string, ref: EntityRef, attempt: Attempt, limitMs: number): Promise<void> {
      const entity = recorder.itemOf(accountId, ref, attempt);
      await calls.aside(accountId, { entity, params: stoppedElsewhereUpdate(ref.kind, attempt) }, limitMs);
    },
  };
}

interface NetworkReading {
  readonly ref: EntityRef;
  readonly history: EntityHistory;
  record(limitMs: number): Promise<void>;
}

/**
 * Histories of networks. Unlike other entities they are read before they are written, because most attempts are not
 * counted on them: one read for all networks of an attempt, half a read unit each, and an update only where it counts.
 * One that is spread over shards is read from what this process knows of it, for up to 12 seconds.
 */
export function networkStore(table: EntityTable, recorder = attemptRecorder(entityCalls(table))) {
  const { onceClient, name } = table;
  const calls = entityCalls(table);

  function readingOf(
    accountId: string,
    ref: EntityRef,
    attempt: Attempt,
    item: EntityItem | undefined,
  ): NetworkReading {
    const reading = readItem(item, attempt.at_ms);
    const history = historyOf(ref.kind, homeReading(reading, attempt.at_ms), attempt, undefined);
    const aside = (params: UpdateParams | undefined, limitMs: number) =>
      params && calls.aside(accountId, { entity: ref.key, params }, limitMs);
    const record = async (limitMs: number): Promise<void> => {
      // One that is spread is recorded as other entities are, which also folds its shards.
      if (reading.values[SLOT.spread] !== undefined) {
        const { trim } = await recorder.record(accountId, ref, attempt, limitMs);
        await trim?.(limitMs);
        return;
      }
      const trim = item && trimUpdate(ref.kind, item, attempt, reading);
      const hot = heated(reading, attempt.at_ms, undefined);
      const mark = hot && markUpdate(undefined, hot);
      const counting = aside(recordAttemptUpdate(ref.kind, attempt), limitMs);
      await Promise.all([counting, aside(trim, limitMs), aside(mark, limitMs)]);
    };
    return { ref, history, record };
  }

  return {
    /** The networks' histories before the attempt; one that the table did not return in time is left out. */
    async read(
      accountId: string,
      refs: readonly EntityRef[],
      attempt: Attempt,
      limitMs: number,
    ): Promise<readonly NetworkReading[]> {
      const homes = new Map(refs.map((ref) => [ref, recorder.known(accountId, ref, attempt)?.home]));
      const unknown = refs.filter((ref) => homes.get(ref) === undefined);
      if (unknown.length > 0) {
        const Keys = unknown.map(({ key }) => lowLevelKey(accountId, key));
        // Eventually consistent: half the price, and what happened in the last milliseconds may wait.
        const command = new BatchGetItemCommand({ RequestItems: { [name]: { Keys, ConsistentRead: false } } });
        const { Responses, UnprocessedKeys } = await within(limitMs, onceClient.send(command));
        const items = (Responses?.[name] ?? []) as unknown as readonly EntityItem[];
        const left = (UnprocessedKeys?.[name]?.Keys ?? []) as unknown as readonly WireKey[];
        for (const [at, ref] of unknown.entries()) {
          const { pk } = Keys[at] as WireKey;
          const item = items.find((each) => each.pk !== undefined && 'S' in each.pk && each.pk.S === pk.S);
          homes.set(ref, item);
          if (item) recorder.remember(accountId, ref, item, attempt);
          if (left.some((each) => each.pk.S === pk.S)) homes.delete(ref);
        }
      }
      return [...homes].map(([ref, item]) => readingOf(accountId, ref, attempt, item));
    },
  };
}
