import type { ApiFacts, GatewayRequest } from './request';
import { requestTime } from './request';

export interface RequestIdentity {
  readonly apiKey?: string;
  readonly apiKeyId?: string;
}

/** What the gateway knows about a request by the time it calls the integration. */
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
