import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { hashApiKey, maskApiKey, newApiKey, signedKey } from '../../../shared/domain/accounts/api-key';
import { ROLES } from '../../../shared/domain/accounts/role';
import { bearerToken, type SignInSettings } from '../../../shared/domain/accounts/token-holder';
import { accessTokens } from '../../../shared/outbound/access-tokens';
import {
  FAILURE_PAUSE_MS,
  providerKeys,
  REFRESH_MS,
  STALE_MS,
  UNKNOWN_KEY_PAUSE_MS,
} from '../../../shared/outbound/provider-keys';
import { type AuthenticateDeps, authenticate } from '../../../shared/usecases/accounts/authenticate';
import { authenticateToken } from '../../../shared/usecases/accounts/authenticate-token';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryAccounts } from '../../support/memory/memory-accounts';

describe('authenticate', () => {
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
  const whoIs = (
    keys: AuthenticateDeps['keys'],
    header: string | undefined,
    nowMs = NOON_MS,
    noteUse = async () => {},
  ) => authenticate({ stage: 'sandbox', clock: { now: () => nowMs }, keys, noteUse }, header);

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
      authenticate(
        { stage: 'sandbox', clock: { now: () => NOON_MS }, keys, noteUse: async () => {} },
        header,
        signedKey,
      );
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
      const headers = [
        undefined,
        `Bearer ${key}`,
        signed('AKIAIOSFODNN7EXAMPLE'),
        signed(key, 's3'),
        `${signed(key)}x`,
      ];
      for (const header of headers) {
        expect(await signedBy(keys, header)).toBeUndefined();
      }
      expect(await whoIs(keys, signed(key))).toBeUndefined();
      expect(calls).toEqual([]);
    });
  });
});

