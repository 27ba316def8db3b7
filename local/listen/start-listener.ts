import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { constructEvent } from '../../sdk/client/src';
import { readJsonFile } from '../data-directory';
import { StartError } from '../start-error';
import type { Certificate } from './certificates';

export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

/** A little more than the maximum message size: an endless body from a stranger is truncated. */
const MAX_BODY_BYTES = 128 * 1024;

/** Listens on loopback and answers each POST with the status that `receive` returns. */
export async function startListener(
  certificate: Certificate,
  port: number,
  receive: (request: ReceivedRequest) => Promise<number>,
): Promise<Listener> {
  const server = createServer(certificate, (request, response) => {
    readBody(request)
      .then((body) => (body === undefined ? 413 : receive({ headers: request.headers, body })))
      .then(
        (status) => response.writeHead(status).end(),
        () => response.destroy(),
      );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new StartError(`Port ${port} is in use. Stop the other process or choose another port with --port.`);
  });
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

export interface ForwardedAnswer {
  readonly status: number;
  readonly said: string;
}

/** These belong to the connection on which the delivery arrived, not to the delivery. */
const OF_THE_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect'];

/** As long as the service itself would wait. */
const PATIENCE_MS = 10_000;

/** Forwards a delivery, byte for byte and with its signature, to a receiver without a certificate. */
export async function forwardDelivery({ headers, body }: ReceivedRequest, url: string): Promise<ForwardedAnswer> {
  const passedOn = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name));
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: passedOn.map(([name, value]) => [name, String(value)] as [string, string]),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status, said: `${url} answered ${status}` };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    // A failure, so that the service retries in 5 seconds: the receiver may be starting.
    return { status: 502, said: `${url} did not respond: ${cause?.code ?? message}` };
  }
}

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface DeliveryReport {
  readonly status: number;
  readonly lines: readonly string[];
}

/** Verifies a delivery as a merchant's receiver should, and describes it for a person. */
export async function describeDelivery(
  { headers, body }: ReceivedRequest,
  secret: string,
  nowMs: number,
): Promise<DeliveryReport> {
  const time = new Date(nowMs).toISOString().slice(11, 23);
  try {
    const event = await constructEvent(body, headers, secret, { nowSeconds: Math.floor(nowMs / 1_000) });
    const attempt = String(headers['x-service-attempt'] ?? '?');
    const summary = summaryOf(event.data);
    const lines = [
      `${time}  verified  ${event.type.padEnd(26)}  ${event.id}  attempt ${attempt}`,
      ...(summary === '' ? [] : [`              ${summary}`]),
    ];
    return { status: 200, lines };
  } catch (error) {
    // 401, so that the sender retries: a mixed-up secret can be fixed in the meantime.
    return { status: 401, lines: [`${time}  REFUSED   ${(error as Error).message}`] };
  }
}

const SHOWN = ['transaction_id', 'event_id', 'case_id', 'webhook_id', 'status', 'decision', 'risk_score', 'signals'];

/** The members that distinguish one event from the next. */
function summaryOf(data: object): string {
  const members = new Map<string, unknown>(Object.entries(data));
  return SHOWN.flatMap((name) => {
    const value = members.get(name);
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return [];
    return [`${name} ${Array.isArray(value) ? value.join(', ') : String(value)}`];
  }).join('   ');
}

export interface LocalService {
  readonly url: string;
  readonly key: string;
}

const LOOK_AGAIN_MS = 300;

/** Waits until a local run is up in a data directory; says once that it is waiting. */
export async function findService(dataDir: string, onWait: () => void): Promise<LocalService> {
  let hasTold = false;
  for (;;) {
    const run = readJsonFile<{ url: string } | undefined>(join(dataDir, 'run.json'), undefined);
    const demo = readJsonFile<{ key: string } | undefined>(join(dataDir, 'demo-account.json'), undefined);
    if (run && demo && (await isUp(run.url))) return { url: run.url, key: demo.key };
    if (!hasTold) onWait();
    hasTold = true;
    await delay(LOOK_AGAIN_MS);
  }
}

const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/_local/health`).then(
    ({ ok }) => ok,
    () => false,
  );
