import type { DeskChange, DeskEntry } from '../../../shared/domain/cases/desk-change';
import { ClaimTaken, type IdempotencyRecord } from '../../../shared/domain/idempotency';
import type { CaseTimelineDeps } from '../../../shared/usecases/cases/case-timeline';
import type { DeskDeps } from '../../../shared/usecases/cases/change-case';
import type { MemoryAnswers } from './memory-answers';
import type { MemoryCases } from './memory-cases';
import type { MemoryKept } from './memory-kept';
import type { memoryOutcomes } from './memory-outcomes';
import type { MemoryScreenings } from './memory-screenings';

export type DeskPort = DeskDeps['desk'] & CaseTimelineDeps['desk'];

interface Parts {
  readonly answers: MemoryAnswers;
  readonly cases: MemoryCases;
  readonly keptSubjects: MemoryKept;
  readonly outcomes: ReturnType<typeof memoryOutcomes>;
  readonly screenings: MemoryScreenings;
}

/** Cases as a team works on them, in memory. */
export function memoryDesk({ answers, cases, keptSubjects, outcomes, screenings }: Parts) {
  const entries = new Map<string, DeskEntry[]>();
  return {
    /** Erases what was said and done about a screening. */
    remove: (accountId: string, ulid: string): void => void entries.delete(`${accountId}/${ulid}`),
    find: cases.find,
    async save(accountId: string, { before, after, entry }: DeskChange, nowMs: number, answer?: IdempotencyRecord) {
      if (answer && !answers.isFree(accountId, answer.scope, nowMs)) throw new ClaimTaken();
      if (!cases.isAsRead(accountId, before)) return false;
      if (answer) answers.put(accountId, answer, nowMs);
      cases.put(accountId, after);
      const key = `${accountId}/${after.ulid}`;
      if (entry) entries.set(key, [...(entries.get(key) ?? []), entry]);
      return true;
    },
    history: async (accountId: string, ulid: string) => ({
      record: screenings.get(accountId, ulid),
      reviewCase: await cases.find(accountId, ulid),
      audits: outcomes.auditsOf(accountId, ulid),
      desk: entries.get(`${accountId}/${ulid}`) ?? [],
      kept: keptSubjects.get(accountId, ulid),
    }),
  } satisfies DeskPort & Record<string, unknown>;
}

export type MemoryDesk = ReturnType<typeof memoryDesk>;
