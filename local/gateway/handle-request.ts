import { settingPath } from '../../lib/template-rules/api-gateway-rules';
import type { ApiKeys } from '../aws/api-gateway-keys';
import { StartError } from '../start-error';
import type { StackResource, Stacks } from '../template/resolve-stack';
import {
  type ApiFacts,
  type GatewayErrorType,
  type GatewayRequest,
  gatewayResponses,
  type ProxyResponse,
  parameterSource,
  proxyResponse,
  requestTime,
} from './gateway-responses';
import type { Method, RestApi } from './rest-api';

export interface RequestIdentity {
  readonly apiKey?: string;
  readonly apiKeyId?: string;
}

export interface ProxyInput {
  readonly request: GatewayRequest;
  readonly api: ApiFacts;
  readonly resourceId: string;
  readonly resourcePath: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly authorizer?: Readonly<Record<string, unknown>> | undefined;
  readonly identity?: RequestIdentity;
  readonly body: string | null;
  readonly isBase64Encoded: boolean;
}

type Pairs = readonly (readonly [string, string])[];

const single = (pairs: Pairs): Readonly<Record<string, string>> | null =>
  pairs.length === 0 ? null : Object.fromEntries(pairs);

function multiple(pairs: Pairs): Readonly<Record<string, readonly string[]>> | null {
  if (pairs.length === 0) return null;
  // A map first: a parameter may be called `__proto__`.
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(values);
}

/** The headers the client sent, and those API Gateway adds. */
function forwarded({ headers, sourceIp, requestId }: GatewayRequest): Pairs {
  return [
    ...headers.filter(
      ([name]) => !/^(?:connection|transfer-encoding|x-forwarded-(?:for|proto|port)|x-amzn-trace-id)$/i.test(name),
    ),
    [
      'X-Amzn-Trace-Id',
      `Root=1-${Math.floor(Date.now() / 1_000).toString(16)}-${requestId.replaceAll('-', '').slice(0, 24)}`,
    ],
    ['X-Forwarded-For', sourceIp],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Proto', 'https'],
  ];
}

function requestContext({ request, api, resourceId, resourcePath, authorizer, identity }: ProxyInput) {
  return {
    resourceId,
    resourcePath,
    httpMethod: request.method,
    extendedRequestId: request.requestId,
    requestTime: requestTime(request.receivedAt),
    path: `/${api.stage}${request.path}`,
    accountId: api.account,
    protocol: 'HTTP/1.1',
    stage: api.stage,
    domainPrefix: api.apiId,
    requestTimeEpoch: request.receivedAt.getTime(),
    requestId: request.requestId,
    identity: {
      cognitoIdentityPoolId: null,
      accountId: null,
      cognitoIdentityId: null,
      caller: null,
      sourceIp: request.sourceIp,
      principalOrgId: null,
      accessKey: null,
      cognitoAuthenticationType: null,
      cognitoAuthenticationProvider: null,
      userArn: null,
      userAgent: request.header('user-agent') ?? null,
      user: null,
      ...identity,
    },
    domainName: `${api.apiId}.execute-api.${api.region}.amazonaws.com`,
    apiId: api.apiId,
    ...(authorizer ? { authorizer } : {}),
  };
}

/** The REST API's Lambda proxy event (payload format 1.0), also the base of a REQUEST authorizer's event. */
export function proxyEvent(input: ProxyInput) {
  const { request, resourcePath, pathParameters, body, isBase64Encoded } = input;
  const headers = forwarded(request);
  return {
    resource: resourcePath,
    path: request.path,
    httpMethod: request.method,
    headers: single(headers),
    multiValueHeaders: multiple(headers),
    queryStringParameters: single(request.query),
    multiValueQueryStringParameters: multiple(request.query),
    pathParameters: Object.keys(pathParameters).length === 0 ? null : pathParameters,
    stageVariables: null,
    requestContext: requestContext(input),
    body,
    isBase64Encoded,
  };
}

export interface Rate {
  /** Requests per second, the rate at which the bucket fills. */
  readonly rateLimit: number;
  readonly burstLimit: number;
}

/** API Gateway's token buckets, one per key; a new key starts with a full bucket. */
export function throttle(now: () => number = () => performance.now()): (key: string, rate: Rate) => boolean {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return (key, { rateLimit, burstLimit }) => {
    const time = now();
    const bucket = buckets.get(key) ?? { tokens: burstLimit, at: time };
    const tokens = Math.min(burstLimit, bucket.tokens + ((time - bucket.at) / 1_000) * rateLimit);
    const allowed = tokens >= 1;
    buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at: time });
    return allowed;
  };
}

interface Throttle {
  readonly RateLimit?: number;
  readonly BurstLimit?: number;
}

