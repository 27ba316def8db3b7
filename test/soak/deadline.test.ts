import type { RequestListener } from 'node:http';
import { makeAuthority, makeCertificate } from '../../local/listen/certificates';
import { DEADLINE_MS } from '../../shared/outbound/guarded-client';
import { patient } from '../support/patience';
import { startTcpReceiver, startTlsReceiver } from '../support/tls/tls-receiver';
import { postToLoopback } from '../unit/outbound/post-to-loopback';
import { IS_FULL, printMeasurement, sized } from './soak-size';

const answeringAfter =
  (delayMs: number): RequestListener =>
  (_request, response) => {
    setTimeout(() => response.writeHead(200).end('late'), delayMs);
  };

it(
  '9: an answer just in time is a delivery; a late one and an endless wait are time-outs, and hold no longer',
  async () => {
    const deadlineMs = sized(DEADLINE_MS, 3_000);
    const authority = await makeAuthority();
    const certificate = await makeCertificate({ names: ['receiver.test'], authority });
    // Half a second to either side is the promise; a busy machine gets more.
    const marginMs = sized(500, 2_000);
    const receivers = await Promise.all([
      startTlsReceiver(certificate, answeringAfter(deadlineMs - marginMs)),
      startTlsReceiver(certificate, answeringAfter(deadlineMs + marginMs)),
      startTcpReceiver(),
    ]);
    const startedMs = performance.now();
    const attempts = await Promise.all(
      receivers.map(async ({ port }) => {
        const outcome = await postToLoopback(port, authority.cert, IS_FULL ? {} : { deadlineMs });
        return { outcome, heldMs: performance.now() - startedMs };
      }),
    );
    await Promise.all(receivers.map((receiver) => receiver.close()));
    printMeasurement(
      `deadline of ${deadlineMs} ms: ${attempts.map(({ heldMs }) => `${Math.round(heldMs)} ms`).join(', ')}`,
    );
    expect(attempts.map(({ outcome }) => outcome)).toEqual([
      expect.objectContaining({ kind: 'delivered', status_code: 200, answer: 'late' }),
      expect.objectContaining({ kind: 'timeout', phase: 'headers' }),
      expect.objectContaining({ kind: 'timeout', phase: 'tls' }),
    ]);
    if (IS_FULL) for (const { heldMs } of attempts) expect(heldMs).toBeLessThan(deadlineMs + 500);
  },
  patient(30_000),
);
