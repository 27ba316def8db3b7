import type { ClaimHolder, IdempotencyClaim } from '../../../domain/idempotency';
import { NOTHING_MISSING, type Reading, type Source } from './source';

/** Claims of `Idempotency-Key`s, as a screening needs them. */
export interface ClaimPorts {
  readonly claims: {
    /** Claims the key for a screening; resolves with its holder if somebody else has it. */
    claim(
      accountId: string,
      claim: IdempotencyClaim,
      by: { readonly ulid: string; readonly nowMs: number; readonly limitMs: number },
    ): Promise<ClaimHolder | undefined>;
    takeOver(
      accountId: string,
      claim: IdempotencyClaim,
      from: ClaimHolder,
      at: { readonly nowMs: number; readonly limitMs: number },
    ): Promise<boolean>;
    release(accountId: string, claim: IdempotencyClaim, ulid: string, limitMs: number): Promise<void>;
  };
}

/** Who has the key. Nothing else can stand in for it: without an answer, there is no screening. */
export interface ClaimReading extends Reading {
  /** The earlier request that has the key; undefined if it is this one, or there is no key. */
  readonly holder: ClaimHolder | undefined;
  readonly error?: unknown;
}

const UNCLAIMED: ClaimReading = { holder: undefined, missing: NOTHING_MISSING };

/** The claim of the `Idempotency-Key`. */
export const claimSource: Source<'claim', ClaimPorts, ClaimReading> = {
  name: 'claim',
  read({ claims }, { caller, request: { claim, isClaimed, ulid, atMs } }, limitMs) {
    if (claim === undefined || isClaimed) return UNCLAIMED;
    return claims
      .claim(caller.account_id, claim, { ulid, nowMs: atMs, limitMs })
      .then((holder) => (holder === undefined ? UNCLAIMED : { holder, missing: NOTHING_MISSING }));
  },
  without: (_prepared, error) => ({ holder: undefined, error, missing: NOTHING_MISSING }),
  standIn: {
    claims: { claim: async () => undefined, takeOver: async () => false, release: async () => undefined },
  },
};
