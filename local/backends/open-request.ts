import { type IncomingMessage, type RequestOptions, request } from 'node:http';

/**
 * Sends a request and returns the response with its body unread. An emulator may close an idle connection just as
 * we reuse it: only in that case is the request resent, on a new connection.
 */
export function openRequest(options: RequestOptions, body: Buffer | string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, resolve);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(openRequest(options, body));
      else reject(error);
    });
    outgoing.end(body);
  });
}
