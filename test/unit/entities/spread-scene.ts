import type { Attempt, EntityHistory } from '../../../shared/domain/entities/entity-history';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { attemptRecorder } from '../../../shared/store/entities/attempt-recorder';
import { readItem } from '../../../shared/store/entities/item-reading';
import { historyOf } from '../../../shared/store/entities/read-history';
import { spreadIn, spreadReading } from '../../../shared/store/entities/spread-reading';
import { entityShard } from '../../../shared/store/keys';
import { type CallFaults, memoryEntityCalls } from '../../support/memory/memory-entity-calls';

export const ACCOUNT = 'acc_1';
export const CATEGORY = entityNames(ACCOUNT, PUBLIC_PSEUDONYMS).exact('attribute', 'shoes', 'category');
const LIMIT_MS = 60_000;

/** A payment at a time; each number is another user's. */
export const attemptAt = (atMs: number, number: number): Attempt => ({
  attempt_id: `txn_${number}`,
  at_ms: atMs,
  action: 'transaction',
  outcome: 'succeeded',
  amount: 10 + (number % 7),
  currency: 'USD',
  amount_usd: 10 + (number % 7),
  user_id: `user-${number}`,
  device: `device-${number % 1_000}`,
  country: 'DE',
});

/** One hot category, and any number of processes that screen. */
export function spreadScene(processes: number, faults: CallFaults = {}) {
  const memory = memoryEntityCalls(faults);
  const recorders = Array.from({ length: processes }, () => attemptRecorder(memory.calls));

  return {
    memory,
    /** Screens one payment in one of the processes, with all that is written alongside. */
    async screen(attempt: Attempt, process: number): Promise<EntityHistory> {
      const recorder = recorders[process % processes] as (typeof recorders)[number];
      const { history, trim } = await recorder.record(ACCOUNT, CATEGORY, attempt, LIMIT_MS);
      await trim?.(LIMIT_MS).catch(() => undefined);
      return history;
    },
    home: () => memory.item(ACCOUNT, CATEGORY.key),
    /** Everything that the home and all shards hold together. */
    sum(atMs: number): EntityHistory {
      const home = memory.item(ACCOUNT, CATEGORY.key);
      const { most = 0 } = spreadIn(home?.sp) ?? {};
      let reading = readItem(home, atMs);
      for (let shard = 0; shard < most; shard++) {
        const item = memory.item(ACCOUNT, entityShard(CATEGORY.key, shard));
        if (item) reading = spreadReading(reading, readItem(item, atMs), 1);
      }
      return historyOf('attribute', reading, atMs, undefined);
    },
  };
}
