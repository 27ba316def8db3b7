import type { Caller } from '../../domain/accounts/account';
import { actorOf } from '../../domain/accounts/account';
import { revised, unclaimed } from '../../domain/cases/desk-change';
import { CASE_LIFE_MS, CLAIM_MS, caseStatusAt, claimAt, refuseIfHeld } from '../../domain/cases/review-case';
import { DomainError } from '../../domain/errors';
import type { IdempotencyRecord } from '../../domain/idempotency';
import { type CaseNow, changeCase, type DeskDeps, entryBy } from './change-case';

/** A claim as it is asked for; with an `Idempotency-Key`, the record of its response commits with it. */
export interface StatedClaim {
  readonly analyst_id?: string | undefined;
  /** A colleague, who then has the case until it expires. */
  readonly assign_to?: string | undefined;
  readonly recordOf?: ((claimed: CaseNow) => IdempotencyRecord) | undefined;
}

/** Claims an open case for 15 minutes, or renews the claim of its holder. Of several at once exactly one gets it. */
export function claimCase(
  deps: DeskDeps,
  caller: Caller,
  id: string,
  { analyst_id, assign_to, recordOf }: StatedClaim,
): Promise<CaseNow> {
  const actor = actorOf(caller, analyst_id);
  const assignee = assign_to ?? actor;
  return changeCase(deps, caller, id, ({ reviewCase, nowMs }) => {
    const status = caseStatusAt(reviewCase, nowMs);
    if (status !== 'open') {
      throw new DomainError('case_not_open', `The case is already ${status}; only an open case can be claimed.`);
    }
    const held = claimAt(reviewCase, nowMs);
    if (assign_to === undefined) refuseIfHeld(reviewCase, assignee, nowMs);
    // A case that was assigned stays so until it expires.
    const until_ms =
      assign_to === undefined
        ? Math.max(nowMs + CLAIM_MS, held?.until_ms ?? 0)
        : reviewCase.created_at_ms + CASE_LIFE_MS;
    const after = revised(reviewCase, { claim: { assignee, until_ms } });
    // The holder merely stays on it: nothing to tell.
    const isRenewed = held !== undefined && held.assignee === assignee && assign_to === undefined;
    const told =
      assign_to === undefined
        ? { kind: 'claimed' as const, nowMs }
        : { kind: 'assigned' as const, nowMs, text: assign_to };
    const entry = isRenewed ? undefined : entryBy(deps, caller, analyst_id, told);
    const result = { reviewCase: after, nowMs };
    const answer = recordOf?.(result);
    return { save: { before: reviewCase, after, entry }, result, ...(answer ? { answer } : {}) };
  });
}

/**
 * Releases a claim. Somebody else's stays, unless the key is nobody's and the request names nobody: then it is the
 * account itself that speaks. Without a claim there is nothing to do.
 */
export function releaseCase(deps: DeskDeps, caller: Caller, id: string, analystId?: string): Promise<void> {
  const isNamed = caller.person !== undefined || analystId !== undefined;
  return changeCase(deps, caller, id, ({ reviewCase, nowMs }) => {
    if (!claimAt(reviewCase, nowMs)) return { result: undefined };
    if (isNamed) refuseIfHeld(reviewCase, actorOf(caller, analystId), nowMs);
    const after = revised(unclaimed(reviewCase), {});
    const entry = entryBy(deps, caller, analystId, { kind: 'released', nowMs });
    return { save: { before: reviewCase, after, entry }, result: undefined };
  });
}
