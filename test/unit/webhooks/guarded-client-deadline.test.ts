import type { RequestListener } from 'node:http';
import { type Certificate, makeAuthority, makeCertificate } from '../../../local/listen/certificates';
import { DEADLINE_MS, type GuardedPost } from '../../../shared/webhooks/guarded-client';
import { type Receiver, startTcpReceiver, startTlsReceiver } from '../../support/tls/tls-receiver';
import { postToLoopback } from './post-to-loopback';

let authority: Certificate;
let certificate: Certificate;
beforeAll(async () => {
  authority = await makeAuthority();
  certificate = await makeCertificate({ names: ['receiver.test'], authority });
});

const timed = async <T>(run: () => Promise<T>): Promise<readonly [T, heldMs: number]> => {
  const startedMs = performance.now();
  const result = await run();
  return [result, performance.now() - startedMs];
};

const post = (receiver: Receiver, change: Partial<GuardedPost> = {}) =>
  timed(() => postToLoopback(receiver.port, authority.cert, change));

const answeringAfter =
  (delayMs: number): RequestListener =>
  (_request, response) => {
    setTimeout(() => response.writeHead(200).end('late'), delayMs);
  };

describe('the 10 s rule, in real time', () => {
  it('9.5 s is a delivery; 10.5 s and an endless wait are time-outs at 10.0 s; nothing holds longer than 10.5 s', async () => {
    const receivers = await Promise.all([
      startTlsReceiver(certificate, answeringAfter(9_500)),
      startTlsReceiver(certificate, answeringAfter(10_500)),
      startTcpReceiver(),
    ]);
    const [early, late, silent] = await Promise.all(receivers.map((receiver) => post(receiver)));
    expect(early?.[0]).toMatchObject({ kind: 'delivered', status_code: 200, answer: 'late' });
    expect(late?.[0]).toMatchObject({ kind: 'timeout', phase: 'headers' });
    expect(silent?.[0]).toMatchObject({ kind: 'timeout', phase: 'tls' });
    for (const [outcome, heldMs] of [early, late, silent].flatMap((one) => (one ? [one] : []))) {
      expect(heldMs).toBeLessThan(10_500);
      expect(outcome.duration_ms).toBeGreaterThanOrEqual(9_400);
    }
    await Promise.all(receivers.map((receiver) => receiver.close()));
  }, 30_000);

  it('is the default', () => expect(DEADLINE_MS).toBe(10_000));
});

describe('a shorter deadline, wherever the receiver hangs', () => {
  const deadlineMs = 150;
  const close = (receiver: Receiver) => receiver.close();

  it('in DNS', async () => {
    const lookup = () => new Promise<never>(() => undefined);
    const [outcome] = await timed(() => postToLoopback(1, authority.cert, { deadlineMs, lookup }));
    expect(outcome).toMatchObject({ kind: 'timeout', phase: 'dns' });
  });

  it('in TLS', async () => {
    const receiver = await startTcpReceiver();
    const [outcome] = await post(receiver, { deadlineMs });
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
    const [outcome] = await post(receiver, { deadlineMs: 400 });
    expect(outcome).toMatchObject({ kind: 'timeout', phase: 'headers' });
    await close(receiver);
  });

  it('is one deadline: DNS and the answer share it', async () => {
    const receiver = await startTlsReceiver(certificate, answeringAfter(400));
    const lookup = async () => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      return [{ address: '127.0.0.1', family: 4 as const }];
    };
    const [outcome] = await post(receiver, { deadlineMs: 600, lookup });
    expect(outcome).toMatchObject({ kind: 'timeout', phase: 'headers' });
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
