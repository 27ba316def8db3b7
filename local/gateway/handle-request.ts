import type { ApiKeys } from '../aws/api-gateway-keys';
import type { Stacks } from '../template/resolve-stacks';
import { type ProxyInput, proxyEvent } from './event';
import { type GatewayErrorType, gatewayResponses } from './gateway-responses';
import { type ProxyResponse, proxyResponse } from './proxy-response';
import { type GatewayRequest, parameterSource } from './request';
import type { Method, RestApi } from './rest-api';
import { stageThrottle, usagePlans } from './usage-plans';

/** A request with its body; `undefined` means that it exceeds the 6 MB of an event. */
export interface Received {
  readonly request: GatewayRequest;
  readonly decoded: boolean;
  readonly body: Buffer | undefined;
}

const mediaType = (value: string | undefined): string => value?.split(/[;,]/)[0]?.trim().toLowerCase() ?? '';

const TIMED_OUT = Symbol('timed out');

/**
 * What has no route is taken for a request that AWS's own signature protects: a header without one is an incomplete
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
