import { StartError } from '../start-error';
import type { StackResource } from '../template/resolve-stack';
import { compileParameter, compileTemplate, type Parameter, type ParameterSource } from './request';

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

const KNOWN: ReadonlySet<string> = new Set([
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
  if (Object.keys(raw).some((name) => !KNOWN.has(name))) return undefined;
  const status = Number(raw.statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  if (raw.body !== undefined && raw.body !== null && typeof raw.body !== 'string') return undefined;
  const binary = raw.isBase64Encoded === true && wantsBinary;
  return { status, headers: headersOf(raw), body: Buffer.from(raw.body ?? '', binary ? 'base64' : 'utf8') };
}
