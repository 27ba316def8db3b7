import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { memoryTable } from '../../support/memory/memory-table';
import { screened } from '../../support/webhooks/changes';

export const BORN_MS = Date.UTC(2026, 2, 1);

/** A screening of acc_1, read at an age that the test chooses. */
export async function storedScreening(change: Partial<ScreeningRecord> = {}, ageMs = 60_000) {
  const table = memoryTable();
  const record = screened(BORN_MS, change);
  await table.screenings.insert('acc_1', record);
  const deps = { clock: { now: () => BORN_MS + ageMs }, screenings: table.screenings };
  return { table, deps, record, ulid: record.ulid };
}
