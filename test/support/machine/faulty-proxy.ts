import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response on its way back to the caller. */
export interface PassedOn {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** One thing that is broken: may change a request's body on its way there, or the response on its way back. */
export interface Fault {
  request?(method: string, path: string, body: string): string;
  response?(method: string, path: string, answer: PassedOn): void;
}

/** Stands in front of a service and breaks it as told; without a fault everything passes through. */
export async function faultyProxy(target: string) {
  let fault: Fault = {};
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    let sent = '';
    for await (const chunk of incoming) sent += chunk;
    const body = fault.request?.(method, url, sent) ?? sent;
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = incoming.headers;
    const init = { method, redirect: 'manual', headers: headers as Record<string, string> } as const;
    const response = await fetch(target + url, body === '' ? init : { ...init, body });
    const answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
    fault.response?.(method, url, answer);
    delete answer.headers['content-length'];
    delete answer.headers.connection;
    outgoing.writeHead(answer.status, answer.headers).end(answer.status === 204 ? undefined : answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    breakBy: (next: Fault) => {
      fault = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Changes what a JSON response says, where the path matches. */
// biome-ignore lint/suspicious/noExplicitAny: faults change responses of every shape.
export const saying = (path: RegExp, change: (json: any) => unknown, method?: string): Fault => ({
  response: (asked, url, answer) => {
    if (!path.test(url) || (method && method !== asked) || !/^[{[]/.test(answer.body)) return;
    const json = JSON.parse(answer.body);
    answer.body = JSON.stringify(change(json) ?? json);
  },
});

/** Drops a header from every response to a path. */
export const without = (path: RegExp, header: string): Fault => ({
  response: (_method, url, { headers }) => {
    if (path.test(url)) delete headers[header];
  },
});
