import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AuthorizationType, EndpointType, MockIntegration, RestApi, TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  FunctionUrlAuthType,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

const HANDLER = readFileSync(join(__dirname, 'probe-handler.cjs'), 'utf8');

/** Everything here lives for minutes and holds test data only. */
const SHORT_LIVED = 'Deployed by npm run verify for a few minutes; receives test data only and is removed at the end.';
const ACKNOWLEDGED = [
  'AwsSolutions-SQS3',
  'AwsSolutions-APIG1',
  'AwsSolutions-APIG2',
  'AwsSolutions-APIG3',
  'AwsSolutions-APIG4',
  'AwsSolutions-APIG6',
  'AwsSolutions-COG4',
  'Serverless-LambdaDLQ',
  'Serverless-LambdaTracing',
  'Serverless-APIGWAccessLogging',
  'Serverless-APIGWXrayEnabled',
  'Serverless-SQSRedrivePolicy',
  'Serverless-LambdaDefaultMemorySize',
] as const;

/**
 * Resources of `npm run verify -- --aws`: a receiver of webhooks that shows what arrived, and an API whose authorizer
 * returns the header that it was given. Part of the app only with `-c verifyReceiver=on`.
 */
export class VerifyStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps = {}) {
    super(scope, id, { ...props, description: 'Fraud screening: receiver and probe of npm run verify' });
    const queue = new Queue(this, 'Arrivals', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.hours(1),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_DAY,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    queue.grantSendMessages(role);
    const probe = new LambdaFunction(this, 'Probe', {
      description: 'Fraud screening: receives the webhooks of npm run verify',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromInline(HANDLER),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      timeout: Duration.seconds(5),
      memorySize: 256,
      environment: { QUEUE_URL: queue.queueUrl },
    });
    const { url } = probe.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    const api = this.authorizationProbe(probe as IFunction);
    for (const ruleId of ACKNOWLEDGED) Validations.of(this).acknowledge({ id: ruleId, reason: SHORT_LIVED });
    const outputs = {
      ReceiverUrl: url,
      ReceiverQueueUrl: queue.queueUrl,
      AuthorizationProbeUrl: api.urlForPath('/'),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }

  private authorizationProbe(handler: IFunction): RestApi {
    const api = new RestApi(this, 'Api', {
      restApiName: 'Fraud screening, verify',
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: false,
      deployOptions: { throttlingRateLimit: 5, throttlingBurstLimit: 10 },
    });
    const responseTemplates = { 'application/json': '{"seen":"$context.authorizer.seen"}' };
    api.root.addMethod(
      'GET',
      new MockIntegration({
        requestTemplates: { 'application/json': '{"statusCode":200}' },
        integrationResponses: [{ statusCode: '200', responseTemplates }],
      }),
      {
        authorizer: new TokenAuthorizer(this, 'Authorizer', { handler, resultsCacheTtl: Duration.seconds(0) }),
        authorizationType: AuthorizationType.CUSTOM,
        methodResponses: [{ statusCode: '200' }],
      },
    );
    return api;
  }
}
