import type { RequestListener, ServerResponse } from 'node:http';
import { type Certificate, makeAuthority, makeCertificate } from '../../../local/listen/certificates';
import type { DeliveryOutcome } from '../../../shared/domain/webhooks/delivery-outcome';
import type { GuardedPost } from '../../../shared/outbound/guarded-client';
import { bodyOf, startTlsReceiver, type TlsReceiver } from '../../support/tls/tls-receiver';
import { fixedLookup, postToLoopback } from './post-to-loopback';

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
    expect(await postToLoopback(1, authority.cert, { lookup })).toMatchObject({ kind: 'network', reason: 'ENOTFOUND' });
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
