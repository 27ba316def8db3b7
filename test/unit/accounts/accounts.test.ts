import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { DEFAULT_SETTINGS, labelEndMs, settingsFaults } from '../../../shared/domain/accounts/account';
import {
  bearerKey,
  hashApiKey,
  isApiKeyOf,
  maskApiKey,
  newApiKey,
  type ShownApiKey,
} from '../../../shared/domain/accounts/api-key';
import { keysAnswer } from '../../../shared/http/presenters/desk-answer';
import { entryPageAnswer } from '../../../shared/http/presenters/list-answer';
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
import { authorNames, listKeys } from '../../../shared/usecases/accounts/list-keys';
import { noteKeyUse } from '../../../shared/usecases/accounts/note-key-use';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryAccounts } from '../../support/memory/memory-accounts';

describe('account settings', () => {
  const faulty = (change: object): string[] => settingsFaults({ ...DEFAULT_SETTINGS, ...change }).map((f) => f.field);

  describe('account settings', () => {
    it('has defaults that may be saved', () => {
      expect(faulty({})).toEqual([]);
      expect(DEFAULT_SETTINGS).toMatchObject({ review_threshold: 60, block_threshold: 85 });
    });

    it.each([
      [{ review_threshold: 90 }, ['review_threshold']],
      [{ review_threshold: -1 }, ['review_threshold']],
      [{ block_threshold: 60.5 }, ['block_threshold']],
      [{ review_threshold: Number.NaN }, ['review_threshold']],
      [{ tracked_attributes: ['a', 'a'] }, ['tracked_attributes']],
      [{ tracked_attributes: [''] }, ['tracked_attributes']],
      [{ tracked_attributes: Array.from({ length: 13 }, (_, i) => `k${i}`) }, ['tracked_attributes']],
      [{ never_observed: ['a', 'a'] }, ['never_observed']],
      [{ never_observed: ['x'.repeat(65)] }, ['never_observed']],
      [{ never_observed: Array.from({ length: 51 }, (_, i) => `k${i}`) }, ['never_observed']],
      [{ challenge_threshold: 61 }, ['challenge_threshold']],
      [{ challenge_threshold: -1 }, ['challenge_threshold']],
      [{ label_window_days: 0 }, ['label_window_days']],
      [{ label_window_days: 551 }, ['label_window_days']],
      [{ label_window_days: 30.5 }, ['label_window_days']],
    ])('refuses %j', (change, fields) => {
      expect(faulty(change)).toEqual(fields);
    });

    it.each([
      { review_threshold: 101, block_threshold: 101 },
      { review_threshold: 0, block_threshold: 0 },
      { challenge_threshold: 60 },
      { challenge_threshold: 101 },
      { tracked_attributes: [] },
      { never_observed: ['birthday', 'loyalty'], label_window_days: 550 },
      { never_observed: [] },
    ])('accepts %j', (change) => {
      expect(faulty(change)).toEqual([]);
    });

    it('ends labels after 180 days, or as the account says', () => {
      const screened = { screened_at_ms: 1_000 };
      expect(labelEndMs({}, screened)).toBe(1_000 + 180 * 86_400_000);
      expect(labelEndMs({ label_window_days: 30 }, screened)).toBe(1_000 + 30 * 86_400_000);
    });
  });
});

describe('administer accounts', () => {
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
      expect(account).toMatchObject({
        name: 'Shop',
        settings: DEFAULT_SETTINGS,
        created_at: '2026-03-01T00:00:00.000Z',
      });
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
      expect(await revokeKey(deps, account_id, record.key_id)).toMatchObject({
        revoked_at: '2026-03-01T00:00:00.000Z',
      });
      pass(60_000);
      expect(await revokeKey(deps, account_id, record.key_id)).toMatchObject({
        revoked_at: '2026-03-01T00:00:00.000Z',
      });
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
      expect([await accounts.listKeys(gone.account_id), [...gateway.values()]]).toEqual([
        [],
        [stays.rate_limit_key_id],
      ]);
      expect((await caller(other))?.caller.account_id).toBe(stays.account_id);
      await expect(removeAccount(deps, gone.account_id)).rejects.toMatchObject({ code: 'not_found' });
    });
  });
});

