import type { ReviewCase } from '../../../domain/cases/review-case';
import { kindOfKey, pseudonymOf } from '../../../domain/entities/entity-ref';
import type { ScreeningRecord } from '../../../domain/screening/subjects/screening-record';
import type { Effect } from './effect';

/** Results of screenings. */
export interface ResultPorts {
  readonly screenings: {
    find(accountId: string, ulid: string, limitMs?: number): Promise<ScreeningRecord | undefined>;
    /** Stores a screening; with it, of one that was stopped, what the user's history remembers. */
    insert(accountId: string, record: ScreeningRecord, limitMs: number): Promise<void>;
    insertWithCase(accountId: string, record: ScreeningRecord, reviewCase: ReviewCase, limitMs: number): Promise<void>;
  };
}

/** The result, with the case of one that is held for review. */
export const resultEffect: Effect<ResultPorts> = {
  name: 'result',
  mayBeLost: false,
  write({ screenings }, { prepared: { caller }, record }, limitMs) {
    return record.automated_decision === 'review'
      ? [screenings.insertWithCase(caller.account_id, record, openCase(record), limitMs)]
      : [screenings.insert(caller.account_id, record, limitMs)];
  },
  standIn: {
    screenings: { find: async () => undefined, insert: async () => undefined, insertWithCase: async () => undefined },
  },
};

/** Tells devices of one account apart, and nothing else about them. */
function deviceOf({ entities }: ScreeningRecord): { readonly device?: string } {
  const key = entities.find((each) => kindOfKey(each) === 'device');
  return key === undefined ? {} : { device: pseudonymOf({ key }) };
}

/** The case of a screening that is held for review. */
export const openCase = (record: ScreeningRecord): ReviewCase => ({
  ulid: record.ulid,
  subject_type: record.subject_type,
  user_id: record.user_id,
  ...(record.amount === undefined || record.currency === undefined
    ? {}
    : { amount: String(record.amount), currency: record.currency }),
  ...(record.event_type === undefined ? {} : { event_type: record.event_type }),
  ...deviceOf(record),
  ...(record.trace === undefined ? {} : { trace: record.trace }),
  status: 'open',
  risk_score: record.risk_score,
  signals: record.contributions.filter(({ points }) => points > 0).map(({ signal }) => signal),
  created_at_ms: record.screened_at_ms,
  resolved_at: null,
  resolved_by: null,
  notes: null,
});
