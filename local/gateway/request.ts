import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TemplateVariables } from './mapping-template';
import type { ParameterSource } from './parameter';

/** A client's request, read and decoded. */
export interface GatewayRequest {
  readonly requestId: string;
  readonly method: string;
  /** As sent, still percent-encoded, without the query. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  /** Names in the case they were sent in. */
  readonly headers: readonly (readonly [string, string])[];
  readonly sourceIp: string;
  readonly receivedAt: Date;
  header(name: string): string | undefined;
}

export class BadEncoding extends Error {}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadEncoding();
  }
}

const parameters = (query: string): readonly (readonly [string, string])[] =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.replaceAll('+', ' ').split('=');
      return [decode(name), decode(value.join('='))] as const;
    });

function headerPairs({ rawHeaders }: IncomingMessage): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return pairs;
}

/** Reads everything but the body. `decoded: false` means that the path or query is not valid percent-encoding. */
export function gatewayRequest(incoming: IncomingMessage): {
  readonly request: GatewayRequest;
  readonly decoded: boolean;
} {
  const [path = '/', ...query] = (incoming.url ?? '/').split('?');
  const headers = headerPairs(incoming);
  const base = {
    requestId: randomUUID(),
    method: incoming.method ?? 'GET',
    path,
    headers,
    sourceIp: (incoming.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, ''),
    receivedAt: new Date(),
    header: (name: string) => headers.findLast(([sent]) => sent.toLowerCase() === name.toLowerCase())?.[1],
  };
  try {
    // A trailing slash names the same resource.
    const segments = path.replace(/\/$/, '').split('/').slice(1).map(decode);
    return { request: { ...base, segments, query: parameters(query.join('?')) }, decoded: true };
  } catch (error) {
    if (!(error instanceof BadEncoding)) throw error;
    return { request: { ...base, segments: [], query: [] }, decoded: false };
  }
}

/** Facts about the API that all its requests share. */
export interface ApiFacts {
  readonly apiId: string;
  readonly stage: string;
  readonly account: string;
  readonly region: string;
}

/** What gateway templates and header mappings may read from a request. */
export function parameterSource(request: GatewayRequest, api: ApiFacts, resourcePath: string): ParameterSource {
  const variables: TemplateVariables = {
    'context.requestId': request.requestId,
    'context.extendedRequestId': request.requestId,
    'context.httpMethod': request.method,
    'context.path': request.path,
    'context.resourcePath': resourcePath,
    'context.stage': api.stage,
    'context.apiId': api.apiId,
    'context.accountId': api.account,
    'context.requestTime': requestTime(request.receivedAt),
    'context.requestTimeEpoch': String(request.receivedAt.getTime()),
    'context.identity.sourceIp': request.sourceIp,
    'context.identity.userAgent': request.header('user-agent') ?? '',
  };
  return { variables, header: request.header, query: (name) => request.query.findLast(([sent]) => sent === name)?.[1] };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** API Gateway's own time format: `14/Nov/2026:09:05:03 +0000`. */
export function requestTime(date: Date): string {
  const iso = date.toISOString();
  return `${iso.slice(8, 10)}/${MONTHS[date.getUTCMonth()]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}
