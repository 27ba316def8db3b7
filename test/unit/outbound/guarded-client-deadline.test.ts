import type { RequestListener } from 'node:http';
import { type Certificate, makeAuthority, makeCertificate } from '../../../local/listen/certificates';
import { DEADLINE_MS, type GuardedPost } from '../../../shared/outbound/guarded-client';
import { type Receiver, startTcpReceiver, startTlsReceiver } from '../../support/tls/tls-receiver';
import { postToLoopback } from './post-to-loopback';

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
  const deadlineMs = 150;
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
    const outcome = await post(receiver, { deadlineMs: 400 });
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
