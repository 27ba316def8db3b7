import { generateKeyPairSync, sign } from 'node:crypto';
import {
  type AgentJwk,
  isSignedBy,
  memoryNonces,
  messageSignatures,
  signatureBase,
  type VerifyAgentOptions,
  verifyAgent,
} from '../../../sdk/client/src/verify-agent';

/** RFC 9421, appendix B.1.4: the key of every vector below. */
const TEST_KEY: AgentJwk = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' };

/** RFC 9421, appendix B.2.6. */
const B26 = {
  method: 'POST',
  url: 'https://example.com/foo?param=Value&Pet=dog',
  headers: {
    Host: 'example.com',
    Date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'Content-Type': 'application/json',
    'Content-Length': '18',
    'Signature-Input':
      'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    Signature: 'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
  },
};

const only = (request: Parameters<typeof messageSignatures>[0]) => {
  const [signature, ...others] = messageSignatures(request);
  if (signature === undefined || others.length > 0) throw new Error('not exactly one signature');
  return signature;
};

describe('the vector of RFC 9421, B.2.6', () => {
  it('has the published signature base, and the key of B.1.4 signed it', async () => {
    const signature = only(B26);
    const base = signatureBase(B26, signature);
    expect(base?.split('\n')).toEqual([
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@method": POST',
      '"@path": /foo',
      '"@authority": example.com',
      '"content-type": application/json',
      '"content-length": 18',
      '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    ]);
    expect(await isSignedBy(TEST_KEY, base ?? '', signature.bytes)).toBe(true);
  });

  it('fails when anything that is covered changes, and not for what is not', async () => {
    const holds = async (request: typeof B26) => {
      const signature = only(request);
      return isSignedBy(TEST_KEY, signatureBase(request, signature) ?? '', signature.bytes);
    };
    expect(await holds({ ...B26, method: 'PUT' })).toBe(false);
    expect(await holds({ ...B26, url: 'https://example.org/foo' })).toBe(false);
    expect(await holds({ ...B26, headers: { ...B26.headers, 'Content-Length': '19' } })).toBe(false);
    expect(await holds({ ...B26, url: 'https://example.com/foo?other' })).toBe(true);
  });
});

const KEY_ID = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U';

/** The Ed25519 vectors of the web-bot-auth architecture draft, version 2. */
const NONCE = 'zIW8+cdmA3vdYagbxojpONwa/l0EKJ/O3/wD486VvsQjO/RxPaSt6ZxvQaMcQzNnqKN/mQ6hpGiFro2L2qkz5A==';
const BARE = {
  method: 'GET',
  url: 'https://example.com/path/to/resource',
  headers: {
    'signature-input': `sig1=("@authority");created=1735689600;keyid="${KEY_ID}";alg="ed25519";expires=4889289600;nonce="${NONCE}";tag="web-bot-auth"`,
    signature: 'sig1=:QKN4fTdIYfh82fvoZCQiQA1weuozfCS/Led2zTMbewMMqH8PI2Wsy/5c4ao6B6D09nraNQdBNOADg8aM1MqfCg==:',
  },
};

const NOW = 1_763_300_000;
const options = (change: Partial<VerifyAgentOptions> = {}): VerifyAgentOptions => ({
  keyOf: (keyId) => (keyId === KEY_ID ? TEST_KEY : undefined),
  nonces: memoryNonces(10, () => NOW),
  nowSeconds: NOW,
  ...change,
});

/** The same, with the operator in a dictionary. */
const NAMED = {
  ...BARE,
  headers: {
    'signature-agent': 'agent2="https://signature-agent.test"',
    'signature-input': `sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="${KEY_ID}";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"`,
    signature: 'sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:',
  },
};

describe('the vectors of web-bot-auth', () => {
  it('verify, with the operator that is signed', async () => {
    expect(await verifyAgent(NAMED, options({ maxLifetimeSeconds: 4e9 }))).toEqual({
      agent: { operator: 'signature-agent.test', key_id: KEY_ID, verified: true },
    });
  });

  it('was signed by its key; without a signed operator it proves nothing about whose agent it is', async () => {
    const signature = only(BARE);
    expect(await isSignedBy(TEST_KEY, signatureBase(BARE, signature) ?? '', signature.bytes)).toBe(true);
    expect(await verifyAgent(BARE, options())).toEqual({
      agent: { operator: 'unknown', key_id: KEY_ID, verified: false },
      reason: 'missing_operator',
    });
  });
});

const pair = generateKeyPairSync('ed25519');
const OWN_KEY = pair.publicKey.export({ format: 'jwk' }) as unknown as AgentJwk;

/** A request of an agent, signed with a key of ours. */
function signed(change: { input?: string; agent?: string; url?: string } = {}) {
  const {
    input = `("@authority" "signature-agent";key="a");created=${NOW - 10};expires=${NOW + 300};keyid="k1";alg="ed25519";nonce="n1";tag="web-bot-auth"`,
    agent = 'a="https://agents.example.com"',
    url = 'https://shop.example.com/checkout',
  } = change;
  const headers = { 'Signature-Agent': agent, 'Signature-Input': `s=${input}`, Signature: 's=::' };
  const request = { method: 'POST', url, headers };
  const base = signatureBase(request, only(request)) ?? '';
  return {
    ...request,
    headers: { ...headers, Signature: `s=:${sign(null, Buffer.from(base), pair.privateKey).toString('base64')}:` },
  };
}

const own = (change: Partial<VerifyAgentOptions> = {}) => options({ keyOf: () => OWN_KEY, ...change });

describe('verifyAgent', () => {
  it('gives the agent that a screening takes, once per nonce', async () => {
    const once = own();
    const agent = { operator: 'agents.example.com', key_id: 'k1' };
    expect(await verifyAgent(signed(), once)).toEqual({ agent: { ...agent, verified: true } });
    expect(await verifyAgent(signed(), once)).toEqual({ agent: { ...agent, verified: false }, reason: 'nonce_reused' });
  });

  it('reads the headers of a fetch request, and the operator as a plain string', async () => {
    const input = `("@authority" "signature-agent");created=${NOW - 10};expires=${NOW + 300};keyid="k1";nonce="n1";tag="web-bot-auth"`;
    const { method, url, headers } = signed({ input, agent: '"https://agents.example.com"' });
    const found = await verifyAgent(new Request(url, { method, headers }), own());
    expect(found?.agent).toEqual({ operator: 'agents.example.com', key_id: 'k1', verified: true });
  });

  it('asks for the key of the operator that is signed, not of another member', async () => {
    const asked: string[] = [];
    const keyOf = (keyId: string, operator: string): AgentJwk => {
      asked.push(`${keyId} ${operator}`);
      return OWN_KEY;
    };
    await verifyAgent(signed({ agent: 'b="https://famous.example", a="https://agents.example.com"' }), own({ keyOf }));
    expect(asked).toEqual(['k1 agents.example.com']);
  });

  const over = (components: string, more = '') =>
    `(${components});created=${NOW - 10};expires=${NOW + 300};keyid="k1";nonce="n1"${more};tag="web-bot-auth"`;
  const BOTH = '"@authority" "signature-agent";key="a"';

  it.each([
    ['operator_not_signed', { input: over('"@authority"') }, {}],
    ['authority_not_signed', { input: over('"signature-agent";key="a"') }, {}],
    ['missing_operator', { agent: 'a="not a url"' }, {}],
    ['unsupported_algorithm', { input: over(BOTH, ';alg="rsa-pss-sha512"') }, {}],
    ['missing_parameter', { input: over(BOTH).replace(';nonce="n1"', '') }, {}],
    ['missing_parameter', { input: over(BOTH).replace(`;expires=${NOW + 300}`, '') }, {}],
    ['expired', {}, { nowSeconds: NOW + 300 }],
    ['not_yet_valid', {}, { nowSeconds: NOW - 100 }],
    ['lifetime_too_long', {}, { maxLifetimeSeconds: 60 }],
    ['unknown_key', {}, { keyOf: (): AgentJwk | undefined => undefined }],
    ['signature_mismatch', {}, { keyOf: (): AgentJwk => TEST_KEY }],
    ['signature_mismatch', {}, { keyOf: (): AgentJwk => ({ kty: 'RSA' }) }],
  ] as const)('%s', async (reason, request, change) => {
    const found = await verifyAgent(signed(request), own(change));
    expect(found).toMatchObject({ agent: { verified: false }, reason });
  });

  it('does not verify for another host, and does not use up the nonce of a forged request', async () => {
    const shared = own();
    const forged = { ...signed(), url: 'https://other.example.com/checkout' };
    expect(await verifyAgent(forged, shared)).toMatchObject({ reason: 'signature_mismatch' });
    expect(await verifyAgent(signed(), shared)).toMatchObject({ agent: { verified: true } });
  });

  it('says nothing of a request without a signature, unless it names its operator', async () => {
    const plain = { method: 'GET', url: 'https://shop.example.com/', headers: {} };
    expect(await verifyAgent(plain, own())).toBeUndefined();
    const named = { ...plain, headers: { 'signature-agent': '"https://agents.example.com"' } };
    expect(await verifyAgent(named, own())).toMatchObject({
      agent: { operator: 'agents.example.com', verified: false },
    });
  });

  it('takes a component that it does not understand, or one twice, for no signature', () => {
    for (const list of ['"@authority";req', '"@authority";sf', '"date";bs'])
      expect(
        messageSignatures({ headers: { 'signature-input': `s=(${list});created=1`, signature: 's=:AA==:' } }),
      ).toEqual([]);
    const twice = only({ headers: { 'signature-input': 's=("@path" "@path");created=1', signature: 's=:AA==:' } });
    expect(signatureBase(B26, twice)).toBeUndefined();
  });
});

describe('memoryNonces', () => {
  it('forgets what has expired, and the oldest beyond its limit', () => {
    let now = 0;
    const nonces = memoryNonces(2, () => now);
    expect([nonces.use('a', 10), nonces.use('a', 10)]).toEqual([true, false]);
    now = 10;
    expect(nonces.use('a', 20)).toBe(true);
    expect([nonces.use('b', 20), nonces.use('c', 20), nonces.use('a', 20)]).toEqual([true, true, true]);
  });
});
