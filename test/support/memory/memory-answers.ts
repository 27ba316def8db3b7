import { IDEMPOTENCY_WINDOW_MS, type IdempotencyRecord } from '../../../shared/domain/idempotency';

/** Answers recorded under an `Idempotency-Key`. Writers record theirs in the same step as the effect it tells of. */
export interface AnswersPort {
  find(accountId: string, scope: string, nowMs: number): Promise<IdempotencyRecord | undefined>;
  /** Whether it was recorded; false while the key has an answer. */
  record(accountId: string, record: IdempotencyRecord, nowMs: number): Promise<boolean>;
}

/** Recorded answers in memory. */
export function memoryAnswers() {
  const answers = new Map<string, { readonly record: IdempotencyRecord; readonly expiresAtMs: number }>();
  const keyOf = (accountId: string, scope: string): string => `${accountId}/${scope}`;

  const isFree = (accountId: string, scope: string, nowMs: number): boolean =>
    (answers.get(keyOf(accountId, scope))?.expiresAtMs ?? 0) <= nowMs;
  const put = (accountId: string, record: IdempotencyRecord, nowMs: number): void => {
    answers.set(keyOf(accountId, record.scope), { record, expiresAtMs: nowMs + IDEMPOTENCY_WINDOW_MS });
  };

  return {
    isFree,
    put,
    async find(accountId: string, scope: string, nowMs: number) {
      return isFree(accountId, scope, nowMs) ? undefined : answers.get(keyOf(accountId, scope))?.record;
    },
    async record(accountId: string, record: IdempotencyRecord, nowMs: number) {
      if (!isFree(accountId, record.scope, nowMs)) return false;
      put(accountId, record, nowMs);
      return true;
    },
  } satisfies AnswersPort & Record<string, unknown>;
}

export type MemoryAnswers = ReturnType<typeof memoryAnswers>;