describe('authenticate token', () => {
  const ISSUER = 'https://login.example.com/realms/desk';
  const HERE = `acc_${'A'.repeat(26)}`;
  const ALSO_HERE = `acc_${'B'.repeat(26)}`;
  const ELSEWHERE = `acc_${'Z'.repeat(26)}`;
  const SETTINGS: SignInSettings = {
    issuer: ISSUER,
    clientId: 'console',
    audience: 'console',
    roleClaim: 'fraud_screening_role',
    accountClaim: 'fraud_screening_account',
  };
  const NOON_MS = Date.UTC(2026, 2, 1, 12);
  const NOON = NOON_MS / 1000;

  const CLAIMS = {
    ...{ iss: ISSUER, aud: 'console', sub: 'f3a1', preferred_username: 'ana.silva', iat: NOON - 60, exp: NOON + 300 },
    ...{ fraud_screening_role: 'analyst', fraud_screening_account: HERE },
  };

  type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
  let first: Pair;
  let second: Pair;
  let elliptic: Pair;
  beforeAll(async () => {
    [first, second] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
    elliptic = await generateKeyPair('ES256');
  });

  const publicKey = async ({ publicKey: key }: Pair, kid: string) => ({ ...(await exportJWK(key)), kid, use: 'sig' });

  const sign = (claims: object, header: object = {}, key: CryptoKey | Uint8Array = first.privateKey) =>
    new SignJWT(claims as JWTPayload).setProtectedHeader({ alg: 'RS256', kid: 'first', ...header }).sign(key);

  const unsigned = (header: object, claims: object): string =>
    [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');

  /** A stage with an account, and a provider that publishes its first key. */
  async function world(settings: Partial<SignInSettings> = {}) {
    const accounts = memoryAccounts();
    for (const account_id of [HERE, ALSO_HERE]) {
      const made = { name: 'Shop', created_at: '2026-03-01T00:00:00.000Z', settings: DEFAULT_SETTINGS };
      await accounts.insertAccount({ account_id, ...made, rate_limit_key: 'rate', rate_limit_key_id: 'id' });
    }
    const provider = {
      nowMs: NOON_MS,
      isDown: false,
      issuer: ISSUER,
      jwksUri: 'https://keys.example.com/jwks',
      keys: [await publicKey(first, 'first'), await publicKey(elliptic, 'elliptic')],
      asked: [] as string[],
    };
    const clock = { now: () => provider.nowMs };
    const fetchJson = async (url: string): Promise<unknown> => {
      provider.asked.push(url);
      if (provider.isDown) throw new Error('no route to host');
      return url === provider.jwksUri
        ? { keys: provider.keys }
        : { issuer: provider.issuer, jwks_uri: provider.jwksUri };
    };
    const keys = providerKeys({ issuer: ISSUER, clock, fetchJson, log: { error: () => undefined } });
    const tokens = accessTokens({ settings: { ...SETTINGS, ...settings }, keys, clock });
    return { provider, who: (token: string) => authenticateToken({ keys: accounts, tokens }, token) };
  }

  describe('an access token', () => {
    it.each(ROLES)('says who calls, with the role %s and the settings of the account', async (role) => {
      const { who, provider } = await world();
      expect(await who(await sign({ ...CLAIMS, fraud_screening_role: role }))).toEqual({
        caller: {
          account_id: HERE,
          key_id: expect.stringMatching(/^oidc_[0-9a-f]{26}$/),
          settings: DEFAULT_SETTINGS,
          role,
          person: 'ana.silva',
        },
        rateLimitKey: 'rate',
      });
      expect(provider.asked).toEqual([`${ISSUER}/.well-known/openid-configuration`, 'https://keys.example.com/jwks']);
    });

    it('stands for the same person however often it is renewed, and for nobody else', async () => {
      const { who } = await world();
      const keyId = async (claims: object) => {
        const found = await who(await sign({ ...CLAIMS, ...claims }));
        return typeof found === 'string' ? found : found.caller.key_id;
      };
      expect(await keyId({ exp: NOON + 900 })).toBe(await keyId({}));
      expect(await keyId({ sub: 'f3a2' })).not.toBe(await keyId({}));
    });

    it('is taken with every asymmetric signature that the provider publishes a key for', async () => {
      const { who } = await world();
      const token = await sign(CLAIMS, { alg: 'ES256', kid: 'elliptic', typ: 'at+jwt' }, elliptic.privateKey);
      expect(await who(token)).toMatchObject({ caller: { person: 'ana.silva' } });
    });

    it.each([
      ['another issuer', { iss: 'https://login.example.com/realms/other' }, 'issuer'],
      ['our issuer with a slash', { iss: `${ISSUER}/` }, 'issuer'],
      ['no issuer', { iss: undefined }, 'issuer'],
      ['another audience', { aud: 'shop' }, 'audience'],
      ['many other audiences', { aud: ['shop', 'console2'] }, 'audience'],
      ['no audience, and another client', { aud: undefined, client_id: 'shop' }, 'audience'],
      ['neither audience nor client', { aud: undefined }, 'audience'],
      ['another audience, although our client asked', { aud: 'shop', client_id: 'console' }, 'audience'],
      ['an end that has come', { exp: NOON - 10 }, 'expired'],
      ['no end', { exp: undefined }, 'malformed'],
      ['a beginning still to come', { nbf: NOON + 11 }, 'not_yet_valid'],
      ['no subject', { sub: undefined }, 'malformed'],
      ['an ID token of Cognito', { token_use: 'id' }, 'not_an_access_token'],
      ['no role', { fraud_screening_role: undefined }, 'no_role'],
      ['a role that nobody knows', { fraud_screening_role: 'owner' }, 'no_role'],
      ['two roles', { fraud_screening_role: ['analyst', 'server'] }, 'no_role'],
      ['a role that is not text', { fraud_screening_role: { analyst: true } }, 'no_role'],
      ['no account', { fraud_screening_account: undefined }, 'no_account'],
      ['an account of another stage', { fraud_screening_account: ELSEWHERE }, 'no_account'],
      ['two accounts of this stage', { fraud_screening_account: [HERE, ALSO_HERE] }, 'no_account'],
      ['an account that cannot be one', { fraud_screening_account: '../keys' }, 'no_account'],
      ['nobody’s name', { preferred_username: 'ana silva', sub: 'auth0|5f7c' }, 'no_person'],
    ])('is refused with %s', async (_name, claims, refusal) => {
      const { who } = await world();
      expect(await who(await sign({ ...CLAIMS, ...claims }))).toBe(refusal);
    });

    it('ends and begins with ten seconds of grace for clocks that differ', async () => {
      const { who, provider } = await world();
      const token = await sign({ ...CLAIMS, nbf: NOON, exp: NOON + 300 });
      for (const [seconds, isTaken] of [
        [-11, false],
        [-10, true],
        [309, true],
        [310, false],
      ] as const) {
        provider.nowMs = NOON_MS + seconds * 1000;
        expect([seconds, typeof (await who(token)) !== 'string']).toEqual([seconds, isTaken]);
      }
    });

    it('is refused without a signature, and with one that our own public key could make', async () => {
      const { who, provider } = await world();
      expect(await who(`${unsigned({ alg: 'none' }, CLAIMS)}.AA`)).toBe('algorithm');
      const pem = new TextEncoder().encode(await exportSPKI(first.publicKey));
      expect(await who(await sign(CLAIMS, { alg: 'HS256' }, pem))).toBe('algorithm');
      expect(provider.asked).toEqual([]);
    });

    it('is refused with the signature of somebody else, or with none that fits its claims', async () => {
      const { who } = await world();
      expect(await who(await sign(CLAIMS, {}, second.privateKey))).toBe('signature');
      const [, , signature] = (await sign(CLAIMS)).split('.');
      const forged = unsigned({ alg: 'RS256', kid: 'first' }, { ...CLAIMS, fraud_screening_role: 'admin' });
      expect(await who(`${forged}.${signature}`)).toBe('signature');
      expect(await who(`${unsigned({ alg: 'RS256', kid: 'first' }, CLAIMS)}.AAAA`)).toBe('signature');
      expect(await who(await sign(CLAIMS, { alg: 'ES256', kid: 'first' }, elliptic.privateKey))).toBe('unknown_key');
    });

    it('is refused at sight, without a call, when it cannot be one of ours', async () => {
      const { who, provider } = await world();
      for (const junk of ['a.b.c', `${unsigned({ alg: 'RS256' }, { iss: 'x' })}.AA`, `${Buffer.from('{')}.e30.AA`])
        expect(['malformed', 'issuer']).toContain(await who(junk));
      expect(await who(await sign(CLAIMS, { typ: 'logout+jwt' }))).toBe('not_an_access_token');
      expect(provider.asked).toEqual([]);
    });
  });

  describe('whom a token names', () => {
    const personOf = async (claims: object, settings: Partial<SignInSettings> = {}) => {
      const { who } = await world(settings);
      const found = await who(await sign({ ...CLAIMS, preferred_username: undefined, ...claims }));
      return typeof found === 'string' ? found : found.caller.person;
    };

    it('is the user name, else a verified e-mail address, else the subject', async () => {
      expect(await personOf({ preferred_username: 'ana', email: 'a@example.com' })).toBe('ana');
      expect(await personOf({ email: 'a@example.com' })).toBe('a@example.com');
      expect(await personOf({ email: 'boss@example.com', email_verified: false })).toBe('f3a1');
      expect(await personOf({})).toBe('f3a1');
    });

    it('is the claim that the deployment names, and no other', async () => {
      expect(await personOf({ upn: 'ana@corp', email: 'a@b.c' }, { personClaim: 'upn' })).toBe('ana@corp');
      expect(await personOf({ email: 'a@b.c' }, { personClaim: 'upn' })).toBe('no_person');
    });

    it('has role and account under the names of the provider, also among others, and an account per stage', async () => {
      const settings = { roleClaim: 'roles', accountClaim: 'https://example.com/accounts', audience: 'urn:desk' };
      const claims = { roles: ['staff', 'readonly'], 'https://example.com/accounts': [ELSEWHERE, HERE] };
      const { who } = await world(settings);
      const found = await who(await sign({ ...CLAIMS, ...claims, aud: ['urn:desk', 'urn:other'] }));
      expect(found).toMatchObject({ caller: { role: 'readonly', account_id: HERE } });
    });

    it('is our client’s where a token has no audience, as those of Cognito', async () => {
      expect(await personOf({ aud: undefined, client_id: 'console', token_use: 'access' })).toBe('f3a1');
    });
  });

  describe('the keys of the provider', () => {
    it('are fetched once, however many tokens come, at the same time too', async () => {
      const { who, provider } = await world();
      const token = await sign(CLAIMS);
      await Promise.all([who(token), who(token), who(token)]);
      provider.nowMs += 299_000;
      await who(token);
      expect(provider.asked).toHaveLength(2);
    });

    it('change: a new one works at once, one that was withdrawn ends within ten minutes', async () => {
      const { who, provider } = await world();
      const long = { ...CLAIMS, exp: NOON + 3_600 };
      const [old, next] = [await sign(long), await sign(long, { kid: 'second' }, second.privateKey)];
      await who(old);
      provider.keys = [await publicKey(second, 'second')];
      provider.nowMs += UNKNOWN_KEY_PAUSE_MS;
      expect(await who(next)).toMatchObject({ caller: { person: 'ana.silva' } });
      provider.nowMs += REFRESH_MS;
      expect(await who(old)).toBe('unknown_key');
    });

    it('are asked for at most every 30 seconds, whatever key IDs strangers make up', async () => {
      const { who, provider } = await world();
      await who(await sign(CLAIMS));
      for (let kid = 0; kid < 50; kid++) {
        provider.nowMs += 1_000;
        expect(await who(await sign({ ...CLAIMS, exp: NOON + 900 }, { kid: `made-up-${kid}` }))).toBe('unknown_key');
      }
      expect(provider.asked).toHaveLength(4);
    });

    it('are used on while the provider is down, for a day; without any, nobody is taken for a stranger', async () => {
      const { who, provider } = await world();
      const token = await sign({ ...CLAIMS, exp: NOON + 200_000 });
      provider.isDown = true;
      await expect(who(token)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(who(token)).rejects.toMatchObject({ code: 'unavailable' });
      expect(provider.asked).toHaveLength(1);
      provider.isDown = false;
      provider.nowMs += FAILURE_PAUSE_MS;
      expect(await who(token)).toMatchObject({ caller: { account_id: HERE } });
      provider.isDown = true;
      provider.nowMs += STALE_MS - 1;
      expect(await who(token)).toMatchObject({ caller: { account_id: HERE } });
      provider.nowMs += 1;
      await expect(who(token)).rejects.toMatchObject({ code: 'unavailable' });
    });

    it.each([
      ['says that it is another', { issuer: 'https://evil.example.com' }],
      ['has its keys at an open address', { jwksUri: 'http://keys.example.com/jwks' }],
    ])('are none of a provider that %s', async (_name, lie) => {
      const { who, provider } = await world();
      Object.assign(provider, lie);
      await expect(who(await sign(CLAIMS))).rejects.toMatchObject({ code: 'unavailable' });
      expect(provider.asked).toHaveLength(1);
    });
  });

  it('is read out of a Bearer header only, and never mistaken for a key', () => {
    const token = `${unsigned({ alg: 'RS256' }, CLAIMS)}.AAAA`;
    expect(bearerToken(`bearer ${token}`)).toBe(token);
    for (const header of [
      undefined,
      '',
      token,
      `Basic ${token}`,
      `Bearer ${token} `,
      `Bearer ${token}.AA`,
      'Bearer a.b',
    ])
      expect(bearerToken(header)).toBeUndefined();
    expect(bearerToken(`Bearer sk_test_${'a'.repeat(38)}`)).toBeUndefined();
  });
});
