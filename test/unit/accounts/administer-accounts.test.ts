import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { hashApiKey } from '../../../shared/domain/accounts/api-key';
import {
  type AdminDeps,
  changeSettings,
  createAccount,
  createKey,
  reconnectAccount,
  removeAccount,
  revokeKey,
} from '../../../shared/usecases/accounts/administer-accounts';
import { authenticate } from '../../../shared/usecases/accounts/authenticate';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryAccounts } from '../../support/memory/memory-accounts';

const START_MS = Date.UTC(2026, 2, 1);

/** The command line on accounts in memory, with a gateway that remembers the keys it was asked for. */
function world() {
  const accounts = memoryAccounts();
  const gateway = new Map<string, string>();
  let nowMs = START_MS;
  let ids = 0;
  const deps: AdminDeps = {
    stage: 'sandbox',
    clock: { now: () => nowMs },
    newId: (prefix) => `${prefix}_${String(++ids).padStart(3, '0')}`,
    randomBytes: (size) => new Uint8Array(size).fill(++ids),
    accounts,
    ensureRateLimitKey: async (name, value) => {
      gateway.set(value, gateway.get(value) ?? `gw-${name}`);
      return gateway.get(value) ?? '';
    },
    deleteRateLimitKey: async (id) => {
      for (const [value, known] of gateway) if (known === id) gateway.delete(value);
    },
  };
  const clock = { now: () => nowMs };
  const noteUse = async (accountId: string, keyId: string, hour: string): Promise<void> => {
    await accounts.recordUse(accountId, keyId, hour);
  };
  const caller = (key: string) => authenticate({ stage: 'sandbox', clock, keys: accounts, noteUse }, `Bearer ${key}`);
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { accounts, deps, gateway, caller, pass };
}

describe('creating an account', () => {
  it('gives it its rate-limit key and the usual settings', async () => {
    const { deps, accounts, gateway } = world();
    const account = await createAccount(deps, 'Shop');
    expect(await accounts.account(account.account_id)).toEqual(account);
    expect(account).toMatchObject({ name: 'Shop', settings: DEFAULT_SETTINGS, created_at: '2026-03-01T00:00:00.000Z' });
    expect(gateway.get(account.rate_limit_key)).toBe(account.rate_limit_key_id);
  });

  it('leaves no account behind that the gateway would refuse, wherever it dies', async () => {
    const { deps, accounts } = world();
    const down = { ...deps, ensureRateLimitKey: () => Promise.reject(new Error('no gateway')) };
    await expect(createAccount(down, 'Shop')).rejects.toThrow('no gateway');
    expect(await accounts.listAccounts()).toEqual([]);
    const full = {
      ...deps,
      accounts: interpose(
        accounts,
        failing(() => 'before'),
      ),
    };
    await expect(createAccount(full, 'Shop')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await accounts.listAccounts()).toEqual([]);
  });
});

