import type { OutcomeChange, SubjectState } from '../../domain/cases/outcome';
import { ClaimTaken, type IdempotencyRecord } from '../../domain/idempotency';
import { isForced, RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { recordAnswerItem, unsealed } from '../idempotency-store';
import { auditKey, resultKey } from '../keys';
import { labelItem } from '../models/label-store';
import { keptPut, keptReader, labelMoveItems } from '../outcomes/kept-items';
import { decidedAttributes, screeningReader } from '../screening/screening-reader';
import type { Table } from '../sdk/client';
import type { TransactItem } from '../sdk/transact';
import { type Resolution, resolveCaseItems } from './case-items';
import { countedCommits } from './case-opener';
import { caseReader } from './case-store';

function resolutionOf({ record, audit }: OutcomeChange): Resolution {
  const { source, previous_decision, key_id, proven } = audit;
  return { number: record.review_count, source, previous_decision, key_id, ...(proven ? { proven } : {}) };
}

/** Outcomes that people record: review, case, label, audit entry and entity counters commit together. */
export function outcomeStore(table: Table) {
  const commit = countedCommits(table);

  function resultUpdate(accountId: string, { before, record, kept }: OutcomeChange): TransactItem {
    const { due_pk, due_sk } = decidedAttributes(accountId, record);
    const list = due_pk === undefined ? ' REMOVE due_pk, due_sk' : ', due_pk = :list, due_sk = :ulid';
    return {
      Update: {
        Key: resultKey(accountId, record.ulid),
        UpdateExpression: `SET review = :review, review_count = :count${list}`,
        // Two concurrent reviews: one commits, the other reads again and replaces it. What is kept has its own version.
        ConditionExpression: kept
          ? 'review_count = :before'
          : 'review_count = :before AND attribute_not_exists(kept_until_ms)',
        ExpressionAttributeValues: {
          ':review': record.review,
          ':count': record.review_count,
          ':before': before.record.review_count,
          ...(due_pk === undefined ? {} : { ':list': due_pk, ':ulid': due_sk }),
        },
      },
    };
  }

  /** A review that resolves no case has its own item in the audit trail; a case tells how it was resolved. */
  function auditPut(accountId: string, { record, audit }: OutcomeChange): TransactItem {
    const Item = {
      ...auditKey(accountId, record.ulid, record.review_count),
      entity: 'audit',
      ...audit,
      ttl: Math.ceil((record.screened_at_ms + RETENTION_MS) / 1000),
    };
    return { Put: { Item } };
  }

  function labelPut(accountId: string, change: OutcomeChange): TransactItem {
    const { record, label, audit, labelNumber: number, labelEndMs: endMs } = change;
    const { source, analyst_id, key_id, at: labeled_at } = audit;
    const given = { label: label.label, source, analyst_id, key_id, labeled_at };
    const item = labelItem(accountId, record, given, { number, endMs });
    return { Put: { Item: item } };
  }

  return {
    async findSubject(accountId: string, ulid: string): Promise<SubjectState | undefined> {
      const record = await screeningReader(table).find(accountId, ulid);
      if (!record) return undefined;
      const hasCase = record.automated_decision === 'review';
      const [reviewCase, kept] = await Promise.all([
        hasCase ? caseReader(table).find(accountId, ulid) : undefined,
        record.kept_until_ms === undefined ? undefined : keptReader(table).find(accountId, ulid),
      ]);
      return { record, reviewCase, ...(kept ? { kept } : {}) };
    },

    /** Whether it committed; false if the subject changed in between and must be read again. */
    async save(accountId: string, change: OutcomeChange, nowMs: number, answer?: IdempotencyRecord): Promise<boolean> {
      const { record, reviewCase, kept } = change;
      const claim = answer ? [await recordAnswerItem(unsealed, accountId, answer, nowMs)] : [];
      const outcome = await commit({ accountId, ulid: record.ulid, nowMs }, (how) => [
        ...claim,
        resultUpdate(accountId, change),
        ...(isForced(record) ? [] : [labelPut(accountId, change)]),
        ...(reviewCase
          ? resolveCaseItems(accountId, reviewCase, { resolution: resolutionOf(change), nowMs, how })
          : [auditPut(accountId, change)]),
        ...labelMoveItems(accountId, kept?.screening ?? record, change.move),
        ...(kept ? [keptPut(accountId, kept)] : []),
      ]);
      if (outcome.committed) return true;
      if (answer && outcome.failed.includes(0)) throw new ClaimTaken();
      return false;
    },
  };
}