describe('api key', () => {
  const bytes = fc.infiniteStream(fc.nat({ max: 255 }));
  const sourceOf = (stream: Iterator<number>) => (size: number) =>
    Uint8Array.from({ length: size }, () => stream.next().value ?? 0);

  describe('API keys', () => {
    it('is a key of its own stage and of no other, whatever the randomness', () => {
      fc.assert(
        fc.property(bytes, fc.constantFrom('sandbox' as const, 'production' as const), (stream, stage) => {
          const key = newApiKey(stage, sourceOf(stream[Symbol.iterator]()));
          const prefix = stage === 'sandbox' ? 'sk_test_' : ['sk', 'live', ''].join('_');
          expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{38}$`));
          expect(isApiKeyOf(stage, key)).toBe(true);
          expect(isApiKeyOf(stage === 'sandbox' ? 'production' : 'sandbox', key)).toBe(false);
        }),
      );
    });

    it('notices any one changed character without a read', () => {
      const key = newApiKey('sandbox', randomBytes);
      for (let at = 'sk_test_'.length; at < key.length; at++) {
        const other = key[at] === 'a' ? 'b' : 'a';
        expect(isApiKeyOf('sandbox', key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
      }
    });

    it('uses every base62 character about equally often', () => {
      const counts = new Map<string, number>();
      for (let i = 0; i < 2000; i++) {
        for (const character of newApiKey('sandbox', randomBytes).slice(8, 40)) {
          counts.set(character, (counts.get(character) ?? 0) + 1);
        }
      }
      const expected = (2000 * 32) / 62;
      expect(counts.size).toBe(62);
      for (const count of counts.values()) expect(Math.abs(count - expected) / expected).toBeLessThan(0.25);
    });

    it('reads the key out of a Bearer header only', () => {
      const key = newApiKey('sandbox', randomBytes);
      expect(bearerKey('sandbox', `Bearer ${key}`)).toBe(key);
      expect(bearerKey('sandbox', `bearer ${key}`)).toBe(key);
      for (const header of [
        undefined,
        '',
        key,
        `Basic ${key}`,
        `Bearer  ${key}`,
        `Bearer ${key} `,
        `Bearer ${key}\n`,
      ]) {
        expect(bearerKey('sandbox', header)).toBeUndefined();
      }
    });

    it('shows neither the key nor enough of it', () => {
      const key = newApiKey('sandbox', randomBytes);
      expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/);
      expect(maskApiKey(key)).toHaveLength(17);
      expect(key).not.toContain(maskApiKey(key));
    });
  });
});

describe('list keys', () => {
  const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };
  const key = (key_id: string, more: Partial<ShownApiKey> = {}): ShownApiKey => ({
    ...{ key_id, account_id: 'acc_1', hint: 'sk_test_a1B2…x9Zz', label: null, created_at: '2026-03-01T00:00:00.000Z' },
    ...{ revoked_at: null, role: 'admin', person: null, expires_at: null, last_used_at: null, ...more },
  });
  const keys = [
    key('key_1'),
    key('key_2', { person: 'ana.silva', label: 'laptop', created_at: '2026-03-02T00:00:00.000Z' }),
    key('key_3', { label: 'checkout', created_at: '2026-03-03T00:00:00.000Z' }),
  ];
  const asked: string[] = [];
  const deps = {
    keys: {
      list: async (accountId: string) => {
        asked.push(accountId);
        return keys;
      },
    },
  };

  it('lists keys newest first, by the person, the label, or how they begin and end', async () => {
    const { keys: shown } = keysAnswer(await listKeys(deps, caller));
    expect(shown.map(({ key_id, name }) => [key_id, name])).toEqual([
      ['key_3', 'checkout'],
      ['key_2', 'ana.silva'],
      ['key_1', 'sk_test_a1B2…x9Zz'],
    ]);
    expect(Object.keys(shown[0] ?? {})).not.toContain('key_hash');
  });

  it('gives entries of a list the name of the key that added them; people keep theirs, and cost no read', async () => {
    asked.length = 0;
    expect(await authorNames(deps, caller, ['ana.silva'])).toEqual(new Map());
    expect(asked).toEqual([]);
    const entry = { value: 'x', expires_at: null, reason: null, added_at: '2026-03-01T00:00:00.000Z' };
    const entries = ['key_3', 'bo', 'key_gone'].map((added_by) => ({ ...entry, added_by }));
    const names = await authorNames(
      deps,
      caller,
      entries.map(({ added_by }) => added_by),
    );
    expect(entryPageAnswer({ entries, next: undefined }, names).entries.map((each) => each.added_by_name)).toEqual([
      'checkout',
      'bo',
      'key_gone',
    ]);
  });
});

describe('note key use', () => {
  const hour = (number: number) => `2026-03-01T0${number}:00:00.000Z`;

  function world() {
    const accounts = memoryAccounts();
    const writes: string[] = [];
    const failures: string[] = [];
    const uses = interpose({ recordUse: accounts.recordUse }, (call, apply) => {
      writes.push(call);
      return apply();
    });
    const log = { error: (message: string): void => void failures.push(message) };
    return { accounts, uses, writes, failures, log };
  }

  it('writes once per key and hour, however often the key is used', async () => {
    const { uses, writes, log } = world();
    const note = noteKeyUse({ uses, log });
    for (const at of [1, 1, 1, 2, 2]) await note('acc_1', 'key_1', hour(at));
    await note('acc_1', 'key_2', hour(2));
    expect(writes).toHaveLength(3);
  });

  it('leaves a later hour alone that another process noted', async () => {
    const { accounts, uses, log } = world();
    await noteKeyUse({ uses, log })('acc_1', 'key_1', hour(5));
    await noteKeyUse({ uses, log })('acc_1', 'key_1', hour(4));
    expect(await accounts.recordUse('acc_1', 'key_1', hour(5))).toBe(false);
  });

  it('never fails: a write that did not succeed is logged and tried again with the next use', async () => {
    const { accounts, failures, log } = world();
    let tries = 0;
    const uses = interpose(
      { recordUse: accounts.recordUse },
      failing(() => (++tries === 1 ? 'before' : undefined)),
    );
    const note = noteKeyUse({ uses, log });
    await note('acc_1', 'key_1', hour(1));
    expect(failures).toEqual(['key use was not recorded']);
    await note('acc_1', 'key_1', hour(1));
    expect(await accounts.recordUse('acc_1', 'key_1', hour(1))).toBe(false);
  });
});
