import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AwsClient } from '../backends/aws-client';
import { openRequest } from '../backends/open-request';
import type { AwsRequest } from './call';

/** Hop-by-hop headers, and those we set ourselves. */
const DROPPED: ReadonlySet<string> = new Set([
  'authorization',
  'x-amz-security-token',
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

/** Forwards an allowed request to its emulator; resolves with the response, its body unread. */
export function forward(client: AwsClient, service: string, incoming: AwsRequest): Promise<IncomingMessage> {
  const { method, url, body } = incoming;
  const { hostname: host, port } = client.endpoint;
  const headers = headersFor(incoming, client.authorization(service));
  return openRequest({ method, path: url, headers, agent: client.agent, host, port: port || 80 }, body);
}

/** The headers of a response without the hop-by-hop ones. */
export function endToEndHeaders(answer: IncomingMessage): IncomingMessage['headers'] {
  const {
    connection: _connection,
    'keep-alive': _keepAlive,
    'transfer-encoding': _encoding,
    ...headers
  } = answer.headers;
  return headers;
}

/** Streams an emulator's answer back unchanged. */
export function relay(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, endToEndHeaders(answer));
  answer.pipe(response);
  answer.on('error', () => response.destroy());
}
