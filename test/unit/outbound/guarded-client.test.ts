import type { RequestListener, ServerResponse } from 'node:http';
import type { ServerOptions } from 'node:https';
import { connect, type SecureVersion } from 'node:tls';
import { type Certificate, makeAuthority, makeCertificate } from '../../../local/listen/certificates';
import type { DeliveryOutcome } from '../../../shared/domain/webhooks/retry-schedule';
import { isDeliverableAddress } from '../../../shared/domain/webhooks/webhook-endpoint';
import { DEADLINE_MS, type GuardedPost, postGuarded } from '../../../shared/outbound/guarded-client';
import { type LookupAll, resolvePublic, systemLookup } from '../../../shared/outbound/resolve-public';
import { patient } from '../../support/patience';
import { countConnections } from '../../support/tls/count-connections';
import {
  bodyOf,
  type Receiver,
  startTcpReceiver,
  startTlsReceiver,
  type TlsReceiver,
} from '../../support/tls/tls-receiver';
import { NOT_PUBLIC, ODD_URLS, PUBLIC } from './addresses';
import { fixedLookup, postToLoopback } from './post-to-loopback';

describe('guarded client', () => {
  let authority: Certificate;
  let certificate: Certificate;
  beforeAll(async () => {
    authority = await makeAuthority();
    certificate = await makeCertificate({ names: ['receiver.test'], addresses: ['127.0.0.1'], authority });
  });

  async function exchange(
    listener: RequestListener,
    change: Partial<GuardedPost> | ((port: number) => Partial<GuardedPost>) = {},
  ): Promise<{ readonly outcome: DeliveryOutcome; readonly receiver: TlsReceiver }> {
    const receiver = await startTlsReceiver(certificate, listener);
    try {
      const changes = typeof change === 'function' ? change(receiver.port) : change;
      return { outcome: await postToLoopback(receiver.port, authority.cert, changes), receiver };
    } finally {
      await receiver.close();
    }
  }

  const answering =
    (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
    (_request, response) =>
      response.writeHead(status, headers).end(body);

  describe('what arrives', () => {
    it('is one POST with the very bytes, the path, our headers, and the name as Host and SNI', async () => {
      const seen: unknown[] = [];
      const { outcome, receiver } = await exchange(async (request, response) => {
        const { method, url, headers } = request;
        seen.push([method, url, (await bodyOf(request)).toString(), headers]);
        response.writeHead(204).end();
      });
      expect(outcome).toMatchObject({ kind: 'delivered', status_code: 204, answer: '', retry_after: null });
      expect(seen).toEqual([
        [
          'POST',
          '/hooks?a=b',
          '{"name":"Zoë"}',
          {
            host: `receiver.test:${receiver.port}`,
            'content-type': 'application/json',
            'content-length': '15',
            connection: 'close',
          },
        ],
      ]);
      expect(receiver.serverNames).toEqual(['receiver.test']);
      expect(receiver.connections()).toBe(1);
    });

    it('cannot be given another Host', async () => {
      const hosts: unknown[] = [];
      const { receiver } = await exchange(
        (request, response) => {
          hosts.push(request.headers.host);
          response.end();
        },
        { headers: { Host: 'metadata.internal' } },
      );
      expect(hosts).toEqual([`receiver.test:${receiver.port}`]);
    });

    it('an address literal works through the escape hatch, without SNI and without a look-up', async () => {
      const lookup = fixedLookup('127.0.0.9');
      const { outcome, receiver } = await exchange(answering(200), (port) => ({
        url: `https://127.0.0.1:${port}/`,
        lookup,
      }));
      expect(outcome.kind).toBe('delivered');
      expect(receiver.serverNames).toEqual(['']);
      expect(lookup.asked).toEqual([]);
    });

    it('a second address of the name is tried when the first refuses', async () => {
      const { outcome } = await exchange(answering(200), { lookup: fixedLookup('127.0.0.77', '127.0.0.1') });
      expect(outcome.kind).toBe('delivered');
    });
  });

  describe('the status line decides', () => {
    it.each([200, 201, 202, 204, 299])('%i is a delivery', async (status) => {
      expect((await exchange(answering(status))).outcome).toMatchObject({ kind: 'delivered', status_code: status });
    });

    it.each([300, 304, 400, 401, 404, 410, 429, 500, 503, 599])('%i is a refusal', async (status) => {
      const { outcome } = await exchange(answering(status, { 'retry-after': '120' }, status === 304 ? '' : 'because'));
      const answer = status === 304 ? '' : 'because';
      expect(outcome).toMatchObject({ kind: 'refused', status_code: status, answer, retry_after: '120' });
    });

    it.each([301, 302, 303, 307, 308])('a %i is not followed', async (status) => {
      const elsewhere = await startTlsReceiver(certificate, answering(200));
      const location = `https://receiver.test:${elsewhere.port}/`;
      const { outcome, receiver } = await exchange(answering(status, { location }));
      expect(outcome).toMatchObject({ kind: 'refused', status_code: status });
      expect([receiver.connections(), elsewhere.connections()]).toEqual([1, 0]);
      await elsewhere.close();
    });

    it('interim answers are passed over', async () => {
      const { outcome } = await exchange((_request, response) => {
        response.writeProcessing();
        response.writeEarlyHints({ link: '</style.css>; rel=preload' });
        response.writeHead(200).end('done');
      });
      expect(outcome).toMatchObject({ kind: 'delivered', answer: 'done' });
    });

    it('an upgrade that nobody asked for is a failure', async () => {
      const { outcome } = await exchange(answering(101, { connection: 'upgrade', upgrade: 'websocket' }));
      expect(outcome.kind).toBe('network');
    });

    it.each([
      ['200 and an endless trickle', (response: ServerResponse) => trickle(response.writeHead(200)), 'delivered'],
      ['500 and an endless trickle', (response: ServerResponse) => trickle(response.writeHead(500)), 'refused'],
      [
        '200 and a body that never comes',
        (response: ServerResponse) => response.writeHead(200).flushHeaders(),
        'delivered',
      ],
      [
        '200 and a body that breaks off',
        (response: ServerResponse) => {
          response.writeHead(200, { 'content-length': '100' });
          response.write('half', () => response.socket?.destroy());
        },
        'delivered',
      ],
    ])('%s is latched: it is over well before the deadline', async (_what, answer, kind) => {
      const { outcome } = await exchange((_request, response) => answer(response), { deadlineMs: 30_000 });
      expect(outcome.kind).toBe(kind);
      // Measured to the status; the wait for the body ends by itself or this test would take 30 s.
      expect(outcome.duration_ms).toBeLessThan(10_000);
    });

    it('reads 4 KB at most and keeps 1 KB, without half a character', async () => {
      let written = 0;
      const { outcome } = await exchange((_request, response) => {
        response.writeHead(200);
        const flood = (): void => {
          while (!response.destroyed && written < 64e6) {
            written += 1e5;
            if (!response.write('aé€🦊'.repeat(1e4))) return void response.once('drain', flood);
          }
        };
        flood();
      });
      if (outcome.kind !== 'delivered') throw new Error(`${outcome.kind}`);
      expect(Buffer.byteLength(outcome.answer)).toBeLessThanOrEqual(1_024);
      expect(Buffer.byteLength(outcome.answer)).toBeGreaterThan(1_020);
      expect('aé€🦊'.repeat(110).startsWith(outcome.answer)).toBe(true);
      // Buffers of both ends fill up to some MB, but nobody sent the 64 MB.
      expect(written).toBeLessThan(64e6);
    });
  });

  it('a receiver that answers and hangs up before it has read 64 KB has still answered', async () => {
    const { outcome } = await exchange(
      (_request, response) => response.writeHead(413, { connection: 'close' }).end('too much', () => undefined),
      { body: Buffer.alloc(65_536, 'x') },
    );
    expect(outcome).toMatchObject({ kind: 'refused', status_code: 413, answer: 'too much' });
  });

  describe('failures of the way', () => {
    it('nobody listens', async () => {
      const receiver = await startTlsReceiver(certificate, answering(200));
      await receiver.close();
      const outcome = await postToLoopback(receiver.port, authority.cert);
      expect(outcome).toMatchObject({ kind: 'network', reason: 'ECONNREFUSED' });
    });

    it.each([
      ['hangs up', (response: ServerResponse) => response.socket?.destroy(), 'ECONNRESET'],
      ['is no HTTP', (response: ServerResponse) => response.socket?.end('hello\r\n\r\n'), 'HPE_INVALID_CONSTANT'],
      [
        'sends 17 KB of headers',
        (response: ServerResponse) => response.writeHead(200, { 'x-much': 'x'.repeat(17_000) }).end(),
        'HPE_HEADER_OVERFLOW',
      ],
    ])('a receiver that %s', async (_what, answer, reason) => {
      const { outcome } = await exchange((_request, response) => answer(response));
      expect(outcome).toMatchObject({ kind: 'network', reason });
    });

    it('a name without an answer, and one with an empty answer', async () => {
      const lookup = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
      expect(await postToLoopback(1, authority.cert, { lookup })).toMatchObject({
        kind: 'network',
        reason: 'ENOTFOUND',
      });
      const empty = await postToLoopback(1, authority.cert, { lookup: fixedLookup() });
      expect(empty).toMatchObject({ kind: 'network', reason: 'ENODATA' });
    });

    it('an address that cannot be reached fails at once, and quietly', async () => {
      const change = { lookup: fixedLookup('255.255.255.255'), allowCidrs: ['255.255.255.255/32'] };
      expect((await postToLoopback(443, authority.cert, change)).kind).toBe('network');
    });

    it('a header that cannot be sent is our mistake and is thrown', async () => {
      const post = exchange(answering(200), { headers: { 'x-service-event': 'a\nb' } });
      await expect(post).rejects.toThrow('Invalid character in header');
    });
  });

  function trickle(response: ServerResponse): void {
    const timer = setInterval(() => response.write('.'), 10);
    response.on('close', () => clearInterval(timer));
  }
});

describe('guarded client addresses', () => {
  const attempt = (change: Partial<GuardedPost>) =>
    countConnections(() =>
      postGuarded({
        url: 'https://public.example/hooks',
        headers: {},
        body: Buffer.from('{}'),
        now: () => performance.now(),
        deadlineMs: 2_000,
        lookup: fixedLookup('127.0.0.1'),
        ...change,
      }),
    );

  const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);

  it('the table has 37 addresses', () => expect(new Set(NOT_PUBLIC.map(([address]) => address)).size).toBe(37));

  describe.each(NOT_PUBLIC)('%s (%s)', (address) => {
    const blocked = { result: { kind: 'blocked' }, connects: 0 };

    it('is blocked as a literal', async () => {
      const lookup = fixedLookup('93.184.216.34');
      expect(await attempt({ url: `https://${inUrl(address)}/hooks`, lookup })).toMatchObject(blocked);
      expect(lookup.asked).toEqual([]);
      expect(isDeliverableAddress(address, [])).toBe(false);
    });

    it('is blocked as the answer of DNS', async () => {
      expect(await attempt({ lookup: fixedLookup(address) })).toMatchObject(blocked);
    });

    it('is blocked first, amid and last among public answers', async () => {
      for (const at of [0, 1, 2]) {
        const answers = ['93.184.216.34', '2606:4700:4700::1111'].toSpliced(at, 0, address);
        expect(await attempt({ lookup: fixedLookup(...answers) })).toMatchObject(blocked);
      }
    });
  });

  it.each(ODD_URLS)('%s is blocked and opens no socket', async (url) => {
    const { result, connects } = await attempt({ url });
    expect([result.kind, connects]).toEqual(['blocked', 0]);
  });

  it.each(['', 'not an address', '127.0.0.1:443', 'fe80::1%eth0', '1.1.1', '::ffff:1.1.1.1/8'])(
    'an answer of DNS that reads %j is blocked',
    async (address) => {
      const { result, connects } = await attempt({ lookup: fixedLookup(address) });
      expect([result.kind, connects]).toEqual(['blocked', 0]);
    },
  );

  it.each(PUBLIC)('%s passes, as a literal and as an answer', async (address) => {
    const lookup = fixedLookup(address);
    const passed = { kind: 'addresses', addresses: [{ address }] };
    expect(await resolvePublic(address, lookup, [])).toMatchObject(passed);
    expect(lookup.asked).toEqual([]);
    expect(await resolvePublic('public.example', lookup, [])).toMatchObject(passed);
  });

  describe('rebinding', () => {
    /** A name that moves every time it is asked. */
    const moving = (...turns: readonly string[]): LookupAll & { asked: () => number } => {
      let asked = 0;
      const lookup: LookupAll = async () => [{ address: turns[asked++] ?? '127.0.0.1', family: 4 }];
      return Object.assign(lookup, { asked: () => asked });
    };

    it('between registration and sending: what was public is blocked once it is not, without a socket', async () => {
      const trap = await startTcpReceiver();
      const lookup = moving('93.184.216.34', '127.0.0.1');
      expect((await resolvePublic('public.example', lookup, [])).kind).toBe('addresses');
      const { result, connects } = await attempt({ url: `https://public.example:${trap.port}/`, lookup });
      expect([result.kind, connects, trap.connections()]).toEqual(['blocked', 0, 0]);
      await trap.close();
    });

    it('between check and connect: there is one look-up, and its answer is where the connection goes', async () => {
      const authority = await makeAuthority();
      const certificate = await makeCertificate({ names: ['receiver.test'], authority });
      const checked = await startTlsReceiver(certificate, (_request, response) => response.end());
      const trap = await startTlsReceiver(certificate, (_request, response) => response.end(), {
        address: '127.0.0.2',
        port: checked.port,
      });
      const lookup = moving('127.0.0.1', '127.0.0.2', '127.0.0.2');
      const { result, connects } = await countConnections(() =>
        postToLoopback(checked.port, authority.cert, { lookup }),
      );
      expect([result.kind, connects, lookup.asked()]).toEqual(['delivered', 1, 1]);
      expect([checked.connections(), trap.connections()]).toEqual([1, 0]);
      await Promise.all([checked.close(), trap.close()]);
    });
  });

  describe('the escape hatch', () => {
    it('opens its blocks and no others', async () => {
      const allowCidrs = ['127.0.0.0/8', '::1/128'];
      for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
        expect([address, isDeliverableAddress(address, allowCidrs)]).toEqual([address, true]);
      }
      for (const address of ['10.0.0.1', '169.254.169.254', '::2', '::7f00:1', 'fd00:ec2::254']) {
        expect([address, isDeliverableAddress(address, allowCidrs)]).toEqual([address, false]);
      }
      const mixed = await attempt({ allowCidrs, lookup: fixedLookup('127.0.0.1', '10.0.0.1') });
      expect([mixed.result.kind, mixed.connects]).toEqual(['blocked', 0]);
    });

    it('resolves localhost as this machine does', async () => {
      const resolution = await resolvePublic('localhost', systemLookup, ['127.0.0.0/8', '::1/128']);
      expect(resolution.kind).toBe('addresses');
      expect((await resolvePublic('localhost', systemLookup, [])).kind).toBe('blocked');
    });
  });
});

