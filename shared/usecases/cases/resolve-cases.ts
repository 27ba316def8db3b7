import type { Caller } from '../../domain/accounts/account';
import { DomainError, type ErrorCode } from '../../domain/errors';
import { type RecordOutcomeDeps, resolveCase, type StatedResolution } from './record-outcome';

/** Dependencies of resolving many cases. */
export interface ResolveCasesDeps extends RecordOutcomeDeps {
  readonly log: { error(message: string, fields: object): void };
}

/** How one of the cases ended. */
export interface CaseResult {
  readonly case_id: string;
  readonly status: 'ok' | ErrorCode;
}

/** No case begins later than this: the gateway waits 29 seconds, and the function's own limit is below that. */
export const LIMIT_MS = 18_000;

/**
 * Resolves cases one after another: those of one device share its counters, and side by side they would only wait for
 * each other. Each is decided at most once, even if several people decide at once; one that fails does not keep the
 * others. What there was no time for is `unavailable`, and a repeat under the same `Idempotency-Key` continues there.
 */
export async function resolveCases(
  deps: ResolveCasesDeps,
  caller: Caller,
  caseIds: readonly string[],
  stated: StatedResolution,
): Promise<CaseResult[]> {
  const startedAtMs = deps.clock.now();
  const done = new Map<string, CaseResult['status']>();
  for (const id of new Set(caseIds)) {
    const isLate = deps.clock.now() - startedAtMs >= LIMIT_MS;
    done.set(id, isLate ? 'unavailable' : await resolveOne(deps, caller, id, stated));
  }
  return caseIds.map((case_id) => ({ case_id, status: done.get(case_id) ?? 'unavailable' }));
}

async function resolveOne(
  deps: ResolveCasesDeps,
  caller: Caller,
  id: string,
  stated: StatedResolution,
): Promise<CaseResult['status']> {
  try {
    await resolveCase(deps, caller, id, stated);
    return 'ok';
  } catch (error) {
    // A fault of the request is the same for all: reported at once, before any case was touched.
    if (error instanceof DomainError && error.code === 'invalid_request') throw error;
    if (error instanceof DomainError) return error.code;
    deps.log.error('unhandled error', { error });
    return 'internal_error';
  }
}
