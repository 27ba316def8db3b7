import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAuthority, makeCertificate } from '../../../local/listen/certificates';
import { patient } from '../patience';
import { bodyOf, startTlsReceiver, type TlsReceiver } from '../tls/tls-receiver';

/** A delivery as it reached the receiver. */
export interface Received {
  readonly path: string;
  readonly atMs: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape.
  readonly json: any;
}

/** An HTTPS receiver on this machine that a local run with its `env` may deliver to. */
export interface WebhookReceiver {
  readonly env: { readonly WEBHOOK_ALLOW_CIDRS: string; readonly WEBHOOK_EXTRA_CA: string };
  readonly received: Received[];
  url(path?: string): string;
  /** Requests that came to a path so far. */
  at(path: string): Received[];
  /** The first delivery to a path that passes a test; fails when none comes in time. */
  until(path: string, matches?: (received: Received) => boolean, withinMs?: number): Promise<Received>;
  /** All that came to a path, once it is as many as that; fails when they do not come in time. */
  untilAll(path: string, count: number, withinMs?: number): Promise<Received[]>;
  /** How requests to a path are answered from now on; 200 by default. */
  answer(path: string, answer: Answer): void;
}

export type Answer = (received: Received) => number | Promise<number>;

const POLL_MS = 20;

/** Gives the tests of a file a receiver. Call it before what starts the run, whose environment it makes. */
export function useReceiver(): WebhookReceiver {
  const directory = mkdtempSync(join(tmpdir(), 'receiver-'));
  const env = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128', WEBHOOK_EXTRA_CA: join(directory, 'authority.pem') };
  const received: Received[] = [];
  const answers = new Map<string, Answer>();
  let server: TlsReceiver;

  beforeAll(async () => {
    const authority = await makeAuthority();
    writeFileSync(env.WEBHOOK_EXTRA_CA, authority.cert);
    const certificate = await makeCertificate({ names: ['localhost'], addresses: ['127.0.0.1'], authority });
    server = await startTlsReceiver(certificate, async (request, response) => {
      const atMs = Date.now();
      const body = await bodyOf(request);
      const path = request.url ?? '';
      const delivery = { path, atMs, headers: request.headers, body, json: JSON.parse(body.toString()) };
      received.push(delivery);
      const status = await (answers.get(path) ?? (() => 200))(delivery);
      response.writeHead(status).end('seen');
    });
  });

  afterAll(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });

  const at = (path: string): Received[] => received.filter((each) => each.path === path);
  async function poll<Found>(path: string, find: () => Found | undefined, withinMs = 20_000): Promise<Found> {
    const deadline = Date.now() + patient(withinMs);
    for (;;) {
      const found = find();
      if (found) return found;
      if (Date.now() > deadline) throw new Error(`Nothing of the kind came to ${path} within ${patient(withinMs)} ms`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  return {
    env,
    received,
    url: (path = '/') => `https://localhost:${server.port}${path}`,
    at,
    until: (path, matches = () => true, withinMs) => poll(path, () => at(path).find(matches), withinMs),
    untilAll: (path, count, withinMs) =>
      poll(path, () => (received.length >= count && at(path).length >= count ? at(path) : undefined), withinMs),
    answer: (path, answer) => void answers.set(path, answer),
  };
}
