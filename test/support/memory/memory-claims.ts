import { type ClaimHolder, IDEMPOTENCY_WINDOW_MS, type IdempotencyClaim } from '../../../shared/domain/idempotency';
import type { ScreenSubjectDeps } from '../../../shared/usecases/screening/screen-subject';

export type ClaimsPort = ScreenSubjectDeps['claims'];

/** Claims of `Idempotency-Key`s by screenings, in memory. */
export function memoryClaims(): ClaimsPort {
  const claims = new Map<string, ClaimHolder & { readonly expiresAtMs: number }>();
  const keyOf = (accountId: string, { scope }: IdempotencyClaim): string => `${accountId}/${scope}`;
  const put = (accountId: string, claim: IdempotencyClaim, ulid: string, nowMs: number): void => {
    const { body_hash } = claim;
    const expiresAtMs = nowMs + IDEMPOTENCY_WINDOW_MS;
    claims.set(keyOf(accountId, claim), { ulid, body_hash, claimed_at_ms: nowMs, expiresAtMs });
  };

  return {
    async claim(accountId, claim, { ulid, nowMs }) {
      const holder = claims.get(keyOf(accountId, claim));
      if (holder && holder.expiresAtMs > nowMs) return holder.ulid === ulid ? undefined : holder;
      put(accountId, claim, ulid, nowMs);
      return undefined;
    },
    async takeOver(accountId, claim, from, { nowMs }) {
      const holder = claims.get(keyOf(accountId, claim));
      if (holder?.ulid !== from.ulid || holder.claimed_at_ms !== from.claimed_at_ms) return false;
      put(accountId, claim, from.ulid, nowMs);
      return true;
    },
    async release(accountId, claim, ulid) {
      if (claims.get(keyOf(accountId, claim))?.ulid === ulid) claims.delete(keyOf(accountId, claim));
    },
  };
}
