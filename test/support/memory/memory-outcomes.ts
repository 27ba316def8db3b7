import type { AuditEntry, OutcomeChange } from '../../../shared/domain/cases/outcome';
import { ClaimTaken, type IdempotencyRecord } from '../../../shared/domain/idempotency';
import { isForced } from '../../../shared/domain/screening/subjects/screening-record';
import type { RecordOutcomeDeps } from '../../../shared/usecases/cases/record-outcome';
import type { MemoryAnswers } from './memory-answers';
import type { MemoryCases } from './memory-cases';
import type { EntitiesByAccount } from './memory-entities';
import type { MemoryLabels } from './memory-labels';
import type { MemoryScreenings } from './memory-screenings';

export type OutcomesPort = RecordOutcomeDeps['outcomes'];

interface Parts {
  readonly answers: MemoryAnswers;
  readonly cases: MemoryCases;
  readonly entities: EntitiesByAccount;
  readonly labels: MemoryLabels;
  readonly screenings: MemoryScreenings;
}

/** Outcomes in memory: all conditions are checked before anything is written, and nothing happens in between. */
export function memoryOutcomes({ answers, cases, entities, labels, screenings }: Parts) {
  const audits: AuditEntry[] = [];
  const bySubject = new Map<string, AuditEntry[]>();
  return {
    audits,
    auditsOf: (accountId: string, ulid: string): AuditEntry[] => bySubject.get(`${accountId}/${ulid}`) ?? [],
    async findSubject(accountId: string, ulid: string) {
      const record = screenings.get(accountId, ulid);
      if (!record) return undefined;
      const hasCase = record.automated_decision === 'review';
      return { record, reviewCase: hasCase ? await cases.find(accountId, ulid) : undefined };
    },
    async save(accountId: string, change: OutcomeChange, nowMs: number, answer?: IdempotencyRecord) {
      const { before, record, reviewCase, audit, label, labelEndMs } = change;
      const stored = screenings.get(accountId, record.ulid);
      if (answer && !answers.isFree(accountId, answer.scope, nowMs)) throw new ClaimTaken();
      if (stored?.review_count !== before.record.review_count) return false;
      if (reviewCase && !cases.isOpen(accountId, reviewCase, nowMs)) return false;

      if (answer) answers.put(accountId, answer, nowMs);
      screenings.replace(accountId, { ...stored, review: record.review, review_count: record.review_count });
      audits.push(audit);
      const subject = `${accountId}/${record.ulid}`;
      bySubject.set(subject, [...(bySubject.get(subject) ?? []), audit]);
      const { source, analyst_id, key_id, at: labeled_at } = audit;
      if (!isForced(record))
        labels.put(accountId, record, { label: label.label, source, analyst_id, key_id, labeled_at }, labelEndMs);
      if (reviewCase) cases.put(accountId, reviewCase);
      for (const key of record.entities) entities.of(accountId).label(key, change, nowMs);
      return true;
    },
  } satisfies OutcomesPort & Record<string, unknown>;
}
