import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { StartError } from '../start-error';
import type { StackResource } from '../template/resolve-stack';

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

/** The errors that a REST API returns itself: default status, message, and the type in `x-amzn-ErrorType`. */
export const GATEWAY_ERRORS = {
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token', 'MissingAuthenticationTokenException'],
  INVALID_SIGNATURE: [403, 'The security token included in the request is invalid.', 'IncompleteSignatureException'],
  UNAUTHORIZED: [401, 'Unauthorized', 'UnauthorizedException'],
  ACCESS_DENIED: [403, 'User is not authorized to access this resource', 'AccessDeniedException'],
  AUTHORIZER_FAILURE: [500, 'Internal server error', 'AuthorizerFailureException'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'Internal server error', 'AuthorizerConfigurationException'],
  INVALID_API_KEY: [403, 'Forbidden', 'ForbiddenException'],
  THROTTLED: [429, 'Too Many Requests', 'TooManyRequestsException'],
  QUOTA_EXCEEDED: [429, 'Limit Exceeded', 'LimitExceededException'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long', 'RequestTooLargeException'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported Media Type', 'UnsupportedMediaTypeException'],
  BAD_REQUEST_PARAMETERS: [400, 'Bad Request', 'BadRequestException'],
  INTEGRATION_FAILURE: [504, 'Endpoint request failed', 'InternalServerErrorException'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out', 'InternalServerErrorException'],
  API_CONFIGURATION_ERROR: [500, 'Internal server error', 'InternalServerErrorException'],
  // A Lambda proxy that fails or returns nonsense: 502, a case of DEFAULT_5XX without its own type.
  DEFAULT_5XX: [502, 'Internal server error', 'InternalServerErrorException'],
} as const satisfies Readonly<Record<string, readonly [number, string, string]>>;

export type GatewayErrorType = keyof typeof GATEWAY_ERRORS;

export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Properties {
  readonly ResponseType: string;
  readonly StatusCode?: string | number;
  readonly ResponseTemplates?: Readonly<Record<string, string>>;
  readonly ResponseParameters?: Readonly<Record<string, string>>;
}

interface Compiled {
  readonly status: number | undefined;
  readonly template: ReturnType<typeof compileTemplate> | undefined;
  readonly headers: readonly (readonly [string, Parameter])[];
}

const HEADER = 'gatewayresponse.header.';

function compile(resource: StackResource): readonly [string, Compiled] {
  const properties = resource.properties as unknown as Properties;
  const template = properties.ResponseTemplates?.['application/json'];
  try {
    const headers = Object.entries(properties.ResponseParameters ?? {}).map(([name, expression]) => {
      if (!name.startsWith(HEADER)) throw new Error(`the parameter ${name} is not emulated`);
      return [name.slice(HEADER.length), compileParameter(expression)] as const;
    });
    const status = properties.StatusCode === undefined ? undefined : Number(properties.StatusCode);
    return [
      properties.ResponseType,
      { status, headers, template: template === undefined ? undefined : compileTemplate(template) },
    ];
  } catch (error) {
    throw new StartError(`${resource.logicalId} (${resource.type}) cannot run here: ${(error as Error).message}.`);
  }
}

export function gatewayResponses(
  resources: readonly StackResource[],
): (type: GatewayErrorType, source: ParameterSource, message?: string) => GatewayAnswer {
  const compiled = new Map(resources.map(compile));
  return (type, source, given) => {
    const [status, standard, errorType] = GATEWAY_ERRORS[type];
    const response = compiled.get(type) ?? compiled.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    const message = given ?? standard;
    const variables = {
      ...source.variables,
      'context.error.message': message,
      'context.error.messageString': JSON.stringify(message),
      'context.error.responseType': type,
    };
    const headers: Record<string, string> = { 'content-type': 'application/json', 'x-amzn-ErrorType': errorType };
    for (const [name, parameter] of response?.headers ?? []) {
      const value = parameter({ ...source, variables });
      if (value === undefined) continue;
      if (name.toLowerCase() === 'content-type') delete headers['content-type'];
      headers[name] = value;
    }
    const body = response?.template?.(variables) ?? JSON.stringify({ message });
    return { status: response?.status ?? status, headers, body };
  };
}

/** Statuses that CloudFront caches, and those for which it respects `Cache-Control: no-store`. */
const CACHED: ReadonlySet<number> = new Set([400, 403, 404, 405, 410, 414, 500, 501, 502, 503, 504]);
const HEEDS_NO_STORE: ReadonlySet<number> = new Set([404, 410, 414, 501]);
const DEFAULT_SECONDS = 10;

interface DistributionConfig {
  readonly CustomErrorResponses?: readonly { readonly ErrorCode: number; readonly ErrorCachingMinTTL?: number }[];
}

/** Answers a request of the page; from the cache if CloudFront would have cached the response. */
export type ErrorCache = (method: string, url: string, ask: () => Promise<ProxyResponse>) => Promise<ProxyResponse>;

const headerOf = ({ headers }: ProxyResponse, wanted: string): string =>
  String(Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '');

/**
 * CloudFront caches an origin's errors for ten seconds by default, whatever the cache policy, and the cache key includes
 * neither account nor API key: one account would get another's error, unless the distribution says otherwise.
 */
export function errorCache({ CustomErrorResponses: custom = [] }: DistributionConfig, now = Date.now): ErrorCache {
  const kept = new Map<string, { readonly answer: ProxyResponse; readonly until: number }>();
  const secondsFor = (answer: ProxyResponse): number => {
    const { status } = answer;
    if (!CACHED.has(status)) return 0;
    if (HEEDS_NO_STORE.has(status) && /no-store|no-cache|private/.test(headerOf(answer, 'cache-control'))) return 0;
    return custom.find(({ ErrorCode }) => ErrorCode === status)?.ErrorCachingMinTTL ?? DEFAULT_SECONDS;
  };
  return async (method, url, ask) => {
    if (method !== 'GET' && method !== 'HEAD') return ask();
    const key = `${method} ${url}`;
    const found = kept.get(key);
    if (found && found.until > now()) return found.answer;
    const answer = await ask();
    const seconds = secondsFor(answer);
    if (seconds > 0) kept.set(key, { answer, until: now() + seconds * 1_000 });
    else kept.delete(key);
    return answer;
  };
}

export interface ProxyResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

interface Raw {
  readonly statusCode?: unknown;
  readonly headers?: Readonly<Record<string, unknown>> | null;
  readonly multiValueHeaders?: Readonly<Record<string, readonly unknown[]>> | null;
  readonly body?: unknown;
  readonly isBase64Encoded?: unknown;
}

const RESPONSE_MEMBERS: ReadonlySet<string> = new Set([
  'statusCode',
  'headers',
  'multiValueHeaders',
  'body',
  'isBase64Encoded',
  'cookies',
]);

function headersOf({ headers, multiValueHeaders }: Raw): Readonly<Record<string, string | readonly string[]>> {
  const merged: Record<string, string | readonly string[]> = {};
  const names = new Map<string, string>();
  const set = (name: string, value: string | readonly string[]): void => {
    const earlier = names.get(name.toLowerCase());
    if (earlier !== undefined) delete merged[earlier];
    names.set(name.toLowerCase(), name);
    merged[name] = value;
  };
  set('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(headers ?? {})) set(name, String(value));
  for (const [name, values] of Object.entries(multiValueHeaders ?? {})) set(name, values.map(String));
  return merged;
}

/** Validates a proxy's payload as API Gateway does; undefined if it is malformed (the client then gets a 502). */
export function proxyResponse(payload: string, wantsBinary: boolean): ProxyResponse | undefined {
  const raw = JSON.parse(payload) as Raw | null;
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
  if (Object.keys(raw).some((name) => !RESPONSE_MEMBERS.has(name))) return undefined;
  const status = Number(raw.statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  if (raw.body !== undefined && raw.body !== null && typeof raw.body !== 'string') return undefined;
  const binary = raw.isBase64Encoded === true && wantsBinary;
  return { status, headers: headersOf(raw), body: Buffer.from(raw.body ?? '', binary ? 'base64' : 'utf8') };
}
