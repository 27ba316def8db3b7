import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { makeAuthority, makeCertificate } from '../../../local/listen/certificates';
import type { SecretEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint';
import { serialiseMessage } from '../../../shared/domain/webhooks/webhook-event';
import { sendDelivery } from '../../../shared/outbound/send-delivery';
import { type SignatureHeaders, signatureHeaders } from '../../../shared/outbound/sign';
import { sized } from '../../support/sized';
import { bodyOf, startTlsReceiver } from '../../support/tls/tls-receiver';
import { type ToVerify, verifySignature } from '../../support/webhooks/verify-signature';
import { accepts, atTime, type Captured, VENDORS } from './vendor-verifiers';

describe('rotation', () => {
  const OLD = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const NEW = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
  const STRANGE = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const T = 1_760_000_000;
  const BODY = Buffer.from('{"id":"msg_1"}');
  const signed = (previousSecret?: string) => ({
    ...signatureHeaders({ secret: NEW, previousSecret, messageId: 'msg_1', body: BODY, timestampSeconds: T }),
  });

  describe('a delivery during a rotation', () => {
    it.each(Object.keys(VENDORS))('%s accepts it with the old secret and with the new one, with no other', (vendor) => {
      const accepted = (secret: string, headers: Record<string, string>): boolean =>
        atTime(T, () => accepts(vendor, { secret, headers, body: BODY }));
      expect([OLD, NEW, STRANGE].map((secret) => accepted(secret, signed(OLD)))).toEqual([true, true, false]);
      expect([OLD, NEW, STRANGE].map((secret) => accepted(secret, signed()))).toEqual([false, true, false]);
    });

    it('is accepted by our own verifier alike', () => {
      const kind = (secret: string, headers: Record<string, string>) =>
        verifySignature({ secrets: [secret], headers, body: BODY, nowSeconds: T }).kind;
      expect([OLD, NEW, STRANGE].map((secret) => kind(secret, signed(OLD)))).toEqual([
        'verified',
        'verified',
        'refused',
      ]);
    });

    it('carries the old signature until the hour that was set, and not a millisecond longer', async () => {
      const authority = await makeAuthority();
      const certificate = await makeCertificate({ names: ['localhost'], authority });
      const received: Array<Record<string, string>> = [];
      const receiver = await startTlsReceiver(certificate, async (request, response) => {
        received.push(request.headers as Record<string, string>);
        await bodyOf(request);
        response.end();
      });
      const endpoint: SecretEndpoint = {
        webhook_id: 'wh_1',
        url: `https://localhost:${receiver.port}/`,
        events: ['case.created'],
        label: null,
        status: 'enabled',
        created_at: '2026-11-14T00:00:00.000Z',
        signing_secret: NEW,
        previous: { secret: OLD, untilMs: T * 1000 + 500 },
      };
      const message = {
        message_id: 'msg_1',
        account_id: 'acc',
        event_type: 'case.created' as const,
        created_at: '',
        body: BODY,
      };
      const hatch = { allowCidrs: ['127.0.0.0/8', '::1/128'], extraCa: authority.cert };
      for (const nowMs of [T * 1000 + 499, T * 1000 + 500]) {
        const send = sendDelivery({ now: () => nowMs }, () => performance.now(), hatch);
        const outcome = await send({ endpoint, message, deliveryId: 'dlv_1', attempt: 1 });
        expect(outcome.kind).toBe('delivered');
      }
      await receiver.close();
      const opened = received.map((headers) =>
        [OLD, NEW].map((secret) => verifySignature({ secrets: [secret], headers, body: BODY, nowSeconds: T }).kind),
      );
      expect(opened).toEqual([
        ['verified', 'verified'],
        ['refused', 'verified'],
      ]);
    });
  });
});

describe('samples', () => {
  const SAMPLES = join(__dirname, '../../../docs/samples/webhooks');
  const GUIDE = join(__dirname, '../../../docs/webhook-verification.md');
  const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`;
  const ID = 'msg_01J9Z3K8Q4V7W2X5Y6Z7A8B9C0';

  const hasPython = spawnSync('python3', ['--version']).status === 0;
  const samples = readdirSync(SAMPLES).filter((file) => file !== 'biome.json');

  const message = serialiseMessage({
    id: ID,
    type: 'transaction.screened',
    created_at: '2026-11-14T12:00:00.000Z',
    api_version: '2026-11-14',
    livemode: false,
    data: { name: 'Zoë \uffff 🦊' },
  });
  if (message.kind !== 'message') throw new Error(message.kind);
  const body = Buffer.from(message.bytes);

  const nowSeconds = (): number => Math.floor(Date.now() / 1000);
  const signed = (timestampSeconds = nowSeconds(), secret = SECRET): Record<string, string> => ({
    ...signatureHeaders({ secret, messageId: ID, body, timestampSeconds }),
  });

  it('there is a sample for each way that the guide names', () => {
    const guide = readFileSync(GUIDE, 'utf8');

    expect(samples.toSorted()).toEqual([
      'node-crypto.mjs',
      'standardwebhooks.mjs',
      'stripe.mjs',
      'svix.mjs',
      'verify.py',
    ]);
    for (const file of samples) expect(guide).toContain(`samples/webhooks/${file}`);
  });

  const runs = samples.filter((file) => !file.endsWith('.py') || hasPython);
  if (!hasPython) it.skip('verify.py, run as a merchant would: needs python3', () => undefined);

  describe.each(runs)('%s, run as a merchant would', (file) => {
    let receiver: ChildProcess;
    let url: string;
    const printed: string[] = [];

    /** The receiver answers before what it printed has come through the pipe. */
    const untilPrinted = async (line: string): Promise<void> => {
      const deadline = Date.now() + 10_000;
      while (!printed.includes(line) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(printed).toContain(line);
    };

    beforeAll(async () => {
      const command = file.endsWith('.py') ? 'python3' : process.execPath;
      receiver = spawn(command, [join(SAMPLES, file)], {
        env: { ...process.env, PORT: '0', WEBHOOK_SECRET: SECRET },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      if (!receiver.stdout) throw new Error('no stdout');
      const lines = createInterface(receiver.stdout).on('line', (line) => printed.push(line));
      const [listening] = (await once(lines, 'line')) as [string];
      url = `http://127.0.0.1:${listening.replace('listening on ', '')}/`;
    });
    afterAll(async () => {
      const exited = once(receiver, 'exit');
      receiver.kill();
      await exited;
    });

    const status = async (headers: Record<string, string>, sent = body): Promise<number> =>
      (await fetch(url, { method: 'POST', headers, body: sent })).status;

    it('accepts a delivery', async () => {
      expect(await status(signed())).toBe(204);
      await untilPrinted(`verified ${ID} transaction.screened`);
    });

    it('refuses one whose body, signature, secret or time is wrong', async () => {
      const tampered = Buffer.from(body.toString().replace('Zoë', 'Zoe'));
      expect(await status(signed(), tampered)).toBe(400);
      expect(await status(signed(nowSeconds(), `whsec_${Buffer.alloc(32).toString('base64')}`))).toBe(400);
      expect(await status(signed(nowSeconds() - 310))).toBe(400);
      const forged = Object.fromEntries(
        Object.entries(signed()).map(([name, value]) => [name, value.replace('v1', 'v0')]),
      );
      expect(await status(forged)).toBe(400);
      expect(await status({})).toBe(400);
      // Still there after all that.
      expect(await status(signed())).toBe(204);
    });

    if (file !== 'stripe.mjs') {
      it('refuses another id, and a time to come (which stripe’s library does not look at)', async () => {
        expect(await status({ ...signed(), 'webhook-id': 'msg_01J9Z3K8Q4V7W2X5Y6Z7A8B9C1' })).toBe(400);
        expect(await status(signed(nowSeconds() + 310))).toBe(400);
      });
    }
  });
});

