import type { Account, Caller } from '../../domain/accounts/account';
import { bearerKey, hashApiKey } from '../../domain/accounts/api-key';
import type { Stage } from '../../domain/stage';

/** Dependencies of authenticating a caller. */
export interface AuthenticateDeps {
  readonly stage: Stage;
  readonly keys: {
    ownerOf(keyHash: string): Promise<{ readonly account_id: string; readonly key_id: string } | undefined>;
    account(accountId: string): Promise<Account | undefined>;
  };
}

/** A caller, with the key that carries the account's rate limit. */
export interface Authenticated {
  readonly caller: Caller;
  readonly rateLimitKey: string;
}

/** How the key is found in the header; undefined if there is none in this stage's format. */
export type KeyIn = (stage: Stage, header: string | undefined) => string | undefined;

/** Who sent this `Authorization` header; undefined for a missing, malformed, unknown, revoked or other-stage key. */
export async function authenticate(
  deps: AuthenticateDeps,
  authorization: string | undefined,
  keyIn: KeyIn = bearerKey,
): Promise<Authenticated | undefined> {
  const key = keyIn(deps.stage, authorization);
  if (!key) return undefined;
  const owner = await deps.keys.ownerOf(hashApiKey(key));
  const account = owner && (await deps.keys.account(owner.account_id));
  if (!account) return undefined;
  return {
    caller: { account_id: owner.account_id, key_id: owner.key_id, settings: account.settings },
    rateLimitKey: account.rate_limit_key,
  };
}