describe('guarded client deadline', () => {
  let authority: Certificate;
  let certificate: Certificate;
  beforeAll(async () => {
    authority = await makeAuthority();
    certificate = await makeCertificate({ names: ['receiver.test'], authority });
  });

  const post = (receiver: Receiver, change: Partial<GuardedPost> = {}) =>
    postToLoopback(receiver.port, authority.cert, change);

  const answeringAfter =
    (delayMs: number): RequestListener =>
    (_request, response) => {
      setTimeout(() => response.writeHead(200).end('late'), delayMs);
    };

  it('is 10 s where nothing else is said', () => expect(DEADLINE_MS).toBe(10_000));

  describe('a shorter deadline, wherever the receiver hangs', () => {
    // Long enough to get as far as where the receiver hangs, on a busy machine too.
    const deadlineMs = patient(100);
    const close = (receiver: Receiver) => receiver.close();

    it('in DNS', async () => {
      const lookup = () => new Promise<never>(() => undefined);
      const outcome = await postToLoopback(1, authority.cert, { deadlineMs, lookup });
      expect(outcome).toMatchObject({ kind: 'timeout', phase: 'dns' });
    });

    it('in TLS', async () => {
      const receiver = await startTcpReceiver();
      const outcome = await post(receiver, { deadlineMs });
      expect(outcome).toMatchObject({ kind: 'timeout', phase: 'tls' });
      await close(receiver);
    });

    it.each<[string, RequestListener]>([
      ['before the status line', () => undefined],
      ['in interim answers without end', (_request, response) => repeat(response, () => response.writeProcessing())],
      [
        'in headers that trickle',
        (_request, response) => {
          response.socket?.write('HTTP/1.1 200 OK\r\n');
          repeat(response, () => response.socket?.write('x-a: b\r\n'));
        },
      ],
    ])('%s', async (_where, listener) => {
      const receiver = await startTlsReceiver(certificate, listener);
      const outcome = await post(receiver, { deadlineMs: 2 * deadlineMs });
      expect(outcome).toMatchObject({ kind: 'timeout', phase: 'headers' });
      await close(receiver);
    });

    it('is one deadline: DNS and the answer share it', async () => {
      const receiver = await startTlsReceiver(certificate, answeringAfter(400));
      const lookup = async () => {
        await new Promise((resolve) => setTimeout(resolve, 400));
        return [{ address: '127.0.0.1', family: 4 as const }];
      };
      const outcome = await post(receiver, { deadlineMs: 600, lookup });
      // On a busy machine the TLS handshake is not over yet.
      expect(outcome).toMatchObject({ kind: 'timeout', phase: expect.stringMatching(/^(tls|headers)$/) });
      await close(receiver);
    });

    it('leaves no socket behind', async () => {
      const closed = new Promise<void>((resolve) => {
        void startTcpReceiver((socket) => {
          // A paused socket never hears that the other end has gone.
          socket.resume().on('close', () => resolve());
        }).then(async (receiver) => {
          await post(receiver, { deadlineMs });
          await closed;
          await close(receiver);
        });
      });
      await closed;
    });
  });

  function repeat(until: { on(event: 'close', listener: () => void): unknown }, act: () => unknown): void {
    const timer = setInterval(act, 10);
    until.on('close', () => clearInterval(timer));
  }
});

