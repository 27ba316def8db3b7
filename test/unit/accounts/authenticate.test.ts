import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { hashApiKey, maskApiKey, newApiKey, signedKey } from '../../../shared/domain/accounts/api-key';
import { type AuthenticateDeps, authenticate } from '../../../shared/usecases/accounts/authenticate';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryAccounts } from '../../support/memory/memory-accounts';

let seed = 0;
const bytes = (size: number) => Uint8Array.from({ length: size }, (_, i) => (++seed * 31 + i) % 256);

async function world() {
  const accounts = memoryAccounts();
  const calls: string[] = [];
  const keys = interpose(accounts, (call, apply) => {
    calls.push(call);
    return apply();
  });
  const account = {
    account_id: 'acc_1',
    name: 'Shop',
    created_at: '2026-03-01T00:00:00.000Z',
    settings: { ...DEFAULT_SETTINGS, review_threshold: 50 },
    rate_limit_key: 'rate',
    rate_limit_key_id: 'id',
  };
  await accounts.insertAccount(account);
  const key = newApiKey('sandbox', bytes);
  const record = {
    ...{ key_id: 'key_1', account_id: 'acc_1', key_hash: hashApiKey(key), hint: maskApiKey(key) },
    ...{ label: null, created_at: account.created_at, revoked_at: null },
    ...({ role: 'analyst', person: 'ana.silva', expires_at: '2026-03-02T00:00:00.000Z' } as const),
  };
  await accounts.insertKey(record);
  return { accounts, account, calls, keys, key, record };
}

const NOON_MS = Date.UTC(2026, 2, 1, 12, 34);

/** Who the header says calls, at noon unless told otherwise. */
const whoIs = (keys: AuthenticateDeps['keys'], header: string | undefined, nowMs = NOON_MS, noteUse = async () => {}) =>
  authenticate({ stage: 'sandbox', clock: { now: () => nowMs }, keys, noteUse }, header);

it('knows who calls, with the settings and the rate limit of the account', async () => {
  const { keys, key, account } = await world();
  expect(await whoIs(keys, `Bearer ${key}`)).toEqual({
    caller: {
      account_id: 'acc_1',
      key_id: 'key_1',
      settings: account.settings,
      role: 'analyst',
      person: 'ana.silva',
    },
    rateLimitKey: 'rate',
  });
});

it('refuses what cannot be a key of this stage without a read', async () => {
  const { keys, key, calls } = await world();
  const other = newApiKey('production', bytes);
  const mistyped = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
  for (const header of [undefined, '', 'Bearer', key, `Basic ${key}`, `Bearer ${other}`, `Bearer ${mistyped}`]) {
    expect(await whoIs(keys, header)).toBeUndefined();
  }
  expect(calls).toEqual([]);
});

it('refuses keys that are unknown or revoked', async () => {
  const { accounts, keys, key, record } = await world();
  const unknown = newApiKey('sandbox', bytes);
  expect(await whoIs(keys, `Bearer ${unknown}`)).toBeUndefined();
  await accounts.revokeKey(record, '2026-03-02T00:00:00.000Z');
  expect(await whoIs(keys, `Bearer ${key}`)).toBeUndefined();
});

it('refuses an expired key from the very instant, and notes no use of it', async () => {
  const { keys, key } = await world();
  const noted: string[] = [];
  const noteUse = async (...use: string[]): Promise<void> => void noted.push(use.join(' '));
  const endMs = Date.UTC(2026, 2, 2);
  expect(await whoIs(keys, `Bearer ${key}`, endMs - 1, noteUse)).toBeDefined();
  expect(noted).toEqual(['acc_1 key_1 2026-03-01T23:00:00.000Z']);
  expect(await whoIs(keys, `Bearer ${key}`, endMs, noteUse)).toBeUndefined();
  expect(noted).toHaveLength(1);
});

it.each([0, 1])('does not take a table that is out of reach for an unknown key (call %i)', async (at) => {
  const { accounts, key } = await world();
  const keys = interpose(
    accounts,
    failing((_call, nth) => (nth === at ? 'before' : undefined)),
  );
  const calling = whoIs(keys, `Bearer ${key}`);
  await expect(calling).rejects.toMatchObject({ code: 'unavailable' });
});

describe("a client that signs with AWS's signature", () => {
  const signedBy = (keys: AuthenticateDeps['keys'], header: string | undefined) =>
    authenticate({ stage: 'sandbox', clock: { now: () => NOON_MS }, keys, noteUse: async () => {} }, header, signedKey);
  const signature = 'a'.repeat(64);
  const signed = (id: string, service = 'frauddetector') =>
    `AWS4-HMAC-SHA256 Credential=${id}/20261116/eu-central-1/${service}/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`;

  it('sends its key as the access key ID', async () => {
    const { keys, key } = await world();
    const found = await signedBy(keys, signed(key));
    expect(found?.caller).toMatchObject({ account_id: 'acc_1', key_id: 'key_1' });
  });

  it('is refused without a read unless it is one of our keys, signed for that service', async () => {
    const { keys, key, calls } = await world();
    const headers = [undefined, `Bearer ${key}`, signed('AKIAIOSFODNN7EXAMPLE'), signed(key, 's3'), `${signed(key)}x`];
    for (const header of headers) {
      expect(await signedBy(keys, header)).toBeUndefined();
    }
    expect(await whoIs(keys, signed(key))).toBeUndefined();
    expect(calls).toEqual([]);
  });
});