describe('sign', () => {
  // The promised 5,000 by `npm run test:soak`.
  const BODIES = sized(5_000, 250);
  const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
  const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const ID = 'evt_01J9Z3K8Q4V7W2X5Y6Z7A8B9C0';
  const T = 1_760_000_000;
  const BODY = Buffer.from(
    `{"id":"${ID}","type":"transaction.screened","timestamp":"2025-10-09T08:53:20.000Z","livemode":false,"data":{"name":"Zoë"}}`,
  );
  const HEADERS = signatureHeaders({ secret: SECRET, messageId: ID, body: BODY, timestampSeconds: T });

  const verify = (change: Partial<ToVerify> = {}) =>
    verifySignature({ secrets: [SECRET], headers: { ...HEADERS }, body: BODY, nowSeconds: T, ...change });
  const captured = (change: Partial<Captured> = {}): Captured => ({
    secret: SECRET,
    headers: { ...HEADERS },
    body: BODY,
    ...change,
  });

  describe('the fixed vector', () => {
    it('has exactly these headers', () => {
      expect(HEADERS).toEqual({
        'X-Service-Signature': 't=1760000000,v1=dc57af2fd7e276e19d66347e9ea3c99780bf013c152b5ef86c1e4a2b7ecbf244',
        'webhook-id': ID,
        'webhook-timestamp': '1760000000',
        'webhook-signature': 'v1,LjmNsz1/EJ3vVKJlfAb/HjHb5nTVgb5i3ng39RhrCB8=',
      });
    });

    it('is accepted by our verifier and by all three vendors', () => {
      expect(verify()).toEqual({ kind: 'verified', messageId: ID, timestampSeconds: T });
      for (const vendor of Object.keys(VENDORS))
        expect([vendor, atTime(T, () => accepts(vendor, captured()))]).toEqual([vendor, true]);
    });
  });

  describe('bodies of every kind', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '\uffff',
        '\ufffe',
        '\ufeff',
        '\u2028',
        '\u0000',
        '\ud800',
        '👩‍👩‍👧‍👦',
        '🇪🇺',
        'Zoë',
        '\u{10ffff}',
      ),
    );
    const data = fc.dictionary(
      text,
      fc.oneof(text, fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
    );
    const secret = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((key) => `whsec_${Buffer.from(key).toString('base64')}`);

    it(`${BODIES} random ones are verified by stripe, standardwebhooks, svix and ourselves`, () => {
      const verified = { stripe: 0, standardwebhooks: 0, svix: 0, ours: 0 } as Record<string, number>;
      atTime(T, () =>
        fc.assert(
          fc.property(data, secret, fc.integer({ min: -300, max: 300 }), (members, key, skew) => {
            const body = Buffer.from(JSON.stringify({ id: ID, data: members }));
            const headers = signatureHeaders({ secret: key, messageId: ID, body, timestampSeconds: T + skew });
            for (const [vendor, verifyAsVendor] of Object.entries(VENDORS)) {
              // Not `accepts`: the vendor's own error is the message of a failure.
              verifyAsVendor({ secret: key, headers: { ...headers }, body });
              verified[vendor] = (verified[vendor] ?? 0) + 1;
            }
            const own = verifySignature({ secrets: [key], headers: { ...headers }, body, nowSeconds: T });
            if (own.kind === 'verified') verified.ours = (verified.ours ?? 0) + 1;
          }),
          { numRuns: BODIES },
        ),
      );
      expect(verified).toEqual({ stripe: BODIES, standardwebhooks: BODIES, svix: BODIES, ours: BODIES });
    });
  });

  /** Each byte of a text changed in one bit; over the bytes, every bit has its turn. */
  const flips = (original: Buffer): Buffer[] =>
    Array.from({ length: original.length }, (_, at) => {
      const flipped = Buffer.from(original);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at & 7));
      return flipped;
    });

  describe('tampering', () => {
    it('each flipped byte of the body is refused by ours and by the vendors', () => {
      for (const body of flips(BODY)) {
        expect(verify({ body })).toEqual({ kind: 'refused', reason: 'signature_mismatch' });
        for (const vendor of Object.keys(VENDORS))
          expect(atTime(T, () => accepts(vendor, captured({ body })))).toBe(false);
      }
    });

    it.each(Object.keys(HEADERS) as (keyof SignatureHeaders)[])('each flipped byte of %s is refused', (name) => {
      for (const value of flips(Buffer.from(HEADERS[name]))) {
        const headers = { ...HEADERS, [name]: value.toString('latin1') };
        expect(verify({ headers }).kind).toBe('refused');
        const verifiers = name === 'X-Service-Signature' ? ['stripe'] : ['standardwebhooks', 'svix'];
        for (const vendor of verifiers) expect(atTime(T, () => accepts(vendor, captured({ headers })))).toBe(false);
      }
    });

    it.each(Object.keys(HEADERS))('refuses a delivery without %s', (name) => {
      const { [name as keyof SignatureHeaders]: _gone, ...headers } = HEADERS;
      expect(verify({ headers })).toEqual({ kind: 'refused', reason: 'missing_header' });
    });

    it('refuses the base64 that differs only in its two idle bits', () => {
      const headers = { ...HEADERS, 'webhook-signature': HEADERS['webhook-signature'].replace('8=', '9=') };
      const digest = (text: string) => Buffer.from(text.slice(3), 'base64');
      expect(digest(headers['webhook-signature'])).toEqual(digest(HEADERS['webhook-signature']));
      expect(verify({ headers }).kind).toBe('refused');
    });

    it('refuses two dialects that disagree about the time', () => {
      const later = signatureHeaders({ secret: SECRET, messageId: ID, body: BODY, timestampSeconds: T + 1 });
      const headers = { ...HEADERS, 'X-Service-Signature': later['X-Service-Signature'] };
      expect(verify({ headers })).toEqual({ kind: 'refused', reason: 'malformed_header' });
    });
  });

  describe('replays', () => {
    it.each([
      [-301, 'timestamp_too_old'],
      [+301, 'timestamp_too_new'],
    ] as const)('a signature of %i s is refused by ours, standardwebhooks and svix', (skew, reason) => {
      const headers = {
        ...signatureHeaders({ secret: SECRET, messageId: ID, body: BODY, timestampSeconds: T + skew }),
      };
      expect(verify({ headers })).toEqual({ kind: 'refused', reason });
      for (const vendor of ['standardwebhooks', 'svix']) {
        expect(atTime(T, () => accepts(vendor, captured({ headers })))).toBe(false);
      }
      // Stripe's library looks backwards only; the guide says so.
      expect(atTime(T, () => accepts('stripe', captured({ headers })))).toBe(skew > 0);
    });

    it.each([-300, 300])('one of %i s is accepted by all', (skew) => {
      const headers = {
        ...signatureHeaders({ secret: SECRET, messageId: ID, body: BODY, timestampSeconds: T + skew }),
      };
      expect(verify({ headers }).kind).toBe('verified');
      for (const vendor of Object.keys(VENDORS))
        expect(atTime(T, () => accepts(vendor, captured({ headers })))).toBe(true);
    });
  });

  describe('secrets', () => {
    it('accepts any of several, and refuses when none fits or there is none', () => {
      expect(verify({ secrets: [OTHER_SECRET, SECRET] }).kind).toBe('verified');
      expect(verify({ secrets: [OTHER_SECRET] })).toEqual({ kind: 'refused', reason: 'signature_mismatch' });
      expect(verify({ secrets: [] })).toEqual({ kind: 'refused', reason: 'signature_mismatch' });
    });

    it('accepts headers that carry signatures of two secrets, as in a rotation', () => {
      const other = signatureHeaders({ secret: OTHER_SECRET, messageId: ID, body: BODY, timestampSeconds: T });
      const headers = {
        ...HEADERS,
        'X-Service-Signature': `${other['X-Service-Signature']},v1=${HEADERS['X-Service-Signature'].split('v1=')[1]}`,
        'webhook-signature': `${other['webhook-signature']} ${HEADERS['webhook-signature']}`,
      };
      expect(verify({ headers }).kind).toBe('verified');
      for (const vendor of Object.keys(VENDORS))
        expect(atTime(T, () => accepts(vendor, captured({ headers })))).toBe(true);
    });

    it.each(['', 'whsec_', 'AAECAwQFBgcICQoLDA0ODw==', 'whsec_!!!!'])('does not sign with %j', (secret) => {
      expect(() => signatureHeaders({ secret, messageId: ID, body: BODY, timestampSeconds: T })).toThrow('whsec_');
    });

    it('does not sign a fraction of a second', () => {
      expect(() => signatureHeaders({ secret: SECRET, messageId: ID, body: BODY, timestampSeconds: T + 0.5 })).toThrow(
        'whole',
      );
    });
  });

  it('reads header names in any case', () => {
    const headers = Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), value]));
    expect(verify({ headers }).kind).toBe('verified');
  });
});
