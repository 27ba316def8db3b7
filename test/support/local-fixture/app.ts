import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnOutput, CfnResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sources from 'aws-cdk-lib/aws-lambda-event-sources';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { buildSync } from 'esbuild';

// A small application with one of everything that the local run emulates. Run as a CDK app: CDK_OUTDIR says where to.
const app = new App({ outdir: process.env.CDK_OUTDIR ?? 'cdk.out' });
const registry = new Stack(app, 'Fixture-Models');
const bucket = new s3.Bucket(registry, 'Registry');
const stack = new Stack(app, 'Fixture-main');
new CfnResource(new Stack(app, 'Fixture-unknown'), 'Oddity', { type: 'AWS::Kinesis::Stream', properties: {} });

function fn(name: string, props: Partial<lambda.FunctionProps> = {}): lambda.Function {
  const outdir = join(app.outdir, 'handlers', name);
  mkdirSync(outdir, { recursive: true });
  const options = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'error' } as const;
  buildSync({
    ...options,
    entryPoints: [join(__dirname, 'handlers', `${name}.ts`)],
    outfile: join(outdir, 'index.js'),
  });
  return new lambda.Function(stack, name[0]?.toUpperCase() + name.slice(1), {
    runtime: lambda.Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: lambda.Code.fromAsset(outdir),
    timeout: Duration.seconds(60),
    memorySize: 256,
    ...props,
  });
}

const table = new dynamodb.TableV2(stack, 'Table', {
  partitionKey: { name: 'pk', type: dynamodb.AttributeType.STRING },
  globalSecondaryIndexes: [
    { indexName: 'byKind', partitionKey: { name: 'kind', type: dynamodb.AttributeType.STRING } },
  ],
  dynamoStream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
  timeToLiveAttribute: 'ttl',
  removalPolicy: RemovalPolicy.DESTROY,
});
const secret = new secretsmanager.Secret(stack, 'DataKey', {
  generateSecretString: {
    secretStringTemplate: '{"version":1}',
    generateStringKey: 'key',
    passwordLength: 40,
    excludePunctuation: true,
  },
});
const failures = new sqs.Queue(stack, 'Failures');
const dead = new sqs.Queue(stack, 'Dead');
const work = new sqs.Queue(stack, 'Work', {
  // Long enough for a function on a busy machine: what succeeds late is delivered again, there as in AWS.
  visibilityTimeout: Duration.seconds(5),
  deadLetterQueue: { queue: dead, maxReceiveCount: 2 },
});

const environment = {
  TABLE_NAME: table.tableName,
  BUCKET_NAME: bucket.bucketName,
  QUEUE_URL: work.queueUrl,
  SECRET_ARN: secret.secretArn,
};
const echo = fn('echo');
const authorizer = fn('authorizer');
const items = fn('items', { environment });
const relay = fn('relay', { environment });
const worker = fn('worker', { environment, timeout: Duration.seconds(1) });
const tick = fn('tick');
const misbehave = fn('misbehave', { timeout: Duration.seconds(1) });
const overreach = fn('overreach', { environment });
const storage = fn('storage', { environment });

table.grant(items, 'dynamodb:GetItem', 'dynamodb:PutItem');
table.grant(relay, 'dynamodb:PutItem');
table.grant(worker, 'dynamodb:UpdateItem');
bucket.grantReadWrite(storage);
secret.grantRead(storage);
work.grantSendMessages(storage);
work.grantSendMessages(worker);
overreach.addToRolePolicy(
  new iam.PolicyStatement({
    actions: ['dynamodb:PutItem'],
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['tenant#own*'] } },
  }),
);

relay.addEventSource(
  new sources.DynamoEventSource(table as unknown as dynamodb.ITable, {
    startingPosition: lambda.StartingPosition.LATEST,
    batchSize: 10,
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    retryAttempts: 1,
    onFailure: new sources.SqsDlq(failures),
    filters: [
      lambda.FilterCriteria.filter({
        eventName: lambda.FilterRule.isEqual('INSERT'),
        dynamodb: { NewImage: { kind: { S: lambda.FilterRule.isEqual('order') } } },
      }),
    ],
  }),
);
worker.addEventSource(
  new sources.SqsEventSource(work, { batchSize: 10, reportBatchItemFailures: true, maxConcurrency: 2 }),
);
new events.Rule(stack, 'EveryMinute', {
  schedule: events.Schedule.rate(Duration.minutes(1)),
  targets: [new targets.LambdaFunction(tick)],
});

