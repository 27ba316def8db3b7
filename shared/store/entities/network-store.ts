import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Attempt, EntityHistory } from '../../domain/entities/entity-history';
import type { EntityRef } from '../../domain/entities/entity-ref';
import type { EntityItem, UpdateParams } from '../sdk/attribute-value';
import { within } from '../sdk/client';
import { attemptRecorder } from './attempt-recorder';
import { type EntityTable, entityCalls, lowLevelKey, type WireKey } from './entity-calls';
import { readItem, SLOT } from './item-reading';
import { historyOf } from './read-history';
import { recordAttemptUpdate } from './record-attempt-update';
import { heated, homeReading, markUpdate } from './spread-reading';
import { trimUpdate } from './trim-update';

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
