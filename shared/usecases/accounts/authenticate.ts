import type { Account, Caller } from '../../domain/accounts/account';
import { bearerKey, hashApiKey, useHour } from '../../domain/accounts/api-key';
import type { Role } from '../../domain/accounts/role';
import type { Stage } from '../../domain/stage';

/** Dependencies of authenticating a caller. */
export interface AuthenticateDeps {
  readonly stage: Stage;
  readonly clock: { now(): number };
  readonly keys: {
    ownerOf(keyHash: string): Promise<KeyOwner | undefined>;
    account(accountId: string): Promise<Account | undefined>;
  };
  /** Records the hour of a key's use. Must not fail: nobody is refused because it could not be written. */
  readonly noteUse: (accountId: string, keyId: string, hour: string) => Promise<void>;
}

interface KeyOwner {
  readonly account_id: string;
  readonly key_id: string;
  readonly role: Role;
  readonly person: string | null;
  readonly expires_at: string | null;
}

/** A caller, with the key that carries the account's rate limit. */
export interface Authenticated {
  readonly caller: Caller;
  readonly rateLimitKey: string;
}

/** How the key is found in the header; undefined if there is none in this stage's format. */
export type KeyIn = (stage: Stage, header: string | undefined) => string | undefined;

/** Who sent this `Authorization` header; undefined for a missing, malformed, unknown, expired, revoked or other-stage key. */
export async function authenticate(
  deps: AuthenticateDeps,
  authorization: string | undefined,
  keyIn: KeyIn = bearerKey,
): Promise<Authenticated | undefined> {
  const key = keyIn(deps.stage, authorization);
  if (!key) return undefined;
  const nowMs = deps.clock.now();
  const owner = await deps.keys.ownerOf(hashApiKey(key));
  if (!owner || isExpired(owner, nowMs)) return undefined;
  const { account_id, key_id, role, person } = owner;
  const [account] = await Promise.all([
    deps.keys.account(account_id),
    deps.noteUse(account_id, key_id, useHour(nowMs)),
  ]);
  if (!account) return undefined;
  return {
    caller: { account_id, key_id, settings: account.settings, role, ...(person === null ? {} : { person }) },
    rateLimitKey: account.rate_limit_key,
  };
}

const isExpired = ({ expires_at }: KeyOwner, nowMs: number): boolean =>
  expires_at !== null && nowMs >= Date.parse(expires_at);