interface PlanProperties {
  readonly Throttle?: Throttle;
  readonly Quota?: { readonly Limit?: number; readonly Period?: string; readonly Offset?: number };
  readonly ApiStages?: readonly {
    readonly ApiId: string;
    readonly Stage: string;
    readonly Throttle?: Readonly<Record<string, Throttle>>;
  }[];
}

interface MethodSetting {
  readonly HttpMethod?: string;
  readonly ResourcePath?: string;
  readonly ThrottlingRateLimit?: number;
  readonly ThrottlingBurstLimit?: number;
}

export interface Metered {
  readonly error?: GatewayErrorType;
  readonly identity: { readonly apiKey?: string; readonly apiKeyId?: string };
}

const rate = ({ RateLimit, BurstLimit }: Throttle): Rate => ({
  rateLimit: RateLimit ?? Number.POSITIVE_INFINITY,
  burstLimit: BurstLimit ?? Number.POSITIVE_INFINITY,
});

/** Counts per day, in UTC as API Gateway does. */
function dailyCounts(now: () => number): (key: string) => number {
  const counts = new Map<string, number>();
  let today = '';
  return (key) => {
    const day = new Date(now()).toISOString().slice(0, 10);
    if (day !== today) counts.clear();
    today = day;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
}

/** Checks API keys against the usage plans of the stage and counts requests against their token buckets. */
export function usagePlans(
  resources: readonly StackResource[],
  keys: ApiKeys,
  api: ApiFacts,
  now: () => number = Date.now,
): (keyValue: string | undefined, resourcePath: string, method: string) => Metered {
  const take = throttle();
  const used = dailyCounts(now);
  const plans = new Map(
    resources.map((resource) => {
      const properties = resource.properties as PlanProperties;
      const { Quota: quota } = properties;
      if (quota && (quota.Period !== 'DAY' || quota.Offset)) {
        throw new StartError(`${resource.logicalId} (${resource.type}) has a quota that is not of days.`);
      }
      const stage = properties.ApiStages?.find(({ ApiId, Stage }) => ApiId === api.apiId && Stage === api.stage);
      return [resource.ref, { properties, stage }];
    }),
  );
  return (value, resourcePath, method) => {
    const found = value === undefined ? undefined : keys.find(value);
    const planId = found?.planIds.find((id) => plans.get(id)?.stage !== undefined);
    const plan = plans.get(planId ?? '');
    if (!found || !plan) return { error: 'INVALID_API_KEY', identity: {} };
    const identity = { apiKey: found.key.value, apiKeyId: found.key.id };
    const bucket = `${planId} ${found.key.id}`;
    const perMethod = plan.stage?.Throttle?.[`${resourcePath}/${method}`];
    const allowed =
      (!plan.properties.Throttle || take(bucket, rate(plan.properties.Throttle))) &&
      (!perMethod || take(`${bucket} ${method} ${resourcePath}`, rate(perMethod)));
    if (!allowed) return { error: 'THROTTLED', identity };
    const { Limit: limit = Number.POSITIVE_INFINITY } = plan.properties.Quota ?? {};
    return used(bucket) <= limit ? { identity } : { error: 'QUOTA_EXCEEDED', identity };
  };
}

/** Stage-level throttling: `/*` `*` sets the limit of each method separately, not of all together. */
export function stageThrottle(settings: readonly MethodSetting[]): (resourcePath: string, method: string) => boolean {
  const take = throttle();
  const settingFor = (path: string, method: string): MethodSetting | undefined =>
    settings.find((setting) => settingPath(setting.ResourcePath ?? '') === path && setting.HttpMethod === method) ??
    settings.find((setting) => setting.ResourcePath === '/*' && setting.HttpMethod === '*');
  return (path, method) => {
    const setting = settingFor(path, method);
    if (setting?.ThrottlingRateLimit === undefined && setting?.ThrottlingBurstLimit === undefined) return true;
    const limits = { RateLimit: setting.ThrottlingRateLimit, BurstLimit: setting.ThrottlingBurstLimit };
    return take(`${method} ${path}`, rate(limits as Throttle));
  };
}

/** A request with its body; `undefined` means that it exceeds the 6 MB of an event. */
export interface Received {
  readonly request: GatewayRequest;
  readonly decoded: boolean;
  readonly body: Buffer | undefined;
}

const mediaType = (value: string | undefined): string => value?.split(/[;,]/)[0]?.trim().toLowerCase() ?? '';

const TIMED_OUT = Symbol('timed out');

/**
 * A request without a route is taken for one that AWS's own signature protects: a header without one is an incomplete
 * signature. AWS does not document under which type of gateway response that is; other people's bodies are the default ones.
 * https://github.com/amazon-archives/aws-cognito-angular-quickstart/issues/50
 */
function unknownRoute(header: string | undefined): GatewayErrorType | readonly [GatewayErrorType, string] {
  if (header === undefined) return 'MISSING_AUTHENTICATION_TOKEN';
  if (header.startsWith('AWS4-HMAC-SHA256 ')) return 'INVALID_SIGNATURE';
  const [, , credentials = header] = /^(\S+)\s+(.*)$/.exec(header) ?? [];
  const message = `'${credentials}' not a valid key=value pair (missing equal-sign) in Authorization header: '${header}'.`;
  return ['INVALID_SIGNATURE', message];
}

/** The path of a request through the REST API: route, authorizer, API key, throttles, integration. */
export function requestHandler(
  api: RestApi,
  stacks: Stacks,
  keys: ApiKeys,
): (received: Received) => Promise<ProxyResponse> {
  const { facts } = api;
  const dress = gatewayResponses(api.gatewayResponses);
  const meter = usagePlans(stacks.ofType('AWS::ApiGateway::UsagePlan'), keys, facts);
  const withinStage = stageThrottle((api.stage.properties.MethodSettings ?? []) as Parameters<typeof stageThrottle>[0]);
  const isBinary = (type: string): boolean => api.binaryMediaTypes.some((known) => known === '*/*' || known === type);

  const integrate = async (
    method: Method,
    input: ProxyInput,
    body: Buffer,
  ): Promise<ProxyResponse | GatewayErrorType> => {
    const { integration } = method;
    if (integration.kind === 'mock') {
      const answer = integration.respond(parameterSource(input.request, facts, input.resourcePath), body.toString());
      return typeof answer === 'string' ? answer : { ...answer, body: Buffer.from(answer.body) };
    }
    const { method: verb, path: sent } = input.request;
    // "Invalid permissions on Lambda function", in the execution log only.
    if (!integration.isPermitted(verb, sent)) return 'API_CONFIGURATION_ERROR';
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<typeof TIMED_OUT>((resolve) => {
      timer = setTimeout(() => resolve(TIMED_OUT), integration.timeoutMs);
    });
    const outcome = await Promise.race([integration.target.invoke(proxyEvent(input)), limit]);
    clearTimeout(timer);
    if (outcome === TIMED_OUT) return 'INTEGRATION_TIMEOUT';
    if (!outcome.ok) return 'DEFAULT_5XX';
    return proxyResponse(outcome.payload, isBinary(mediaType(input.request.header('accept')))) ?? 'DEFAULT_5XX';
  };

  const run = async (
    { request, decoded, body }: Received,
    path: (resourcePath: string) => void,
  ): Promise<ProxyResponse | GatewayErrorType | readonly [GatewayErrorType, string]> => {
    if (!decoded) return 'BAD_REQUEST_PARAMETERS';
    const match = api.routes.match(request.segments, request.method);
    if (!match) return unknownRoute(request.header('authorization'));
    path(match.path);
    if (!body) return 'REQUEST_TOO_LARGE';
    const method = match.route;
    const binary = isBinary(mediaType(request.header('content-type')));
    const base = {
      request,
      api: facts,
      resourceId: method.resourceId,
      resourcePath: match.path,
      pathParameters: match.pathParameters,
      body: body.length === 0 ? null : body.toString(binary ? 'base64' : 'utf8'),
      isBase64Encoded: binary && body.length > 0,
    };
    const methodArn = `arn:aws:execute-api:${facts.region}:${facts.account}:${facts.apiId}/${facts.stage}/${request.method}${request.path}`;
    const granted = await method.authorizer?.({
      request,
      methodArn,
      event: () => {
        const {
          body: _body,
          isBase64Encoded: _encoded,
          ...event
        } = proxyEvent({ ...base, body: null, isBase64Encoded: false });
        return event;
      },
    });
    if (granted && !granted.granted) return granted.message ? [granted.error, granted.message] : granted.error;
    let identity = {};
    if (method.apiKeyRequired) {
      const value = api.keySource === 'AUTHORIZER' ? granted?.usageIdentifierKey : request.header('x-api-key');
      const metered = meter(value, match.path, request.method);
      if (metered.error) return metered.error;
      identity = metered.identity;
    }
    if (!withinStage(match.path, request.method)) return 'THROTTLED';
    return integrate(method, { ...base, identity, authorizer: granted?.context }, body);
  };

  return async (received) => {
    let resourcePath = '';
    const result = await run(received, (path) => {
      resourcePath = path;
    });
    if (typeof result === 'object' && 'status' in result) return result;
    const [error, message] = typeof result === 'string' ? [result] : result;
    const answer = dress(error, parameterSource(received.request, facts, resourcePath), message);
    return { ...answer, body: Buffer.from(answer.body) };
  };
}
