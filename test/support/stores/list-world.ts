import { newUlid } from '../../../shared/runtime/ids';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { addEntries, type ManageEntriesDeps } from '../../../shared/usecases/lists/manage-entries';
import { type ListInput, type ManageListsDeps, putList } from '../../../shared/usecases/lists/manage-lists';
import type { SweepListsDeps } from '../../../shared/usecases/lists/sweep-lists';
import { memoryTable } from '../memory/memory-table';

export const NOW_MS = Date.UTC(2026, 10, 16, 12);
export const CALLER = { account_id: 'acc_1', key_id: 'key_1' };

/** Lists in memory, with a clock that a test sets. */
export function listWorld() {
  const table = memoryTable();
  const time = { nowMs: NOW_MS };
  const deps = {
    clock: { now: () => time.nowMs },
    newUlid,
    pseudonyms: () => PUBLIC_PSEUDONYMS,
    lists: table.lists,
    entries: table.listEntries,
    shards: table.listShards,
  } satisfies ManageListsDeps & ManageEntriesDeps & SweepListsDeps;
  return {
    table,
    time,
    deps,
    put: (name: string, input: Partial<ListInput> = {}) =>
      putList(deps, CALLER, name, { type: 'user_id', effect: 'block', ...input }),
    add: (name: string, ...values: string[]) =>
      addEntries(deps, CALLER, name, { entries: values.map((value) => ({ value })) }),
  };
}
