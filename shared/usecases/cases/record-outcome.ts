import type { Caller } from '../../domain/accounts/account';
import { actorOf } from '../../domain/accounts/account';
import { type OutcomeChange, outcomeChange, type SubjectState } from '../../domain/cases/outcome';
import { caseStatusAt, type ReviewCase, refuseIfHeld } from '../../domain/cases/review-case';
import { DomainError, invalidRequest, notFound, unavailable } from '../../domain/errors';
import type { IdempotencyRecord } from '../../domain/idempotency';
import {
  isDecisionOf,
  isRetained,
  type Review,
  type ScreeningRecord,
} from '../../domain/screening/subjects/screening-record';
import { ulidOf } from '../../domain/screening/subjects/subject-id';

/** Dependencies of recording a person's outcome. */
export interface RecordOutcomeDeps {
  readonly clock: { now(): number };
  readonly outcomes: {
    findSubject(accountId: string, ulid: string): Promise<SubjectState | undefined>;
    save(accountId: string, change: OutcomeChange, nowMs: number, answer?: IdempotencyRecord): Promise<boolean>;
  };
}

/** An outcome as a person states it. */
export interface StatedOutcome {
  readonly decision: Review['decision'];
  readonly analyst_id?: string | undefined;
  readonly notes?: string | undefined;
  readonly reason_code?: string | undefined;
}

/** A resolution as a person states it. */
export interface StatedResolution extends StatedOutcome {
  /** Whether to resolve it although somebody else works on it. @default false */
  readonly force?: boolean | undefined;
  /** The request that resolves it along with others: one that it resolved already counts as done, not as a conflict. */
  readonly scope?: string | undefined;
}

/** A review as a person states it; with an `Idempotency-Key`, the record of its response commits with it. */
export interface StatedReview extends StatedOutcome {
  readonly recordOf?: ((reviewed: ScreeningRecord) => IdempotencyRecord) | undefined;
}

// Rivals are people, and an integration that sends the same review many times at once.
const MAX_ROUNDS = 8;

/** The status of a case after a decision to the contrary. */
const CONTRARY = { allow: 'rejected', block: 'approved' } as const satisfies Record<Review['decision'], string>;

/**
 * Overrides a decision. Review, case, label, audit entry and entity counters change together or not at all. Anyone who meant
 * to resolve an open case, and finds it resolved otherwise, has to say so again: else the decision and its case would
 * disagree without anybody's knowing.
 */
export async function reviewDecision(
  deps: RecordOutcomeDeps,
  caller: Caller,
  id: string,
  { recordOf, ...stated }: StatedReview,
): Promise<ScreeningRecord> {
  const ulid = ulidOf(id, 'dec', 'txn', 'evt');
  if (!ulid) throw notFound('decision');
  checkReason(caller, stated);
  let wasOpen = false;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const nowMs = deps.clock.now();
    const state = await deps.outcomes.findSubject(caller.account_id, ulid);
    if (!state || !isDecisionOf(state.record, id) || !isRetained(state.record, nowMs)) throw notFound('decision');
    const status = state.reviewCase && caseStatusAt(state.reviewCase, nowMs);
    if (wasOpen && status === CONTRARY[stated.decision]) {
      const message = `The case was ${status} while this review was being recorded. Send the review again to overrule that.`;
      throw new DomainError('case_not_open', message);
    }
    wasOpen ||= status === 'open';
    const origin = { source: 'decision_review', ...originOf(caller) } as const;
    const change = outcomeChange(state, reviewOf(stated, nowMs), origin, nowMs);
    if (await deps.outcomes.save(caller.account_id, change, nowMs, recordOf?.(change.record))) return change.record;
  }
  throw unavailable(new Error(`The subject changed ${MAX_ROUNDS} times while its review was being recorded`));
}

const originOf = ({ key_id, settings, person }: Caller) => ({
  keyId: key_id,
  settings,
  isProven: person !== undefined,
});

const reviewOf = ({ decision, analyst_id, notes, reason_code }: StatedOutcome, nowMs: number): Review => ({
  decision,
  analyst_id: analyst_id ?? null,
  notes: notes ?? null,
  reviewed_at: new Date(nowMs).toISOString(),
  ...(reason_code === undefined ? {} : { reason_code }),
});

function checkReason({ settings: { reason_codes: known = [] } }: Caller, { reason_code }: StatedOutcome): void {
  if (reason_code === undefined || known.includes(reason_code)) return;
  const message = known.length > 0 ? `must be one of ${known.join(', ')}` : 'this account has no reason codes';
  throw invalidRequest([{ field: 'reason_code', message }]);
}

/** Resolves an open case; of several concurrent requests exactly one wins; the others learn what the case became. */
export async function resolveCase(
  deps: RecordOutcomeDeps,
  caller: Caller,
  id: string,
  { force = false, scope, ...stated }: StatedResolution,
): Promise<ReviewCase> {
  const ulid = ulidOf(id, 'case');
  if (!ulid) throw notFound('case');
  checkReason(caller, stated);
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const nowMs = deps.clock.now();
    const state = await deps.outcomes.findSubject(caller.account_id, ulid);
    if (!state?.reviewCase || !isRetained(state.record, nowMs)) throw notFound('case');
    const status = caseStatusAt(state.reviewCase, nowMs);
    if (status !== 'open' && scope !== undefined && state.reviewCase.resolved_under === scope) return state.reviewCase;
    if (status !== 'open') {
      throw new DomainError('case_not_open', `The case is already ${status}; only an open case can be resolved.`);
    }
    if (!force) refuseIfHeld(state.reviewCase, actorOf(caller, stated.analyst_id), nowMs);
    const origin = { source: 'case', ...originOf(caller), scope } as const;
    const change = outcomeChange(state, reviewOf(stated, nowMs), origin, nowMs);
    if (change.reviewCase && (await deps.outcomes.save(caller.account_id, change, nowMs))) return change.reviewCase;
  }
  throw unavailable(new Error(`The subject changed ${MAX_ROUNDS} times while its case was being resolved`));
}
