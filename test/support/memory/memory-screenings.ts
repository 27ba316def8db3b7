import type { ReviewCase } from '../../../shared/domain/cases/review-case';
import { kindOfKey, pseudonymOf, userOf } from '../../../shared/domain/entities/entity-ref';
import { isMissedFraud, keptSubject } from '../../../shared/domain/outcomes/kept-subject';
import type { DecisionSlice, DecisionSpan } from '../../../shared/domain/screening/subjects/decision-span';
import {
  currentDecision,
  ReferencesTaken,
  type ScreeningRecord,
} from '../../../shared/domain/screening/subjects/screening-record';
import type { ListDecisionsDeps } from '../../../shared/usecases/screening/list-decisions';
import type { ScreenSubjectDeps } from '../../../shared/usecases/screening/screen-subject';
import type { MemoryCases } from './memory-cases';
import type { EntitiesByAccount } from './memory-entities';
import type { MemoryKept } from './memory-kept';
import type { MemoryReferences } from './memory-references';

export type ScreeningsPort = ScreenSubjectDeps['screenings'];
export type DecisionsPort = ListDecisionsDeps['decisions'];

interface Parts {
  readonly cases: MemoryCases;
  readonly entities: EntitiesByAccount;
  readonly keptSubjects: MemoryKept;
  readonly references: MemoryReferences;
}

/** Screenings in memory. */
export function memoryScreenings({ cases, entities, keptSubjects, references }: Parts) {
  const records = new Map<string, ScreeningRecord>();
  const keyOf = (accountId: string, ulid: string): string => `${accountId}/${ulid}`;
  function put(accountId: string, record: ScreeningRecord): void {
    const key = keyOf(accountId, record.ulid);
    if (records.has(key)) throw new Error('A screening with this id exists already');
    const { ulid, references: names = [], kept_until_ms = 0, screened_at_ms: atMs } = record;
    const linked = { ulid, user: userOf(record) ?? record.listed_user, atMs, kept_until_ms };
    const taken = references.taken(accountId, names, linked);
    if (taken.length > 0) throw new ReferencesTaken(taken);
    records.set(key, record);
    if (kept_until_ms === 0) return;
    keptSubjects.put(accountId, keptSubject(record, kept_until_ms));
    references.link(accountId, names, linked);
  }

  return {
    /** Every screening of every account. */
    all: (): ScreeningRecord[] => [...records.values()],
    ofAccount: (accountId: string): ScreeningRecord[] =>
      [...records].filter(([key]) => key.startsWith(`${accountId}/`)).map(([, record]) => record),
    get: (accountId: string, ulid: string) => records.get(keyOf(accountId, ulid)),
    replace(accountId: string, record: ScreeningRecord): void {
      records.set(keyOf(accountId, record.ulid), record);
    },

    /** Deletes one, as the table does some time after 90 days. */
    remove: (accountId: string, ulid: string): void => void records.delete(keyOf(accountId, ulid)),

    find: async (accountId: string, ulid: string) => records.get(keyOf(accountId, ulid)),
    async insert(accountId: string, record: ScreeningRecord) {
      put(accountId, record);
      entities.of(accountId).stop(record);
    },
    async insertWithCase(accountId: string, record: ScreeningRecord, reviewCase: ReviewCase) {
      put(accountId, record);
      entities.of(accountId).stop(record);
      cases.put(accountId, reviewCase);
    },
  } satisfies ScreeningsPort & Record<string, unknown>;
}

/** Lists of these screenings, newest first. */
export function memoryDecisions(
  screenings: Pick<MemoryScreenings, 'ofAccount' | 'get'>,
  keptSubjects: Pick<MemoryKept, 'get'>,
): DecisionsPort {
  const slice = (
    accountId: string,
    { from, before }: DecisionSpan,
    limit: number,
    matches: (record: ScreeningRecord) => boolean,
  ): DecisionSlice => {
    const found = screenings
      .ofAccount(accountId)
      .filter((record) => !record.unlisted && record.ulid >= from && record.ulid < before && matches(record))
      .map(({ ulid }) => ulid)
      .sort()
      .reverse();
    const ulids = found.slice(0, limit);
    return { ulids, next: found.length > limit ? ulids.at(-1) : undefined };
  };
  const isOf = (user: string) => (record: ScreeningRecord) =>
    record.listed_user === user ||
    record.entities.some((key) => kindOfKey(key) === 'user' && pseudonymOf({ key }) === user);
  const isMissed = (accountId: string, { ulid }: ScreeningRecord): boolean => {
    const kept = keptSubjects.get(accountId, ulid);
    return kept !== undefined && isMissedFraud(kept);
  };
  return {
    ofUser: async (accountId, user, span, { limit, decision }) =>
      slice(
        accountId,
        span,
        limit,
        (record) =>
          isOf(user)(record) &&
          (decision === undefined || record.automated_decision === decision || record.review_count > 0),
      ),
    decided: async (accountId, decision, span, limit) =>
      slice(
        accountId,
        span,
        limit,
        (record) =>
          (decision === 'missed_fraud' ? isMissed(accountId, record) : currentDecision(record) === decision) &&
          (record.listed_user !== undefined || record.entities.some((key) => kindOfKey(key) === 'user')),
      ),
    findAll: async (accountId, ulids) => ulids.flatMap((ulid) => screenings.get(accountId, ulid) ?? []),
    keptOf: async (accountId, ulids) =>
      new Map(
        ulids.flatMap((ulid) => {
          const kept = keptSubjects.get(accountId, ulid);
          return kept ? [[ulid, kept]] : [];
        }),
      ),
  };
}

export type MemoryScreenings = ReturnType<typeof memoryScreenings>;