const api = new apigateway.RestApi(stack, 'Api', {
  apiKeySourceType: apigateway.ApiKeySourceType.AUTHORIZER,
  deployOptions: { stageName: 'v', throttlingRateLimit: 1_000, throttlingBurstLimit: 2_000 },
  cloudWatchRole: false,
});
const guard = new apigateway.TokenAuthorizer(stack, 'Guard', {
  handler: authorizer,
  validationRegex: 'Bearer [a-z-]+',
  resultsCacheTtl: Duration.minutes(1),
});
const envelope =
  '{"error":{"code":"$context.error.responseType","message":$context.error.messageString,"request_id":"$context.requestId"}}';
const dressed = (type: apigateway.ResponseType, statusCode?: string, headers: Record<string, string> = {}) =>
  api.addGatewayResponse(`On${type.responseType}`, {
    type,
    ...(statusCode ? { statusCode } : {}),
    responseHeaders: { 'X-Request-Id': 'context.requestId', ...headers },
    templates: { 'application/json': envelope },
  });
dressed(apigateway.ResponseType.DEFAULT_4XX);
dressed(apigateway.ResponseType.DEFAULT_5XX);
dressed(apigateway.ResponseType.MISSING_AUTHENTICATION_TOKEN, '404');
dressed(apigateway.ResponseType.THROTTLED, '429', { 'Retry-After': "'1'" });

const open = (path: string, method: string, target: lambda.Function, options: apigateway.MethodOptions = {}) =>
  api.root.resourceForPath(path).addMethod(method, new apigateway.LambdaIntegration(target), options);
const guarded = { authorizer: guard, authorizationType: apigateway.AuthorizationType.CUSTOM };
open('/v1/echo/{name}', 'ANY', echo);
open('/v1/echo/fixed', 'GET', echo);
open('/v1/files/{path+}', 'GET', echo);
open('/v1/guarded', 'GET', echo, guarded);
open('/v1/guarded', 'POST', echo, guarded);
open('/v1/metered', 'GET', echo, { ...guarded, apiKeyRequired: true });
open('/v1/items/{id}', 'GET', items);
open('/v1/items/{id}', 'PUT', items);
open('/v1/misbehave', 'GET', misbehave);
open('/v1/overreach', 'GET', overreach);
open('/v1/storage', 'GET', storage);
open('/v1/storage', 'PUT', storage);
open('/v1/storage', 'POST', storage);
api.root.resourceForPath('/v1/items/{id}').addMethod(
  'ANY',
  new apigateway.MockIntegration({
    passthroughBehavior: apigateway.PassthroughBehavior.NEVER,
    requestTemplates: { 'application/json': '{"statusCode":405}' },
    integrationResponses: [
      {
        statusCode: '405',
        responseParameters: {
          'method.response.header.Allow': "'GET, PUT'",
          'method.response.header.X-Request-Id': 'context.requestId',
        },
        responseTemplates: {
          'application/json': '{"error":{"code":"method_not_allowed","request_id":"$context.requestId"}}',
        },
      },
    ],
  }),
  {
    methodResponses: [
      {
        statusCode: '405',
        responseParameters: { 'method.response.header.Allow': true, 'method.response.header.X-Request-Id': true },
      },
    ],
  },
);
const plan = api.addUsagePlan('Plan', {
  apiStages: [{ stage: api.deploymentStage }],
  throttle: { rateLimit: 1, burstLimit: 3 },
});

new CfnOutput(stack, 'TableName', { value: table.tableName });
new CfnOutput(stack, 'WorkUrl', { value: work.queueUrl });
new CfnOutput(stack, 'DeadUrl', { value: dead.queueUrl });
new CfnOutput(stack, 'FailuresUrl', { value: failures.queueUrl });
new CfnOutput(stack, 'PlanId', { value: plan.usagePlanId });
app.synth();