describe('guarded client tls', () => {
  const DAY_MS = 86_400_000;
  const NAMES = { names: ['receiver.test'] };

  let authority: Certificate;
  beforeAll(async () => {
    authority = await makeAuthority();
  });

  /** The result of an attempt by a client that trusts `extraCa`, and how many requests the server saw. */
  async function attempt(certificate: Certificate, options: ServerOptions = {}, extraCa: string = authority.cert) {
    let requests = 0;
    const listener = (_request: unknown, response: { end(): unknown }) => {
      requests += 1;
      response.end();
    };
    const receiver = await startTlsReceiver(certificate, listener, options);
    try {
      return { outcome: await postToLoopback(receiver.port, extraCa), requests };
    } finally {
      await receiver.close();
    }
  }

  const days = (count: number): Date => new Date(Date.now() + count * DAY_MS);

  describe('certificates', () => {
    it('one of a trusted authority for the name is accepted', async () => {
      const good = await makeCertificate({ ...NAMES, authority });
      expect(await attempt(good)).toMatchObject({ outcome: { kind: 'delivered' }, requests: 1 });
    });

    it.each<[string, () => Promise<Certificate>, string]>([
      ['self-signed', () => makeCertificate(NAMES), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
      [
        'of an unknown authority',
        async () => makeCertificate({ ...NAMES, authority: await makeAuthority('Another') }),
        'UNABLE_TO_',
      ],
      ['for another name', () => makeCertificate({ names: ['other.test'], authority }), 'ERR_TLS_CERT_ALTNAME_INVALID'],
      [
        'for the address, not the name',
        () => makeCertificate({ addresses: ['127.0.0.1'], authority }),
        'ERR_TLS_CERT_ALTNAME_INVALID',
      ],
      [
        'for a wildcard two levels up',
        () => makeCertificate({ names: ['*.test.example'], authority }),
        'ERR_TLS_CERT_ALTNAME_INVALID',
      ],
      [
        'expired',
        () => makeCertificate({ ...NAMES, authority, notBefore: days(-9), notAfter: days(-1) }),
        'CERT_HAS_EXPIRED',
      ],
      [
        'not valid yet',
        () => makeCertificate({ ...NAMES, authority, notBefore: days(1), notAfter: days(9) }),
        'CERT_NOT_YET_VALID',
      ],
    ])('one %s is refused, and nothing is sent', async (_what, make, reason) => {
      const { outcome, requests } = await attempt(await make());
      expect(outcome).toEqual({ kind: 'tls', reason: expect.stringMatching(reason), duration_ms: expect.any(Number) });
      expect(requests).toBe(0);
    });

    it('without the escape hatch only the public authorities are trusted', async () => {
      const receiver = await startTlsReceiver(
        await makeCertificate({ names: ['localhost'], authority }),
        (_q, answer) => answer.end(),
      );
      const outcome = await postGuarded({
        url: `https://localhost:${receiver.port}/`,
        headers: {},
        body: Buffer.from('{}'),
        now: () => performance.now(),
        allowCidrs: ['127.0.0.0/8', '::1/128'],
      });
      await receiver.close();
      expect(outcome.kind).toBe('tls');
    });
  });

  describe('versions of TLS', () => {
    // SECLEVEL=0 is what makes OpenSSL 3 offer the old ones at all.
    const only = (version: SecureVersion) => ({
      minVersion: version,
      maxVersion: version,
      ciphers: 'ALL:@SECLEVEL=0',
    });

    it.each(['TLSv1.2', 'TLSv1.3'] as const)('%s is accepted', async (version) => {
      const good = await makeCertificate({ ...NAMES, authority });
      expect((await attempt(good, { minVersion: version, maxVersion: version })).outcome.kind).toBe('delivered');
    });

    it.each(['TLSv1', 'TLSv1.1'] as const)('%s is refused, although the server does speak it', async (version) => {
      const good = await makeCertificate({ ...NAMES, authority });
      const { outcome, requests } = await attempt(good, only(version));
      expect(outcome).toMatchObject({ kind: 'tls' });
      expect(requests).toBe(0);

      const receiver = await startTlsReceiver(good, (_request, response) => response.end(), only(version));
      const spoken = await new Promise((resolve, reject) => {
        const socket = connect(
          { port: receiver.port, host: '127.0.0.1', servername: 'receiver.test', ca: authority.cert, ...only(version) },
          () => {
            resolve(socket.getProtocol());
            socket.destroy();
          },
        ).on('error', reject);
      });
      await receiver.close();
      expect(spoken).toBe(version);
    });
  });

  it('a port that speaks plain HTTP is refused as TLS', async () => {
    const plain = await startTcpReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
    expect((await postToLoopback(plain.port, authority.cert)).kind).toBe('tls');
    await plain.close();
  });
});
