import { type CaseClass, classOf } from '../../domain/cases/case-tally';
import type { DeskChange } from '../../domain/cases/desk-change';
import type { AuditEntry } from '../../domain/cases/outcome';
import { CASE_LIFE_MS, type ReviewCase } from '../../domain/cases/review-case';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { caseDuePk, caseDueShard, caseKey, caseListPk, deskEntryKey, FORMER_LIST } from '../keys';
import type { Key } from '../sdk/key';
import type { TransactItem } from '../sdk/transact';
import { busyShardOf, caseShard, dayName } from './case-index';
import { type ClassSteps, countedSteps, notedSteps } from './tally-updates';

const ttlOf = ({ created_at_ms }: ReviewCase): number => Math.ceil((created_at_ms + RETENTION_MS) / 1000);

const listKey = (accountId: string, reviewCase: ReviewCase, list: CaseClass | typeof FORMER_LIST): Key => ({
  pk: caseListPk(accountId, dayName(reviewCase.created_at_ms), caseShard(reviewCase), list),
  sk: reviewCase.ulid,
});

export function toCase(item: Record<string, unknown>): ReviewCase {
  const { pk, sk, entity, account_id, ttl, due_pk, due_sk, resolution, ...rest } = item;
  return rest as unknown as ReviewCase;
}

const listPut = (accountId: string, reviewCase: ReviewCase): TransactItem => ({
  Put: {
    Item: {
      ...listKey(accountId, reviewCase, classOf(reviewCase.status)),
      entity: 'case-entry',
      ...reviewCase,
      ttl: ttlOf(reviewCase),
    },
  },
});

/** Whether a change counts itself in the tallies, or is noted separately until somebody counts it. */
export type Counting = 'counted' | 'noted';

function tallyItems(
  accountId: string,
  reviewCase: ReviewCase,
  { steps, how }: { readonly steps: ClassSteps; readonly how: Counting },
): TransactItem[] {
  const counted = { ulid: reviewCase.ulid, shard: caseShard(reviewCase) };
  return how === 'counted' ? countedSteps(accountId, counted, steps) : [notedSteps(accountId, counted, steps)];
}

/** Everything that opens a case; commit it with the screening that caused it. */
export function openCaseItems(accountId: string, opened: ReviewCase, how: Counting = 'counted'): TransactItem[] {
  const reviewCase = how === 'counted' ? opened : { ...opened, shard: busyShardOf(opened.ulid) };
  const item = {
    ...caseKey(accountId, reviewCase.ulid),
    entity: 'case',
    account_id: accountId,
    ...reviewCase,
    due_pk: caseDuePk(caseDueShard(reviewCase.ulid)),
    due_sk: new Date(reviewCase.created_at_ms + CASE_LIFE_MS).toISOString(),
    ttl: ttlOf(reviewCase),
  };
  return [
    { Put: { Item: item } },
    listPut(accountId, reviewCase),
    ...tallyItems(accountId, reviewCase, { steps: [['unresolved', 1]], how }),
  ];
}

/** Holds as long as nobody has claimed, released or commented the case since it was read. */
const IS_REVISION = '(revision = :revision OR (attribute_not_exists(revision) AND :revision = :none))';
const revisionValues = ({ revision = 0 }: ReviewCase) => ({ ':revision': revision, ':none': 0 });

/** Everything that changes hands or adds a comment; its first item fails unless the case is as it was read. */
export function deskItems(accountId: string, { before, after, entry }: DeskChange): TransactItem[] {
  const { ulid, claim, comments = 0, revision } = after;
  const update: TransactItem = {
    Update: {
      Key: caseKey(accountId, ulid),
      UpdateExpression: `SET comments = :comments, revision = :next${claim ? ', claim = :claim' : ' REMOVE claim'}`,
      ConditionExpression: `#status = :status AND ${IS_REVISION}`,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':comments': comments,
        ':next': revision,
        ':status': before.status,
        ...(claim ? { ':claim': claim } : {}),
        ...revisionValues(before),
      },
    },
  };
  const record = entry && {
    Put: { Item: { ...deskEntryKey(accountId, ulid, entry.ulid), entity: 'desk-entry', ...entry, ttl: ttlOf(after) } },
  };
  return [update, listPut(accountId, after), ...(record ? [record] : [])];
}

/** Details of a resolution that only the audit trail has. */
export interface Resolution extends Pick<AuditEntry, 'source' | 'previous_decision' | 'key_id' | 'proven'> {
  /** Which of the subject's reviews it is, from 1. */
  readonly number: number;
}

interface Resolving {
  readonly resolution: Resolution;
  readonly nowMs: number;
  readonly how?: Counting;
}

/** The audit entry of a resolution, from the case as stored; undefined if the case has none. */
export function auditOfCase(item: Record<string, unknown>): { number: number; audit: AuditEntry } | undefined {
  const resolution = item.resolution as Resolution | undefined;
  if (resolution === undefined) return undefined;
  const { number, ...given } = resolution;
  const { status, resolved_at, resolved_by, notes, reason_code } = toCase(item);
  const audit: AuditEntry = {
    ...given,
    decision: status === 'rejected' ? 'block' : 'allow',
    analyst_id: resolved_by,
    notes,
    at: resolved_at ?? '',
    ...(reason_code === undefined ? {} : { reason_code }),
  };
  return { number, audit };
}

/** Everything that resolves a case; its first item fails unless the case is open at `nowMs`. */
export function resolveCaseItems(
  accountId: string,
  resolved: ReviewCase,
  { resolution, nowMs, how = 'counted' }: Resolving,
): TransactItem[] {
  const { ulid, status, resolved_at, resolved_by, notes, reason_code, resolved_under } = resolved;
  const steps: ClassSteps = [
    ['unresolved', -1],
    [classOf(status), 1],
  ];
  // The claim of a resolved case is over; what was not given is not stored.
  const given = Object.entries({ reason_code, resolved_under, resolution }).filter(([, value]) => value !== undefined);
  return [
    {
      Update: {
        Key: caseKey(accountId, ulid),
        UpdateExpression: `SET #status = :status, resolved_at = :at, resolved_by = :by, notes = :notes${given
          .map(([name]) => `, ${name} = :${name}`)
          .join('')} REMOVE due_pk, due_sk, claim`,
        // As it was read: somebody may have claimed or commented it since, and the copy in the list is put whole.
        ConditionExpression: `#status = :open AND created_at_ms > :expired AND ${IS_REVISION}`,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':status': status,
          ':at': resolved_at,
          ':by': resolved_by,
          ':notes': notes,
          ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
          ...revisionValues(resolved),
          ':open': 'open',
          ':expired': nowMs - CASE_LIFE_MS,
        },
      },
    },
    { Delete: { Key: listKey(accountId, resolved, 'unresolved') } },
    listPut(accountId, resolved),
    ...tallyItems(accountId, resolved, { steps, how }),
  ];
}

/** Everything that removes a case from the table, its lists and its tallies; refused if it is gone already. */
export function removeCaseItems(accountId: string, reviewCase: ReviewCase): TransactItem[] {
  const caseClass = classOf(reviewCase.status);
  return [
    { Delete: { Key: caseKey(accountId, reviewCase.ulid), ConditionExpression: 'attribute_exists(pk)' } },
    ...([FORMER_LIST, caseClass] as const).map((list) => ({
      Delete: { Key: { ...listKey(accountId, reviewCase, list) } },
    })),
    ...tallyItems(accountId, reviewCase, { steps: [[caseClass, -1]], how: 'counted' }),
  ];
}
