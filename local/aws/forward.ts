import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AwsClient } from '../backends/aws-client';
import type { AwsRequest } from './call';

/** Headers of one hop, and those we set ourselves. */
const DROPPED: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'expect',
]);

function headersFor({ rawHeaders, body }: AwsRequest, authorization: string): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { authorization, 'content-length': String(body.length) };
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!DROPPED.has(name)) headers[name] = rawHeaders[index + 1] ?? '';
  }
  return headers;
}

/** Sends an allowed request on to its emulator; resolves with the answer, its body unread. */
export function forward(client: AwsClient, service: string, incoming: AwsRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        method: incoming.method,
        path: incoming.url,
        headers: headersFor(incoming, client.authorization(service)),
        agent: client.agent,
        host: client.endpoint.hostname,
        port: client.endpoint.port || 80,
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(incoming.body);
  });
}

/** Streams an emulator's answer back unchanged. */
export function relay(answer: IncomingMessage, response: ServerResponse): void {
  const {
    connection: _connection,
    'keep-alive': _keepAlive,
    'transfer-encoding': _encoding,
    ...headers
  } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, headers);
  answer.pipe(response);
  answer.on('error', () => response.destroy());
}
