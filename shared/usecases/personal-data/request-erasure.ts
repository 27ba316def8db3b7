import type { Caller } from '../../domain/accounts/account';
import { actorOf } from '../../domain/accounts/actor';
import { entityNames } from '../../domain/entities/entity-ref';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import type { Erasure } from '../../domain/personal-data/erasure';

/** Dependencies of asking for an erasure. */
export interface RequestErasureDeps {
  readonly clock: { now(): number };
  readonly newUlid: (nowMs: number) => string;
  /** How this stage names what it must not store. @default by the public key, for tests */
  readonly pseudonyms?: (() => Pseudonyms | Promise<Pseudonyms>) | undefined;
  readonly erasures: { insert(erasure: Erasure, user: string): Promise<void> };
  readonly traces: { eraseProfile(accountId: string, user: string): Promise<void> };
}

/**
 * Asks for everything about a user to be erased. The profile goes at once, the rest within 24 hours. It is not an error if
 * nothing is known of the user: the answer tells nothing about them.
 */
export async function requestErasure(deps: RequestErasureDeps, caller: Caller, userId: string): Promise<Erasure> {
  const nowMs = deps.clock.now();
  const { account_id } = caller;
  const { key } = entityNames(account_id, await deps.pseudonyms?.()).user(userId);
  const erasure: Erasure = {
    erasure_id: `era_${deps.newUlid(nowMs)}`,
    account_id,
    status: 'pending',
    requested_at: new Date(nowMs).toISOString(),
    requested_by: actorOf(caller),
    completed_at: null,
    looked_at: 0,
    erased: {},
  };
  // Recorded first: whatever happens next, the worker erases the profile too.
  await deps.erasures.insert(erasure, key);
  await deps.traces.eraseProfile(account_id, key);
  return erasure;
}
