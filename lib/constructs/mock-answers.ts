import { Validations } from 'aws-cdk-lib';
import { type IResource, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { NEWEST_API_VERSION } from '../../shared/domain/api-version';
import { type ErrorCode, STATUS } from '../../shared/domain/errors';
import { envelopeTemplate, NO_SUCH_ROUTE } from './gateway-responses';

/**
 * What clients send bodies as. A mock answers only content types that it has a template for, without wildcards: others get
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

/** Answers ANY method of a resource by a fixed error, without a function and without a key. */
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
