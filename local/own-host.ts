import type { IncomingMessage, ServerResponse } from 'node:http';

/** This machine, as a URL names it. */
const NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Why a request is not for us; undefined if it is. A web page elsewhere can make its own name resolve to 127.0.0.1, and
 * a browser then sends its requests here: they carry that name as `Host`. A page may also post to us under our own name,
 * and then `Origin` gives it away.
 */
export function strangerFault({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string | undefined {
  // URLs leave out the port 80.
  const own = NAMES.map((name) => (socket.localPort === 80 ? name : `${name}:${socket.localPort}`));
  const { host = '', origin } = headers;
  if (!own.includes(host.toLowerCase())) {
    return `Host ${host.slice(0, 100)} is not this machine. Use ${own.slice(0, 2).join(' or ')}.`;
  }
  if (origin !== undefined && !own.some((name) => origin.toLowerCase() === `http://${name}`)) {
    return `Pages of ${origin.slice(0, 100)} must not call the local run. Use http://${own[0]}.`;
  }
  return undefined;
}

/** Answers a request that is not for us with 403; false if it is. */
export function refuseStrangers(incoming: IncomingMessage, response: ServerResponse): boolean {
  const message = strangerFault(incoming);
  if (message === undefined) return false;
  incoming.resume();
  response.writeHead(403, { 'content-type': 'application/json', connection: 'close' });
  response.end(`${JSON.stringify({ error: { code: 'forbidden', message } })}\n`);
  return true;
}
