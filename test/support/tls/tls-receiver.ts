import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { Certificate } from '../../../local/listen/certificates';

/** A listener on loopback and what has reached it. */
export interface Receiver {
  readonly port: number;
  /** TCP connections accepted so far. */
  connections(): number;
  /** Sockets that are open now. */
  open(): number;
  close(): Promise<void>;
}

export interface TlsReceiver extends Receiver {
  /** Host names that clients asked for (SNI), '' when they asked for none. */
  readonly serverNames: string[];
}

/** An HTTPS server on loopback that answers as `listener` does. */
export async function startTlsReceiver(
  certificate: Certificate,
  listener: RequestListener,
  options: ServerOptions & { readonly address?: string; readonly port?: number } = {},
): Promise<TlsReceiver> {
  const { address, port, ...serverOptions } = options;
  const server = createServer({ ...certificate, ...serverOptions }, listener);
  const serverNames: string[] = [];
  server.on('secureConnection', (socket) => serverNames.push(socket.servername || ''));
  // Clients that refuse a certificate end in this event; without a listener nothing would swallow it.
  server.on('tlsClientError', () => undefined);
  return { ...(await listen(server, address, port)), serverNames };
}

/** A TCP listener that accepts and does as `onConnection` does: to hang in the handshake, or to be no TLS at all. */
export const startTcpReceiver = (onConnection: (socket: Socket) => void = () => undefined): Promise<Receiver> =>
  listen(createTcpServer(onConnection));

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function listen(server: Server, address = '127.0.0.1', port = 0): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  // TLS servers tell of raw sockets too, which is what is counted: a refused handshake is a connection.
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, address, () => resolve()));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
