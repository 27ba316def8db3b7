import { kindOfKey, pseudonymOf } from '../../domain/entities/entity-ref';
import { decisionInForce, type ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { decidedPk, decidedShard, historyPk } from '../keys';

/** What the history index holds besides keys: enough to pick decisions and to draw links without reading the results. */
export const HISTORY_PROJECTION = ['automated_decision', 'review_count', 'entities'] as const;

const monthOf = (record: ScreeningRecord): string => new Date(record.screened_at_ms).toISOString().slice(0, 7);

/** The pseudonym of the user of a screening. */
export const userOf = ({ entities }: Pick<ScreeningRecord, 'entities'>): string | undefined => {
  const key = entities.find((each) => kindOfKey(each) === 'user');
  return key === undefined ? undefined : pseudonymOf({ key });
};

/**
 * Decisions that have a list of their own. Allowed ones are only found by user; those under review are in the lists of
 * cases, which exist anyway.
 */
const isListed = (decision: string): boolean => decision !== 'allow' && decision !== 'review';

/** The position of a screening in the list of its decision, as attributes; empty if it is in none. */
export function decidedAttributes(accountId: string, record: ScreeningRecord): { due_pk?: string; due_sk?: string } {
  const decision = decisionInForce(record);
  if (record.unlisted || !isListed(decision)) return {};
  const { ulid } = record;
  return { due_pk: decidedPk(accountId, decision, monthOf(record), decidedShard(ulid)), due_sk: ulid };
}

/** Everything that puts a screening into lists; nothing for an account that keeps no history. */
export function listingAttributes(accountId: string, record: ScreeningRecord): Record<string, string> {
  const user = userOf(record) ?? record.listed_user;
  if (record.unlisted || user === undefined) return {};
  return { history_pk: historyPk(accountId, user), ...decidedAttributes(accountId, record) };
}
