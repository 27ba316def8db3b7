import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { StartError } from '../start-error';
import type { Certificate } from './certificates';
import type { ReceivedRequest } from './forward-delivery';

/** An HTTPS receiver on this machine. */
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
