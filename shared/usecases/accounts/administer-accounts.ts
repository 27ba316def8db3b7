import { type Account, type AccountSettings, DEFAULT_SETTINGS, settingsFaults } from '../../domain/accounts/account';
import {
  type ApiKeyRecord,
  hashApiKey,
  isPersonName,
  type ListedApiKey,
  maskApiKey,
  newApiKey,
} from '../../domain/accounts/api-key';
import type { Role } from '../../domain/accounts/role';
import { DomainError, invalidRequest, notFound } from '../../domain/errors';
import type { Stage } from '../../domain/stage';

/** Dependencies of the command line. */
export interface AdminDeps {
  readonly stage: Stage;
  readonly clock: { now(): number };
  readonly newId: (prefix: 'acc' | 'key', nowMs: number) => string;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly accounts: {
    insertAccount(account: Account): Promise<void>;
    account(accountId: string): Promise<Account | undefined>;
    changeSettings(accountId: string, settings: AccountSettings): Promise<void>;
    changeRateLimitKeyId(accountId: string, rateLimitKeyId: string): Promise<void>;
    insertKey(key: ApiKeyRecord): Promise<void>;
    listKeys(accountId: string): Promise<ListedApiKey[]>;
    revokeKey(key: ApiKeyRecord, revokedAt: string): Promise<boolean>;
    deleteAccount(accountId: string, keys: readonly ApiKeyRecord[]): Promise<void>;
  };
  /** Creates the API Gateway key that carries the account's rate limit, unless it exists, and returns its id. */
  readonly ensureRateLimitKey: (name: string, value: string) => Promise<string>;
  readonly deleteRateLimitKey: (id: string) => Promise<void>;
}

const RATE_LIMIT_KEY_BYTES = 24;

/**
 * Creates an account. Its rate-limit key is created first: a crash in between leaves an unused key behind, never an
 * account that the gateway would refuse.
 */
export async function createAccount(deps: AdminDeps, name: string): Promise<Account> {
  const nowMs = deps.clock.now();
  const account_id = deps.newId('acc', nowMs);
  const rate_limit_key = Buffer.from(deps.randomBytes(RATE_LIMIT_KEY_BYTES)).toString('hex');
  const account: Account = {
    account_id,
    name,
    created_at: new Date(nowMs).toISOString(),
    settings: DEFAULT_SETTINGS,
    rate_limit_key,
    rate_limit_key_id: await deps.ensureRateLimitKey(account_id, rate_limit_key),
  };
  await deps.accounts.insertAccount(account);
  return account;
}

/** An account by its id; throws a clear error if there is none. */
export async function requireAccount(deps: Pick<AdminDeps, 'accounts' | 'stage'>, accountId: string): Promise<Account> {
  const account = await deps.accounts.account(accountId);
  if (!account) throw new DomainError('not_found', `No such account in ${deps.stage}; see \`accounts list\`.`);
  return account;
}

/**
 * Gives an account a rate-limit key in API Gateway again: after a restore into another stack the table knows a key
 * that the gateway does not, and the gateway would refuse every request.
 */
export async function reconnectAccount(deps: AdminDeps, accountId: string): Promise<Account> {
  const account = await requireAccount(deps, accountId);
  const rate_limit_key_id = await deps.ensureRateLimitKey(accountId, account.rate_limit_key);
  if (rate_limit_key_id !== account.rate_limit_key_id) {
    await deps.accounts.changeRateLimitKeyId(accountId, rate_limit_key_id);
  }
  return { ...account, rate_limit_key_id };
}

/** Whom a key is for. */
export interface KeyHolder {
  /** @default admin */
  readonly role?: Role | undefined;
  /** The person who acts when the key is used. @default nobody in particular */
  readonly person?: string | undefined;
  /** How long it works. @default until it is revoked */
  readonly lifeMs?: number | undefined;
}

/** Creates a key. The clear text is returned here and stored nowhere. */
export async function createKey(
  deps: AdminDeps,
  accountId: string,
  label: string | null,
  { role = 'admin', person, lifeMs }: KeyHolder = {},
): Promise<{ readonly key: string; readonly record: ApiKeyRecord }> {
  if (person !== undefined && !isPersonName(person)) {
    const message = 'must have 1 to 128 letters, digits or . _ @ + -, and begin with a letter or digit';
    throw invalidRequest([{ field: 'person', message }]);
  }
  await requireAccount(deps, accountId);
  const nowMs = deps.clock.now();
  const key = newApiKey(deps.stage, deps.randomBytes);
  const record: ApiKeyRecord = {
    key_id: deps.newId('key', nowMs),
    account_id: accountId,
    key_hash: hashApiKey(key),
    hint: maskApiKey(key),
    label,
    created_at: new Date(nowMs).toISOString(),
    revoked_at: null,
    role,
    person: person ?? null,
    expires_at: lifeMs === undefined ? null : new Date(nowMs + lifeMs).toISOString(),
  };
  await deps.accounts.insertKey(record);
  return { key, record };
}

/** Revokes a key: it is refused everywhere within the authorizer's cache time (under 60 s). */
export async function revokeKey(deps: AdminDeps, accountId: string, keyId: string): Promise<ApiKeyRecord> {
  const record = (await deps.accounts.listKeys(accountId)).find((key) => key.key_id === keyId);
  if (!record) throw notFound('key');
  if (record.revoked_at !== null) return record;
  const revoked_at = new Date(deps.clock.now()).toISOString();
  await deps.accounts.revokeKey(record, revoked_at);
  return { ...record, revoked_at };
}

/** Functions may work with the settings of before for a minute; this leaves room for clocks that differ. */
const EFFECTIVE_WITHIN_MS = 10 * 60_000;

/** Changes some settings; they apply to every request within the authorizer's cache time. */
export async function changeSettings(
  deps: AdminDeps,
  accountId: string,
  change: Partial<AccountSettings>,
): Promise<AccountSettings> {
  const account = await requireAccount(deps, accountId);
  const isAgain = change.keep_history === true && account.settings.keep_history === false;
  const since = isAgain ? { history_since_ms: deps.clock.now() + EFFECTIVE_WITHIN_MS } : {};
  const settings = { ...account.settings, ...change, ...since };
  const faults = settingsFaults(settings);
  if (faults.length > 0) throw invalidRequest(faults);
  await deps.accounts.changeSettings(accountId, settings);
  return settings;
}

/**
 * Removes an account with all its keys, for accounts that were created as a test. Screenings and webhook deliveries
 * expire by themselves. The rate-limit key is deleted last: if that fails, a stray key remains, never a broken account.
 */
export async function removeAccount(deps: AdminDeps, accountId: string): Promise<void> {
  const { rate_limit_key_id } = await requireAccount(deps, accountId);
  await deps.accounts.deleteAccount(accountId, await deps.accounts.listKeys(accountId));
  await deps.deleteRateLimitKey(rate_limit_key_id);
}
