import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { type ConstructOptions, constructEvent, type ReceivedHeaders } from '../../../sdk/client/src';
import { signatureHeaders } from '../../../shared/outbound/sign';

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
            ...signatureHeaders({ secret: SECRET, messageId: ID, body: Buffer.from(body), timestampSeconds: T + skew }),
          },
        ];
        for (const each of headers) expect(await constructEvent(body, each, SECRET, NOW)).toEqual(JSON.parse(body));
      }),
      { numRuns: 500 },
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
