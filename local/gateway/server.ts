import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PATIENT_SERVER, refuseStrangers } from '../data-directory';
import { StartError } from '../start-error';
import type { Site } from './console-site';
import { type ErrorCache, gatewayRequest, type ProxyResponse } from './gateway-responses';
import type { Received } from './handle-request';
import { LOCAL_PREFIX, type LocalPage, localPage } from './local-pages';

export interface GatewayServer {
  readonly url: string;
  /** Starts answering; until then, requests wait. */
  serve(handler: Handler): void;
  close(): Promise<void>;
}

export interface Handler {
  readonly api: (received: Received) => Promise<ProxyResponse>;
  readonly pages: readonly LocalPage[];
  readonly site?: Site | undefined;
  readonly throughDistribution: ErrorCache;
}

/** API Gateway accepts 10 MB, but a Lambda event may have 6: in between, it returns the same error. */
const MAX_BODY_BYTES = 6 * 1024 * 1024;

/** The whole body, or undefined if it is too large for a function; the rest is then read and dropped. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks);
}

function write(response: ServerResponse, requestId: string, { status, headers, body }: ProxyResponse): void {
  response.setHeader('x-amzn-RequestId', requestId);
  for (const [name, value] of Object.entries(headers)) {
    // These belong to the connection, which the gateway manages.
    if (/^(?:connection|content-length|transfer-encoding|date)$/i.test(name)) continue;
    response.setHeader(name, typeof value === 'string' ? value : [...value]);
  }
  if (status !== 204 && status !== 304) response.setHeader('content-length', body.length);
  response.writeHead(status).end(body);
}

async function handle(
  { api, pages, site, throughDistribution }: Handler,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { request, decoded } = gatewayRequest(incoming);
  if (request.path.startsWith(LOCAL_PREFIX)) {
    incoming.resume();
    const page = await localPage(pages, request.method, incoming.url ?? request.path);
    response.writeHead(page.status, page.headers).end(page.body);
    return;
  }
  const file = site?.(request.method, request.path);
  if (file) {
    incoming.resume();
    write(response, request.requestId, file);
    return;
  }
  const body = await readBody(incoming);
  const ask = () => api({ request, decoded, body });
  // A request from a page of this origin is from the console, which calls through its distribution.
  const isOfPage = request.header('sec-fetch-site') === 'same-origin';
  const answer = await (isOfPage ? throughDistribution(request.method, incoming.url ?? request.path, ask) : ask());
  write(response, request.requestId, answer);
}

/** Binds the port at once, so that a port in use is reported before anything else starts. */
export async function listenGateway(port: number): Promise<GatewayServer> {
  let ready: (handler: Handler) => void = () => undefined;
  const handler = new Promise<Handler>((resolve) => {
    ready = resolve;
  });
  const server = createServer(PATIENT_SERVER, (incoming, response) => {
    if (refuseStrangers(incoming, response)) return;
    handler
      .then((settled) => handle(settled, incoming, response))
      .catch((error: unknown) => {
        // The client disconnected, or we have a bug: neither may end the run.
        if (!response.destroyed) console.error('the local gateway failed:', error);
        response.destroy();
      });
  });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} is in use. Stop the other process or choose another port with --port.`);
    throw new StartError(`Cannot open port ${port} (${String(code)}). Choose another with --port.`);
  }
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    serve: (settled) => ready(settled),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
