import { Validations } from 'aws-cdk-lib';
import { type IResource, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { NEWEST_API_VERSION } from '../../shared/domain/api-version';
import { envelopeTemplate } from './gateway-responses';

const HEADERS = ['Allow', 'X-Request-Id', 'X-Api-Version', 'Content-Type'];

/** Answers every other method on a known path with 405 and `Allow`, without a function: the gateway would return 403. */
export function addMethodNotAllowed(resource: IResource, allowed: readonly string[]): void {
  const message = `This path supports ${allowed.join(', ')}.`;
  const header = (name: string) => `method.response.header.${name}`;
  const method = resource.addMethod(
    'ANY',
    new MockIntegration({
      passthroughBehavior: PassthroughBehavior.NEVER,
      requestTemplates: { 'application/json': '{"statusCode":405}' },
      integrationResponses: [
        {
          statusCode: '405',
          responseParameters: {
            [header('Allow')]: `'${allowed.join(', ')}'`,
            [header('X-Request-Id')]: 'context.requestId',
            [header('X-Api-Version')]: `'${NEWEST_API_VERSION}'`,
            [header('Content-Type')]: "'application/json'",
          },
          responseTemplates: { 'application/json': envelopeTemplate('method_not_allowed', message) },
        },
      ],
    }),
    {
      methodResponses: [
        { statusCode: '405', responseParameters: Object.fromEntries(HEADERS.map((name) => [header(name), true])) },
      ],
    },
  );
  for (const id of ['AwsSolutions-APIG4', 'AwsSolutions-COG4']) {
    Validations.of(method).acknowledge({ id, reason: 'A fixed 405 that reads and shows nothing.' });
  }
}