describe('reconnecting an account', () => {
  it('writes the id of its key where the gateway knows another, and nothing where it does not', async () => {
    const { deps, accounts, gateway } = world();
    const { account_id, rate_limit_key } = await createAccount(deps, 'Shop');
    const writes: string[] = [];
    const watched = {
      ...deps,
      accounts: interpose(accounts, (call, apply) => {
        writes.push(call);
        return apply();
      }),
    };
    await reconnectAccount(watched, account_id);
    expect(writes).toEqual(['account']);
    gateway.set(rate_limit_key, 'another-stack');
    expect(await reconnectAccount(watched, account_id)).toMatchObject({ rate_limit_key_id: 'another-stack' });
    expect((await accounts.account(account_id))?.rate_limit_key_id).toBe('another-stack');
    await expect(reconnectAccount(deps, 'acc_nobody')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a key', () => {
  it('is shown once, stored as its hash, and opens its own account only', async () => {
    const { deps, accounts, caller } = world();
    const [mine, other] = [await createAccount(deps, 'Mine'), await createAccount(deps, 'Other')];
    const { key, record } = await createKey(deps, mine.account_id, 'shop');
    expect(await accounts.listKeys(mine.account_id)).toEqual([{ ...record, last_used_at: null }]);
    expect(JSON.stringify(record)).not.toContain(key);
    expect(record.key_hash).toBe(hashApiKey(key));
    expect((await caller(key))?.caller).toMatchObject({ account_id: mine.account_id, key_id: record.key_id });
    expect(await accounts.listKeys(other.account_id)).toEqual([]);
    await expect(createKey(deps, 'acc_nobody', null)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is of a role and a person, works until it expires, and shows the hour of its last use', async () => {
    const { deps, accounts, caller, pass } = world();
    const { account_id } = await createAccount(deps, 'Shop');
    const holder = { role: 'analyst', person: 'ana.silva', lifeMs: 7_200_000 } as const;
    const { key, record } = await createKey(deps, account_id, null, holder);
    expect(record).toMatchObject({ role: 'analyst', person: 'ana.silva', expires_at: '2026-03-01T02:00:00.000Z' });
    pass(7_199_999);
    expect((await caller(key))?.caller).toMatchObject({ role: 'analyst', person: 'ana.silva' });
    pass(1);
    expect(await caller(key)).toBeUndefined();
    expect(await accounts.listKeys(account_id)).toMatchObject([{ last_used_at: '2026-03-01T01:00:00.000Z' }]);
  });

  it('is an admin key of nobody in particular unless it says otherwise', async () => {
    const { deps, caller } = world();
    const { account_id } = await createAccount(deps, 'Shop');
    const { key, record } = await createKey(deps, account_id, null);
    expect(record).toMatchObject({ role: 'admin', person: null, expires_at: null });
    expect((await caller(key))?.caller).toEqual(expect.not.objectContaining({ person: expect.anything() }));
  });

  it.each(['', ' ', 'ana silva', '.ana', 'a\u202eb', 'a'.repeat(129)])('is of no person named %j', async (person) => {
    const { deps, accounts } = world();
    const { account_id } = await createAccount(deps, 'Shop');
    const creating = createKey(deps, account_id, null, { person });
    await expect(creating).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await accounts.listKeys(account_id)).toEqual([]);
  });

  it('is refused once it was revoked; revoked again, it keeps the first time', async () => {
    const { deps, caller, pass } = world();
    const { account_id } = await createAccount(deps, 'Shop');
    const { key, record } = await createKey(deps, account_id, null);
    expect(await revokeKey(deps, account_id, record.key_id)).toMatchObject({ revoked_at: '2026-03-01T00:00:00.000Z' });
    pass(60_000);
    expect(await revokeKey(deps, account_id, record.key_id)).toMatchObject({ revoked_at: '2026-03-01T00:00:00.000Z' });
    expect(await caller(key)).toBeUndefined();
  });

  it('of another account cannot be revoked, nor one that does not exist', async () => {
    const { deps, caller } = world();
    const [mine, other] = [await createAccount(deps, 'Mine'), await createAccount(deps, 'Other')];
    const { key, record } = await createKey(deps, other.account_id, null);
    await expect(revokeKey(deps, mine.account_id, record.key_id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(revokeKey(deps, mine.account_id, 'key_none')).rejects.toMatchObject({ code: 'not_found' });
    expect(await caller(key)).toBeDefined();
  });
});

describe('changing settings', () => {
  it('changes what is named, and refuses what cannot hold, all faults at once', async () => {
    const { deps, accounts, caller } = world();
    const { account_id } = await createAccount(deps, 'Shop');
    const { key } = await createKey(deps, account_id, null);
    expect(await changeSettings(deps, account_id, { review_threshold: 40 })).toEqual({
      ...DEFAULT_SETTINGS,
      review_threshold: 40,
    });
    expect((await caller(key))?.caller.settings.review_threshold).toBe(40);
    const refused = changeSettings(deps, account_id, { review_threshold: 90, tracked_attributes: ['a', 'a'] });
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'review_threshold' }, { field: 'tracked_attributes' }],
    });
    expect((await accounts.account(account_id))?.settings.review_threshold).toBe(40);
    await expect(changeSettings(deps, 'acc_nobody', {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('remembers since when an account keeps history again, and not if it always did', async () => {
    const { deps } = world();
    const { account_id } = await createAccount(deps, 'Shop');
    expect(await changeSettings(deps, account_id, { keep_history: true })).not.toHaveProperty('history_since_ms');
    await changeSettings(deps, account_id, { keep_history: false });
    const { history_since_ms } = await changeSettings(deps, account_id, { keep_history: true });
    expect(history_since_ms).toBeGreaterThan(deps.clock.now());
    expect(await changeSettings(deps, account_id, { keep_history: true })).toMatchObject({ history_since_ms });
  });
});

describe('removing an account', () => {
  it('removes its keys, its place in the list and its rate-limit key, and nothing of others', async () => {
    const { deps, accounts, gateway, caller } = world();
    const [gone, stays] = [await createAccount(deps, 'Test'), await createAccount(deps, 'Shop')];
    const keys = [await createKey(deps, gone.account_id, null), await createKey(deps, gone.account_id, null)];
    const { key: other } = await createKey(deps, stays.account_id, null);
    await removeAccount(deps, gone.account_id);
    expect(await Promise.all(keys.map(({ key }) => caller(key)))).toEqual([undefined, undefined]);
    expect(await accounts.listAccounts()).toEqual([expect.objectContaining({ account_id: stays.account_id })]);
    expect([await accounts.listKeys(gone.account_id), [...gateway.values()]]).toEqual([[], [stays.rate_limit_key_id]]);
    expect((await caller(other))?.caller.account_id).toBe(stays.account_id);
    await expect(removeAccount(deps, gone.account_id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
