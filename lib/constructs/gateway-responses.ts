import { Validations } from 'aws-cdk-lib';
import {
  type IResource,
  MockIntegration,
  PassthroughBehavior,
  ResponseType,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { NEWEST_API_VERSION } from '../../shared/domain/api-version';
import { type ErrorCode, STATUS } from '../../shared/domain/errors';
import { KEY_PREFIX, type Stage } from '../../shared/domain/stage';

export const NO_SUCH_ROUTE = 'No such route. The reference is at /docs.';

/** The gateway's own errors, each mapped to one of ours. A 403 from the gateway means an unknown key or route. */
const RESPONSES: ReadonlyArray<readonly [ResponseType, ErrorCode, string]> = [
  // The authorizer refused: the key has the form of one.
  [ResponseType.ACCESS_DENIED, 'unauthorized', 'Unknown key: mistyped, revoked, expired, or of another deployment.'],
  [ResponseType.API_CONFIGURATION_ERROR, 'internal_error', 'Internal error. Try again later.'],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, 'internal_error', 'Internal error. Try again later.'],
  [ResponseType.AUTHORIZER_FAILURE, 'unavailable', 'The API key could not be checked. Try again.'],
  [ResponseType.BAD_REQUEST_BODY, 'invalid_request', 'The body of the request is malformed.'],
  [ResponseType.BAD_REQUEST_PARAMETERS, 'invalid_request', 'The path or a query parameter is malformed.'],
  [ResponseType.DEFAULT_4XX, 'invalid_request', 'The request is malformed.'],
  [ResponseType.DEFAULT_5XX, 'internal_error', 'Internal error. Try again later.'],
  // No route takes AWS's own signature, so these two also stand for a header on an unknown path.
  [ResponseType.EXPIRED_TOKEN, 'not_found', NO_SUCH_ROUTE],
  [ResponseType.INTEGRATION_FAILURE, 'unavailable', 'The service could not complete the request. Try again.'],
  [ResponseType.INTEGRATION_TIMEOUT, 'unavailable', 'The service did not respond in time. Try again.'],
  [ResponseType.INVALID_API_KEY, 'unauthorized', 'The account of this API key has no rate limit.'],
  [ResponseType.INVALID_SIGNATURE, 'not_found', NO_SUCH_ROUTE],
  // The gateway calls it a missing token; because every route has our authorizer, it is an unknown path.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'not_found', NO_SUCH_ROUTE],
  [ResponseType.QUOTA_EXCEEDED, 'rate_limited', 'Too many requests. Retry after the time in Retry-After.'],
  [ResponseType.REQUEST_TOO_LARGE, 'payload_too_large', 'The body must not exceed 65536 bytes.'],
  [ResponseType.RESOURCE_NOT_FOUND, 'not_found', NO_SUCH_ROUTE],
  [ResponseType.THROTTLED, 'rate_limited', 'Too many requests. Retry after the time in Retry-After.'],
  // The gateway refused by the form alone, before any function ran.
  [
    ResponseType.UNAUTHORIZED,
    'unauthorized',
    'Send Authorization: Bearer <API key>, a whole key that begins with PREFIX.',
  ],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'unsupported_media_type', 'Send the body as Content-Type: application/json.'],
  [ResponseType.WAF_FILTERED, 'invalid_request', 'The request was refused by a firewall rule.'],
];

const RETRIED: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'unavailable']);

/** The envelope as a mapping template: the gateway fills in the request ID. */
export const envelopeTemplate = (code: ErrorCode, message: string): string =>
  JSON.stringify({ error: { code, message, request_id: '$context.requestId' } });

/** Puts every error that the gateway itself returns into our envelope. */
export function addGatewayResponses(api: RestApi, stage: Stage): void {
  for (const [type, code, message] of RESPONSES) {
    api.addGatewayResponse(`Gateway-${type.responseType}`, {
      type,
      statusCode: String(STATUS[code]),
      responseHeaders: {
        'Content-Type': "'application/json'",
        'X-Request-Id': 'context.requestId',
        'X-Api-Version': `'${NEWEST_API_VERSION}'`,
        'Cache-Control': "'no-store'",
        ...(RETRIED.has(code) ? { 'Retry-After': "'1'" } : {}),
      },
      templates: { 'application/json': envelopeTemplate(code, message.replace('PREFIX', KEY_PREFIX[stage])) },
    });
  }
}

/**
 * Content types that clients send. A mock answers only content types that it has a template for, without wildcards: others get
 * 415, and passed through they would get 500, because a mock reads its status from what the template makes
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/integration-passthrough-behaviors.html). A request without
 * Content-Type counts as JSON.
 */
const CONTENT_TYPES = [
  ...['application/json', 'text/json', 'application/problem+json', 'application/vnd.api+json'],
  ...['application/merge-patch+json', 'application/json-patch+json', 'application/cloudevents+json'],
  ...['application/x-amz-json-1.0', 'application/x-amz-json-1.1', 'application/cbor'],
  ...['application/x-www-form-urlencoded', 'multipart/form-data', 'application/octet-stream'],
  ...['text/plain', 'text/html', 'text/xml', 'application/xml', 'text/csv'],
];

/** Answers any method of a resource with a fixed error, without a function and without a key. */
function addMock(
  resource: IResource,
  code: ErrorCode,
  message: string,
  ownHeaders: Readonly<Record<string, string>> = {},
): void {
  const statusCode = String(STATUS[code]);
  const headers: Readonly<Record<string, string>> = {
    ...ownHeaders,
    'X-Request-Id': 'context.requestId',
    'X-Api-Version': `'${NEWEST_API_VERSION}'`,
    'Content-Type': "'application/json'",
  };
  const parameters = Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, value] as const);
  const request = JSON.stringify({ statusCode: STATUS[code] });
  const method = resource.addMethod(
    'ANY',
    new MockIntegration({
      passthroughBehavior: PassthroughBehavior.NEVER,
      requestTemplates: Object.fromEntries(CONTENT_TYPES.map((type) => [type, request])),
      integrationResponses: [
        {
          statusCode,
          responseParameters: Object.fromEntries(parameters),
          responseTemplates: { 'application/json': envelopeTemplate(code, message) },
        },
      ],
    }),
    {
      methodResponses: [
        { statusCode, responseParameters: Object.fromEntries(parameters.map(([name]) => [name, true])) },
      ],
    },
  );
  for (const id of ['AwsSolutions-APIG4', 'AwsSolutions-COG4']) {
    Validations.of(method).acknowledge({ id, reason: 'A fixed error that reads and shows nothing.' });
  }
}

/** Answers every other method on a known path with 405 and `Allow`: the gateway would return 403. */
export const addMethodNotAllowed = (resource: IResource, allowed: readonly string[]): void =>
  addMock(resource, 'method_not_allowed', `This path supports ${allowed.join(', ')}.`, {
    Allow: `'${allowed.join(', ')}'`,
  });

/** Answers every method on a path that has no route with 404. */
export const addNotFound = (resource: IResource): void => addMock(resource, 'not_found', NO_SUCH_ROUTE);
