import type { AuditEntry, OutcomeChange } from '../../../shared/domain/cases/outcome';
import { ClaimTaken, type IdempotencyRecord } from '../../../shared/domain/idempotency';
import { isForced } from '../../../shared/domain/screening/subjects/screening-record';
import type { RecordOutcomeDeps } from '../../../shared/usecases/cases/record-outcome';
import type { MemoryAnswers } from './memory-answers';
import type { MemoryCases } from './memory-cases';
import type { MemoryKept } from './memory-kept';
import type { MemoryLabels } from './memory-labels';
import type { MemoryScreenings } from './memory-screenings';

export type OutcomesPort = RecordOutcomeDeps['outcomes'];

interface Parts {
  readonly answers: MemoryAnswers;
  readonly cases: MemoryCases;
  readonly keptSubjects: MemoryKept;
  readonly labels: MemoryLabels;
  readonly screenings: MemoryScreenings;
}

/** Outcomes in memory: all conditions are checked before anything is written, and nothing happens in between. */
export function memoryOutcomes({ answers, cases, keptSubjects, labels, screenings }: Parts) {
  const audits: AuditEntry[] = [];
  const bySubject = new Map<string, AuditEntry[]>();
  return {
    audits,
    auditsOf: (accountId: string, ulid: string): AuditEntry[] => bySubject.get(`${accountId}/${ulid}`) ?? [],
    /** Erases the audit entries of a screening. */
    remove: (accountId: string, ulid: string): void => void bySubject.delete(`${accountId}/${ulid}`),
    async findSubject(accountId: string, ulid: string) {
      const record = screenings.get(accountId, ulid);
      if (!record) return undefined;
      const hasCase = record.automated_decision === 'review';
      const kept = record.kept_until_ms === undefined ? undefined : keptSubjects.get(accountId, ulid);
      const reviewCase = hasCase ? await cases.find(accountId, ulid) : undefined;
      return { record, reviewCase, ...(kept ? { kept } : {}) };
    },
    async save(accountId: string, change: OutcomeChange, nowMs: number, answer?: IdempotencyRecord) {
      const { before, record, reviewCase, audit, label, labelEndMs, labelNumber, kept } = change;
      const stored = screenings.get(accountId, record.ulid);
      if (answer && !answers.isFree(accountId, answer.scope, nowMs)) throw new ClaimTaken();
      if (stored?.review_count !== before.record.review_count) return false;
      if (kept ? !keptSubjects.isNext(accountId, kept) : stored.kept_until_ms !== undefined) return false;
      if (reviewCase && !cases.isOpen(accountId, reviewCase, nowMs)) return false;

      if (answer) answers.put(accountId, answer, nowMs);
      screenings.replace(accountId, { ...stored, review: record.review, review_count: record.review_count });
      audits.push(audit);
      const subject = `${accountId}/${record.ulid}`;
      bySubject.set(subject, [...(bySubject.get(subject) ?? []), audit]);
      const { source, analyst_id, key_id, at: labeled_at } = audit;
      const given = { label: label.label, source, analyst_id, key_id, labeled_at };
      if (!isForced(record)) labels.put(accountId, record, given, { number: labelNumber, endMs: labelEndMs });
      if (reviewCase) cases.put(accountId, reviewCase);
      if (kept) keptSubjects.put(accountId, kept);
      keptSubjects.move(accountId, change.kept?.screening ?? record, change.move, nowMs);
      return true;
    },
  } satisfies OutcomesPort & Record<string, unknown>;
}

export type MemoryOutcomes = ReturnType<typeof memoryOutcomes>;
