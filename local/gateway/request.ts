import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

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

export interface ApiFacts {
  readonly apiId: string;
  readonly stage: string;
  readonly account: string;
  readonly region: string;
}

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

/** The variables a gateway template may use, by name without the dollar sign. */
export type TemplateVariables = Readonly<Record<string, string>>;

/** The variables that the local gateway fills in; AWS's `$context` has more. */
export const CONTEXT_VARIABLES = [
  'context.requestId',
  'context.extendedRequestId',
  'context.error.message',
  'context.error.messageString',
  'context.error.responseType',
  'context.error.validationErrorString',
  'context.httpMethod',
  'context.path',
  'context.resourcePath',
  'context.stage',
  'context.apiId',
  'context.accountId',
  'context.requestTime',
  'context.requestTimeEpoch',
  'context.identity.sourceIp',
  'context.identity.userAgent',
  'context.authorizer.principalId',
] as const;

const KNOWN: ReadonlySet<string> = new Set(CONTEXT_VARIABLES);
const VARIABLE = /\$!?(?:\{([A-Za-z][\w.]*)\}|([A-Za-z][\w.]*))/g;

/** A velocity template reduced to its variables; everything else velocity has makes compilation fail. */
export function compileTemplate(source: string): (variables: TemplateVariables) => string {
  const directive = /#(?:set|if|else|elseif|end|foreach|macro|parse|include|stop|define)\b/.exec(source);
  if (directive) throw new Error(`the template directive ${directive[0]} is not emulated`);
  for (const [, braced, bare] of source.matchAll(VARIABLE)) {
    const name = braced ?? bare ?? '';
    if (!KNOWN.has(name)) throw new Error(`the template variable $${name} is not emulated`);
  }
  return (variables) =>
    source.replace(VARIABLE, (_all, braced?: string, bare?: string) => variables[braced ?? bare ?? ''] ?? '');
}

export interface ParameterSource {
  readonly variables: TemplateVariables;
  header(name: string): string | undefined;
  query(name: string): string | undefined;
}

export type Parameter = (source: ParameterSource) => string | undefined;

/** The right side of a header mapping: a quoted literal, `context.…`, or a part of the method request. */
export function compileParameter(expression: string): Parameter {
  const literal = /^'(.*)'$/s.exec(expression)?.[1];
  if (literal !== undefined) return () => literal;
  if (KNOWN.has(expression)) return ({ variables }) => variables[expression];
  const [, part, name] = /^method\.request\.(header|querystring)\.(.+)$/.exec(expression) ?? [];
  if (!name) throw new Error(`the mapping expression ${expression} is not emulated`);
  return part === 'header' ? ({ header }) => header(name) : ({ query }) => query(name);
}
