import { type Caller, DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { newUlid } from '../../../shared/runtime/ids';
import { memoryTable } from '../memory/memory-table';
import { openCase, screened } from '../webhooks/changes';

const BORN_MS = Date.UTC(2026, 2, 1);
const settings = { ...DEFAULT_SETTINGS, reason_codes: ['card_testing', 'stolen_card'] };

/** A key of nobody in particular. */
export const nobody: Caller = { account_id: 'acc_1', key_id: 'key_0', settings };

/** Somebody's own key. */
export const personal = (person: string): Caller => ({ ...nobody, key_id: `key_${person}`, role: 'analyst', person });

/** Cases under review in memory, a minute after they were opened, with a clock that the test moves. */
export async function deskInMemory(count = 1) {
  const table = memoryTable();
  let nowMs = BORN_MS + 60_000;
  const ulids: string[] = [];
  for (let i = 0; i < count; i++) {
    const record = screened(BORN_MS + i, { automated_decision: 'review', entities: ['user#1'] });
    await table.screenings.insertWithCase('acc_1', record, openCase(BORN_MS + i, { ulid: record.ulid }));
    ulids.push(record.ulid);
  }
  const log = { info: () => undefined, error: () => undefined };
  const deps = { clock: { now: () => nowMs }, newUlid, desk: table.desk, outcomes: table.outcomes, log };
  return {
    ...{ table, deps },
    ids: ulids.map((ulid) => `case_${ulid}`),
    id: `case_${ulids[0]}`,
    found: (at = 0) => table.cases.find('acc_1', ulids[at] ?? ''),
    now: () => nowMs,
    pass: (ms: number): void => {
      nowMs += ms;
    },
  };
}
