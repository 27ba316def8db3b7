import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { type ConstructOptions, constructEvent, type ReceivedHeaders } from '../../../sdk/client/src';
import {
  type AgentJwk,
  isSignedBy,
  memoryNonces,
  messageSignatures,
  signatureBase,
  type VerifyAgentOptions,
  verifyAgent,
} from '../../../sdk/client/src/verify-agent';
import { signatureHeaders } from '../../../shared/outbound/sign';
import { sized } from '../../support/sized';

describe('construct event', () => {
  const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
  const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const ID = 'evt_01J9Z3K8Q4V7W2X5Y6Z7A8B9C0';
  const T = 1_760_000_000;
  const BODY = `{"id":"${ID}","type":"transaction.screened","timestamp":"2025-10-09T08:53:20.000Z","livemode":false,"data":{"name":"Zoë"}}`;
  const SERVICE = {
    'X-Service-Signature': 't=1760000000,v1=dc57af2fd7e276e19d66347e9ea3c99780bf013c152b5ef86c1e4a2b7ecbf244',
  };
  const STANDARD = {
    'webhook-id': ID,
    'webhook-timestamp': '1760000000',
    'webhook-signature': 'v1,LjmNsz1/EJ3vVKJlfAb/HjHb5nTVgb5i3ng39RhrCB8=',
  };
  const BOTH = { ...STANDARD, ...SERVICE };
  const NOW: ConstructOptions = { nowSeconds: T };

  /** The reason of a refusal, or the id of an event. */
  const verdict = (
    headers: ReceivedHeaders,
    {
      body = BODY,
      secrets = SECRET,
      options = NOW,
    }: { body?: string; secrets?: string | string[]; options?: object } = {},
  ): Promise<string> =>
    constructEvent(body, headers, secrets, options).then(
      ({ id }) => id,
      (error: { reason?: string }) => error.reason ?? String(error),
    );

  describe('the fixed vector', () => {
    it.each([
      ['both families', BOTH],
      ['Standard Webhooks alone', STANDARD],
      ['X-Service-Signature alone', SERVICE],
      ['the Headers of a fetch request', new Headers(BOTH)],
      [
        'names in other cases',
        Object.fromEntries(Object.entries(BOTH).map(([name, value]) => [name.toUpperCase(), value])),
      ],
      ['values in arrays', Object.fromEntries(Object.entries(BOTH).map(([name, value]) => [name, [value]]))],
    ])('is accepted with %s', async (_name, headers) => {
      const event = await constructEvent(BODY, headers, SECRET, NOW);
      expect(event).toMatchObject({ id: ID, type: 'transaction.screened', data: { name: 'Zoë' } });
    });

    it.each([
      ['text', BODY],
      ['a Buffer', Buffer.from(BODY)],
      [
        'bytes in the middle of a buffer',
        new Uint8Array(Buffer.from(`xx${BODY}yy`)).subarray(2, 2 + Buffer.byteLength(BODY)),
      ],
      ['an ArrayBuffer', new Uint8Array(Buffer.from(BODY)).buffer],
    ])('is accepted as %s', async (_name, payload) => {
      expect((await constructEvent(payload, BOTH, SECRET, NOW)).id).toBe(ID);
    });
  });

  describe('deliveries that the vendors’ libraries sign', () => {
    const message = fc.record({ id: fc.constant(ID), type: fc.constant('case.created'), data: fc.jsonValue() });

    it('500 random ones of each are accepted', async () => {
      const { webhooks } = new Stripe('unused');
      await fc.assert(
        fc.asyncProperty(message, fc.integer({ min: -300, max: 300 }), async (sent, skew) => {
          const body = JSON.stringify(sent);
          const at = new Date((T + skew) * 1000);
          const timestamp = String(T + skew);
          const standard = { 'webhook-id': ID, 'webhook-timestamp': timestamp };
          const headers: Record<string, string>[] = [
            {
              'x-service-signature': webhooks.generateTestHeaderString({
                payload: body,
                secret: SECRET,
                timestamp: T + skew,
              }),
            },
            { ...standard, 'webhook-signature': new StandardWebhook(SECRET).sign(ID, at, body) },
            { ...standard, 'webhook-signature': new SvixWebhook(SECRET).sign(ID, at, body) },
            {
              ...signatureHeaders({
                secret: SECRET,
                messageId: ID,
                body: Buffer.from(body),
                timestampSeconds: T + skew,
              }),
            },
          ];
          for (const each of headers) expect(await constructEvent(body, each, SECRET, NOW)).toEqual(JSON.parse(body));
        }),
        { numRuns: sized(500, 120) },
      );
    });
  });

  describe('time', () => {
    const at = (skew: number, options: object = {}) =>
      verdict(
        { ...signatureHeaders({ secret: SECRET, messageId: ID, body: Buffer.from(BODY), timestampSeconds: T + skew }) },
        {
          options: { nowSeconds: T, ...options },
        },
      );

    it('may be 300 s off, in both directions', async () => {
      expect(await Promise.all([at(-300), at(300), at(0)])).toEqual([ID, ID, ID]);
      expect(await Promise.all([at(-301), at(301)])).toEqual(['timestamp_too_old', 'timestamp_too_new']);
    });

    it('may be as far off as you say', async () => {
      const options = { toleranceSeconds: 10 };
      expect(await Promise.all([at(-10, options), at(-11, options), at(11, options)])).toEqual([
        ID,
        'timestamp_too_old',
        'timestamp_too_new',
      ]);
    });

    it('is this machine’s where you say nothing', async () => {
      expect(await verdict(BOTH, { options: {} })).toBe('timestamp_too_old');
    });

    it('of either family is looked at', async () => {
      const old = { secret: SECRET, messageId: ID, body: Buffer.from(BODY), timestampSeconds: T - 400 };
      const stale = signatureHeaders(old)['X-Service-Signature'];
      expect(await verdict({ ...STANDARD, 'X-Service-Signature': stale })).toBe('timestamp_too_old');
    });
  });

  describe('secrets', () => {
    it('several are tried, whichever it was', async () => {
      expect(await verdict(BOTH, { secrets: [OTHER_SECRET, SECRET] })).toBe(ID);
      expect(await verdict(BOTH, { secrets: [SECRET, OTHER_SECRET] })).toBe(ID);
      expect(await verdict(BOTH, { secrets: [OTHER_SECRET] })).toBe('signature_mismatch');
    });

    it('several signatures in a header are tried', async () => {
      const signature = `v1,${'A'.repeat(43)}= v2,junk ${STANDARD['webhook-signature']}`;
      expect(await verdict({ ...STANDARD, 'webhook-signature': signature })).toBe(ID);
      const value = SERVICE['X-Service-Signature'].replace(',', `,v1=${'0'.repeat(64)},v0=junk,`);
      expect(await verdict({ 'X-Service-Signature': value })).toBe(ID);
    });

    it('one secret must have made both families', async () => {
      const other = { secret: OTHER_SECRET, messageId: ID, body: Buffer.from(BODY), timestampSeconds: T };
      const mixed = { ...STANDARD, 'X-Service-Signature': signatureHeaders(other)['X-Service-Signature'] };
      expect(await verdict(mixed, { secrets: [SECRET, OTHER_SECRET] })).toBe('signature_mismatch');
    });

    it.each(['', 'whsec_', 'secret', 'whsec_ü', []])('%p is none, and is said to be none', async (secrets) => {
      for (const headers of [STANDARD, SERVICE]) {
        await expect(constructEvent(BODY, headers, secrets, NOW)).rejects.toThrow(TypeError);
      }
    });
  });

  describe('what was tampered with is refused', () => {
    /** The text with one bit of each character changed in turn; control characters could not have been sent. */
    const flips = (text: string): string[] =>
      Array.from(text, (_, at) => {
        const flipped = String.fromCharCode(text.charCodeAt(at) ^ (1 << (at & 3)));
        return text.slice(0, at) + flipped + text.slice(at + 1);
      });

    it('each character of the body', async () => {
      for (const body of flips(BODY)) expect(await verdict(BOTH, { body })).not.toBe(ID);
    });

    it.each(Object.keys(BOTH) as (keyof typeof BOTH)[])('each character of %s', async (name) => {
      for (const value of flips(BOTH[name])) expect(await verdict({ ...BOTH, [name]: value })).not.toBe(ID);
    });

    it.each<[string, Record<string, string | string[]>, string]>([
      ['no headers', {}, 'missing_header'],
      ['no id', { ...STANDARD, 'webhook-id': '' }, 'missing_header'],
      ['no timestamp', { ...STANDARD, 'webhook-timestamp': '' }, 'missing_header'],
      ['no t', { 'X-Service-Signature': 'v1=00' }, 'malformed_header'],
      ['two t', { 'X-Service-Signature': `t=1,${SERVICE['X-Service-Signature']}` }, 'malformed_header'],
      [
        'a t with a space',
        { 'X-Service-Signature': SERVICE['X-Service-Signature'].replace('t=', 't= ') },
        'malformed_header',
      ],
      ['a time in words', { ...STANDARD, 'webhook-timestamp': 'now' }, 'malformed_header'],
      ['a header twice', { ...STANDARD, 'webhook-signature': ['v1,a', 'v1,b'] }, 'malformed_header'],
      ['no v1', { ...STANDARD, 'webhook-signature': 'v2,abc' }, 'signature_mismatch'],
      ['an id that only the unsigned header has', { ...SERVICE, 'webhook-id': 'evt_other' }, 'malformed_payload'],
    ])('%s', async (_name, headers, reason) => {
      expect(await verdict(headers)).toBe(reason);
    });
  });

  describe('what is signed and yet no event', () => {
    it.each(['', 'null', '[]', '{"id":1,"type":"case.created"}', '{"id":"msg_1"}', '{'])('%p', async (body) => {
      const headers = signatureHeaders({
        secret: SECRET,
        messageId: 'msg_1',
        body: Buffer.from(body),
        timestampSeconds: T,
      });
      expect(await verdict({ ...headers }, { body })).toBe('malformed_payload');
    });

    it('a parsed body is refused with the reason', async () => {
      await expect(constructEvent(JSON.parse(BODY), BOTH, SECRET, NOW)).rejects.toThrow('raw body');
    });
  });
});

describe('verify agent', () => {
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
      expect(await verifyAgent(signed(), once)).toEqual({
        agent: { ...agent, verified: false },
        reason: 'nonce_reused',
      });
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
      await verifyAgent(
        signed({ agent: 'b="https://famous.example", a="https://agents.example.com"' }),
        own({ keyOf }),
      );
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
});
