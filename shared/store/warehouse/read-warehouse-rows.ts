import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { StoredOutcome } from '../../domain/outcomes/outside-outcome';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { caseRow, decisionRow, outcomeRow, reviewRow } from '../../domain/warehouse/warehouse-rows';
import type { WarehouseRow } from '../../domain/warehouse/warehouse-tables';
import { toCase } from '../cases/case-items';
import { accountOfPk } from '../keys';
import { toScreening } from '../screening/screening-reader';
import type { ChangeRecord } from '../sdk/change-record';

const itemOf = (image: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> | undefined =>
  image && unmarshall(image as Record<string, AttributeValue>);

/** Lambda hands bytes over as base64; the SDK does not. */
const bytesOf = (value: Uint8Array | string): Uint8Array =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : value;

const withBytes = (record: ScreeningRecord): ScreeningRecord => ({
  ...record,
  vector: bytesOf(record.vector),
  ...(record.observed === undefined ? {} : { observed: bytesOf(record.observed) }),
});

const amountOf = ({ amount }: Record<string, unknown>): number | undefined =>
  amount === undefined ? undefined : Number(amount);

/** The rows of a change record. The same change always gives the same `event_id`, and may be relayed twice. */
export function readWarehouseRows({ eventName, dynamodb }: ChangeRecord): WarehouseRow[] {
  const now = itemOf(dynamodb?.NewImage);
  if (!now || eventName === 'REMOVE') return [];
  const before = itemOf(dynamodb?.OldImage);
  const account = (now.account_id as string | undefined) ?? accountOfPk(now.pk as string);
  switch (now.entity) {
    case 'screening': {
      if (before === undefined) return [decisionRow(account, withBytes(toScreening(now)))];
      return now.review_count === before.review_count ? [] : reviewRow(account, toScreening(now));
    }
    case 'case':
      return before?.status === now.status ? [] : [caseRow(account, toCase(now))];
    case 'outcome':
      // Its amount is stored as text.
      return outcomeRow(account, { ...(now as unknown as StoredOutcome), amount: amountOf(now) });
    default:
      return [];
  }
}
