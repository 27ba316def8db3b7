import { type Account, DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import type { ApiKeyRecord } from '../../../shared/domain/accounts/api-key';
import type { AccountsPort } from '../memory/memory-accounts';
import { freshAccount, type MakePort } from './fresh-account';

const accountOf = (account_id: string): Account => ({
  account_id,
  name: 'Shop',
  created_at: '2026-03-01T10:00:00.000Z',
  settings: DEFAULT_SETTINGS,
  rate_limit_key: 'rate',
  rate_limit_key_id: 'id-1',
});

let keys = 0;
const keyOf = (account_id: string): ApiKeyRecord => {
  const number = String(++keys).padStart(6, '0');
  return {
    key_id: `key_${account_id}_${number}`,
    account_id,
    key_hash: `hash-${account_id}-${number}`,
    hint: 'sk_test_…abcd',
    label: null,
    created_at: '2026-03-01T10:00:00.000Z',
    revoked_at: null,
    role: 'analyst',
    person: 'ana.silva',
    expires_at: '2026-06-01T00:00:00.000Z',
  };
};
/** As a list shows a key that was never used. */
const unused = (...listed: readonly ApiKeyRecord[]) => listed.map((key) => ({ ...key, last_used_at: null }));

/** Tests that every store of accounts and keys must pass. `makePort` returns an empty one. */
export function describeAccountsConformance(name: string, makePort: MakePort<AccountsPort>): void {
  describe(`accounts and keys in ${name}`, () => {
    let accounts: AccountsPort;
    let account: Account;
    beforeEach(async () => {
      accounts = await makePort();
      account = accountOf(freshAccount());
      await accounts.insertAccount(account);
    });

    it('keeps an account as it was written, and knows no other', async () => {
      expect(await accounts.account(account.account_id)).toEqual(account);
      expect(await accounts.account(freshAccount())).toBeUndefined();
    });

    it('refuses a second account of the same id, and keeps the first', async () => {
      await expect(accounts.insertAccount({ ...account, name: 'Another' })).rejects.toThrow('exists already');
      expect(await accounts.account(account.account_id)).toEqual(account);
      expect(await accounts.listAccounts()).toHaveLength(1);
    });

    it('lists accounts by id', async () => {
      const others = [accountOf(freshAccount()), accountOf(freshAccount())];
      for (const other of others) await accounts.insertAccount(other);
      const ids = [account, ...others].map(({ account_id }) => account_id).sort();
      expect(await accounts.accountIds()).toEqual(ids);
      const { name: shop, created_at } = account;
      expect(await accounts.listAccounts()).toEqual(ids.map((account_id) => ({ account_id, name: shop, created_at })));
    });

    it('changes settings and rate-limit key of an account that exists, and makes none', async () => {
      const settings = { ...DEFAULT_SETTINGS, review_threshold: 50 };
      await accounts.changeSettings(account.account_id, settings);
      await accounts.changeRateLimitKeyId(account.account_id, 'id-2');
      expect(await accounts.account(account.account_id)).toEqual({ ...account, settings, rate_limit_key_id: 'id-2' });
      const nobody = freshAccount();
      await expect(accounts.changeSettings(nobody, settings)).rejects.toThrow();
      await expect(accounts.changeRateLimitKeyId(nobody, 'id-2')).rejects.toThrow();
      expect(await accounts.account(nobody)).toBeUndefined();
    });

    it('finds the owner of a key by its hash, and lists the keys of one account only', async () => {
      const other = accountOf(freshAccount());
      await accounts.insertAccount(other);
      const [first, second, foreign] = [keyOf(account.account_id), keyOf(account.account_id), keyOf(other.account_id)];
      for (const key of [second, foreign, first]) await accounts.insertKey(key);
      expect(await accounts.listKeys(account.account_id)).toEqual(unused(first, second));
      const { account_id, key_id, role, person, expires_at } = foreign;
      expect(await accounts.ownerOf(foreign.key_hash)).toEqual({ account_id, key_id, role, person, expires_at });
      expect(await accounts.ownerOf('no-such-hash')).toBeUndefined();
    });

    it('refuses a key of an unknown account, or one that is taken, and stores nothing of it', async () => {
      const key = keyOf(freshAccount());
      await expect(accounts.insertKey(key)).rejects.toThrow('could not be stored');
      expect(await accounts.ownerOf(key.key_hash)).toBeUndefined();
      const first = keyOf(account.account_id);
      await accounts.insertKey(first);
      const sameHash = { ...keyOf(account.account_id), key_hash: first.key_hash };
      await expect(accounts.insertKey(sameHash)).rejects.toThrow('could not be stored');
      expect(await accounts.ownerOf(first.key_hash)).toMatchObject({ key_id: first.key_id });
      const sameId = { ...keyOf(account.account_id), key_id: first.key_id };
      await expect(accounts.insertKey(sameId)).rejects.toThrow('could not be stored');
      expect(await accounts.ownerOf(sameId.key_hash)).toBeUndefined();
      expect(await accounts.listKeys(account.account_id)).toEqual(unused(first));
    });

    it('revokes a key once: it is unknown from then on, and its record says when', async () => {
      const key = keyOf(account.account_id);
      await accounts.insertKey(key);
      const at = (second: number) => `2026-03-02T00:00:0${second}.000Z`;
      const revoked = await Promise.all([1, 2, 3].map((second) => accounts.revokeKey(key, at(second))));
      expect(revoked.filter(Boolean)).toHaveLength(1);
      expect(await accounts.ownerOf(key.key_hash)).toBeUndefined();
      const revoked_at = at(revoked.indexOf(true) + 1);
      expect(await accounts.listKeys(account.account_id)).toEqual(unused({ ...key, revoked_at }));
    });

    it('keeps the last hour in which a key was used, once per hour, in whatever order the hours come', async () => {
      const [key, other] = [keyOf(account.account_id), keyOf(account.account_id)];
      for (const each of [key, other]) await accounts.insertKey(each);
      const use = (hour: number) =>
        accounts.recordUse(account.account_id, key.key_id, `2026-03-02T0${hour}:00:00.000Z`);
      expect([await use(3), await use(3), await use(1), await use(4)]).toEqual([true, false, false, true]);
      expect(await accounts.listKeys(account.account_id)).toEqual([
        { ...key, last_used_at: '2026-03-02T04:00:00.000Z' },
        ...unused(other),
      ]);
      expect(await accounts.ownerOf(key.key_hash)).toMatchObject({ key_id: key.key_id, role: 'analyst' });
    });

    it('removes an account with its keys, and nothing of another', async () => {
      const keys = [keyOf(account.account_id), keyOf(account.account_id)];
      for (const key of keys) await accounts.insertKey(key);
      const before = (await accounts.accountIds()).length;
      await accounts.deleteAccount(account.account_id, keys);
      expect(await Promise.all(keys.map(({ key_hash }) => accounts.ownerOf(key_hash)))).toEqual([undefined, undefined]);
      expect([await accounts.account(account.account_id), await accounts.listKeys(account.account_id)]).toEqual([
        undefined,
        [],
      ]);
      const left = await accounts.accountIds();
      expect([left.length < before, left.includes(account.account_id)]).toEqual([true, false]);
    });

    it('revokes nothing in the name of another account', async () => {
      const key = keyOf(account.account_id);
      await accounts.insertKey(key);
      expect(await accounts.revokeKey({ ...key, account_id: freshAccount() }, '2026-03-02T00:00:00.000Z')).toBe(false);
      expect(await accounts.ownerOf(key.key_hash)).toMatchObject({ key_id: key.key_id });
    });
  });
}
