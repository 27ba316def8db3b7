import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The server's reaction to one request: an answer, no answer at all, or a connection that breaks. */
export type Step =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | 'hang'
  | 'reset'
  | 'half';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real HTTP server that misbehaves as told, one step a request; past the last step it repeats it. */
export async function scriptedServer(steps: readonly Step[] | ((seen: Seen) => Step)) {
  const requests: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
    const step = typeof steps === 'function' ? steps(seen) : steps[Math.min(requests.length, steps.length - 1)];
    requests.push(seen);
    play(step ?? 'reset', response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

function play(step: Step, response: ServerResponse): void {
  if (step === 'hang') return;
  if (step === 'reset') {
    response.destroy();
    return;
  }
  if (step === 'half') {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
    response.write('{"half":', () => response.destroy());
    return;
  }
  const { status, headers = {}, body } = step;
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
}

/** The API's error answer. */
export const errorStep = (status: number, code: string, headers: Record<string, string> = {}): Step => ({
  status,
  headers: { 'X-Request-Id': 'req-1', ...headers },
  body: { error: { code, message: `It is ${code}.`, request_id: 'req-1' } },
});
