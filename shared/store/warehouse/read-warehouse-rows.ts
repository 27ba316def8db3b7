import type { StoredOutcome } from '../../domain/outcomes/outside-outcome';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { caseRow, decisionRow, outcomeRow, type PersonOf, reviewRow } from '../../domain/warehouse/warehouse-rows';
import type { WarehouseRow } from '../../domain/warehouse/warehouse-tables';
import { toCase } from '../cases/case-items';
import { type ChangeRecord, itemsOf } from '../change-record';
import { toScreening } from '../screening/screening-reader';

/** Lambda hands bytes over as base64; the SDK does not. */
const bytesOf = (value: Uint8Array | string): Uint8Array =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : value;

const withBytes = (record: ScreeningRecord): ScreeningRecord => ({
  ...record,
  vector: bytesOf(record.vector),
  ...(record.observed === undefined ? {} : { observed: bytesOf(record.observed) }),
});

export interface WarehouseRowsDeps {
  readonly screenings: { find(accountId: string, ulid: string): Promise<ScreeningRecord | undefined> };
  readonly person: PersonOf;
}

/** The rows of a change record. The same change always gives the same `event_id`, and may be relayed twice. */
export async function readWarehouseRows(
  { screenings, person }: WarehouseRowsDeps,
  change: ChangeRecord,
): Promise<WarehouseRow[]> {
  const items = itemsOf(change);
  if (!items) return [];
  const { now, before, account_id: account } = items;
  /** Cases and outcomes do not say whose they are. One whose screening is gone leads to nobody. */
  const withPerson = async ({ table, values }: WarehouseRow): Promise<WarehouseRow> => {
    const record = await screenings.find(account, String(values.decision_id).slice('dec_'.length));
    return { table, values: { ...values, ...(record && person(record)) } };
  };
  switch (now.entity) {
    case 'screening': {
      if (before === undefined) return [decisionRow(account, withBytes(toScreening(now)), person)];
      return now.review_count === before.review_count ? [] : reviewRow(account, toScreening(now), person);
    }
    case 'case':
      return before?.status === now.status ? [] : [await withPerson(caseRow(account, toCase(now)))];
    case 'outcome': {
      // Its amount is stored as text.
      const amount = now.amount === undefined ? undefined : Number(now.amount);
      const rows = outcomeRow(account, { ...(now as unknown as StoredOutcome), amount });
      return Promise.all(rows.map(withPerson));
    }
    default:
      return [];
  }
}
