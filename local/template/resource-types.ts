import { createHash } from 'node:crypto';

export interface Identity {
  readonly logicalId: string;
  readonly stackName: string;
  readonly region: string;
  readonly account: string;
  /** `http://127.0.0.1:port` of the AWS front: queue URLs point there. */
  readonly awsEndpoint: string;
  property(name: string): unknown;
}

type Attribute = (identity: Identity) => string;

export interface ResourceType {
  /** `false`: nothing to run here, it only matters in AWS (or is read by another resource's provisioning). */
  readonly runs: boolean;
  readonly ref: Attribute;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

const hash = ({ stackName, logicalId }: Identity, length: number): string =>
  createHash('sha256').update(`${stackName}/${logicalId}`).digest('hex').slice(0, length);

const named =
  (property: string, limit: number): Attribute =>
  (identity) => {
    const given = identity.property(property);
    return typeof given === 'string' ? given : `${identity.stackName}-${identity.logicalId}`.slice(0, limit);
  };

const arn =
  (service: string, resource: Attribute): Attribute =>
  (identity) =>
    `arn:aws:${service}:${identity.region}:${identity.account}:${resource(identity)}`;

const tableName = named('TableName', 255);
const queueName = named('QueueName', 80);
const functionName = named('FunctionName', 64);
const ruleName = named('Name', 64);
const topicName = named('TopicName', 256);
const logGroupName = named('LogGroupName', 512);
const roleName = named('RoleName', 64);
const id: Attribute = (identity) => hash(identity, 10);
const bucketName: Attribute = (identity) => {
  const given = identity.property('BucketName');
  if (typeof given === 'string') return given;
  const readable = `${identity.stackName}-${identity.logicalId}`.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  return `${readable.slice(0, 52)}-${hash(identity, 8)}`;
};

const tableArn = arn('dynamodb', (i) => `table/${tableName(i)}`);
const queueArn = arn('sqs', queueName);
const functionArn = arn('lambda', (i) => `function:${functionName(i)}`);
// Secrets Manager ends every ARN in six random characters; here they follow from the id, so that they survive a restart.
const secretArn = arn('secretsmanager', (i) => `secret:${named('Name', 200)(i)}-${hash(i, 6)}`);
const iamArn =
  (kind: string, name: Attribute): Attribute =>
  (i) =>
    `arn:aws:iam::${i.account}:${kind}/${name(i)}`;

const table: ResourceType = {
  runs: true,
  ref: tableName,
  // DynamoDB Local numbers its streams itself; the pollers look the real one up by table.
  attributes: { Arn: tableArn, StreamArn: (i) => `${tableArn(i)}/stream/local`, TableId: (i) => hash(i, 32) },
};

const nothing = (ref: Attribute = id, attributes: Readonly<Record<string, Attribute>> = {}): ResourceType => ({
  runs: false,
  ref,
  attributes,
});

const running = (ref: Attribute, attributes: Readonly<Record<string, Attribute>> = {}): ResourceType => ({
  runs: true,
  ref,
  attributes,
});

/**
 * Every resource type the local run supports. Any other type makes the start fail, which is better than
 * a local run that silently lacks a part of the deployed system.
 */
export const RESOURCE_TYPES: Readonly<Record<string, ResourceType>> = {
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::DynamoDB::Table': table,
  'AWS::SQS::Queue': running((i) => `${i.awsEndpoint}/${i.account}/${queueName(i)}`, {
    Arn: queueArn,
    QueueName: queueName,
    QueueUrl: (i) => `${i.awsEndpoint}/${i.account}/${queueName(i)}`,
  }),
  'AWS::S3::Bucket': running(bucketName, {
    Arn: (i) => `arn:aws:s3:::${bucketName(i)}`,
    DomainName: (i) => `${bucketName(i)}.s3.amazonaws.com`,
    RegionalDomainName: (i) => `${bucketName(i)}.s3.${i.region}.amazonaws.com`,
  }),
  'AWS::SecretsManager::Secret': running(secretArn, { Id: secretArn }),
  'AWS::Lambda::Function': running(functionName, { Arn: functionArn }),
  'AWS::Lambda::EventSourceMapping': running(id, { Id: id }),
  'AWS::Events::Rule': running(ruleName, { Arn: arn('events', (i) => `rule/${ruleName(i)}`) }),
  'AWS::ApiGateway::RestApi': running(id, {
    RootResourceId: (i) => `${id(i)}root`,
    RestApiId: id,
  }),
  'AWS::ApiGateway::Resource': running(id, { ResourceId: id }),
  'AWS::ApiGateway::Method': running(id),
  'AWS::ApiGateway::Stage': running((i) => String(i.property('StageName'))),
  'AWS::ApiGateway::Authorizer': running(id, { AuthorizerId: id }),
  'AWS::ApiGateway::GatewayResponse': running(id),
  'AWS::ApiGateway::UsagePlan': running(id, { Id: id }),
  'AWS::ApiGateway::ApiKey': running(id, { APIKeyId: id }),
  'AWS::ApiGateway::UsagePlanKey': running(id, { Id: id }),
  'AWS::KinesisFirehose::DeliveryStream': running(named('DeliveryStreamName', 64), {
    Arn: arn('firehose', (i) => `deliverystream/${named('DeliveryStreamName', 64)(i)}`),
  }),
  'AWS::CloudFront::Distribution': running(id, { Id: id, DomainName: (i) => `${id(i)}.cloudfront.net` }),
  'AWS::CloudFront::ResponseHeadersPolicy': running(id, { Id: id }),
  // CDK's upload of files to a bucket: served from the assembly. The function behind it and its layer stay unused.
  'Custom::CDKBucketDeployment': running(id),
  // Empties the bucket before it is deleted: nothing is deleted here.
  'Custom::S3AutoDeleteObjects': nothing(),
  'AWS::Chatbot::SlackChannelConfiguration': nothing(),
  // Resources of a nested stack are run with the rest.
  'AWS::CloudFormation::Stack': nothing(),
  'AWS::Lambda::LayerVersion': nothing(arn('lambda', (i) => `layer:${hash(i, 10)}:1`)),
  'AWS::CloudFront::OriginAccessControl': nothing(id, { Id: id }),

  // Read through the roles of the functions.
  'AWS::IAM::Role': nothing(roleName, { Arn: iamArn('role', roleName), RoleId: id }),
  'AWS::IAM::Policy': nothing(named('PolicyName', 128)),
  'AWS::IAM::ManagedPolicy': nothing(iamArn('policy', named('ManagedPolicyName', 128))),
  // An alias or a version is its function here: only the newest code exists on this machine.
  'AWS::Lambda::Version': nothing((i) => `${functionArnOf(i)}:1`, {
    Version: () => '1',
    FunctionArn: (i) => `${functionArnOf(i)}:1`,
  }),
  'AWS::Lambda::Alias': nothing((i) => `${functionArnOf(i)}:${String(i.property('Name'))}`, {
    AliasArn: (i) => `${functionArnOf(i)}:${String(i.property('Name'))}`,
  }),
  'AWS::Lambda::Permission': nothing(),
  // How a deployment shifts between versions: there is only one here.
  'AWS::CodeDeploy::Application': nothing(named('ApplicationName', 100)),
  'AWS::CodeDeploy::DeploymentGroup': nothing(named('DeploymentGroupName', 100)),
  'AWS::Lambda::EventInvokeConfig': nothing(),
  'AWS::Logs::LogGroup': nothing(logGroupName, { Arn: arn('logs', (i) => `log-group:${logGroupName(i)}:*`) }),
  'AWS::Logs::MetricFilter': nothing(),
  'AWS::Logs::ResourcePolicy': nothing(),
  'AWS::Logs::QueryDefinition': nothing(),
  'AWS::ApiGateway::Deployment': nothing(id, { DeploymentId: id }),
  'AWS::ApiGateway::Account': nothing(),
  'AWS::ApiGateway::RequestValidator': nothing(id, { RequestValidatorId: id }),
  'AWS::ApiGateway::Model': nothing(named('Name', 128)),
  'AWS::ApiGateway::DomainName': nothing((i) => String(i.property('DomainName')), {
    RegionalDomainName: (i) => `${id(i)}.execute-api.${i.region}.amazonaws.com`,
    RegionalHostedZoneId: id,
  }),
  'AWS::ApiGateway::BasePathMapping': nothing(),
  // Queue and bucket policies refuse plain HTTP, which is used on this machine.
  'AWS::SQS::QueuePolicy': nothing(),
  'AWS::S3::BucketPolicy': nothing(),
  'AWS::CloudWatch::Alarm': nothing(named('AlarmName', 255), {
    Arn: arn('cloudwatch', (i) => `alarm:${named('AlarmName', 255)(i)}`),
  }),
  'AWS::CloudWatch::CompositeAlarm': nothing(named('AlarmName', 255), {
    Arn: arn('cloudwatch', (i) => `alarm:${named('AlarmName', 255)(i)}`),
  }),
  'AWS::CloudWatch::Dashboard': nothing(named('DashboardName', 255)),
  'AWS::CloudWatch::AnomalyDetector': nothing(),
  'AWS::SNS::Topic': nothing(arn('sns', topicName), { TopicArn: arn('sns', topicName), TopicName: topicName }),
  'AWS::SNS::TopicPolicy': nothing(),
  'AWS::SNS::Subscription': nothing(),
  'AWS::KMS::Key': nothing((i) => hash(i, 32), {
    Arn: arn('kms', (i) => `key/${hash(i, 32)}`),
    KeyId: (i) => hash(i, 32),
  }),
  'AWS::KMS::Alias': nothing((i) => String(i.property('AliasName'))),
  'AWS::WAFv2::WebACL': nothing(id, { Arn: arn('wafv2', (i) => `regional/webacl/${id(i)}`), Id: id }),
  'AWS::WAFv2::WebACLAssociation': nothing(),
  // The local Firehose reads the columns of tables; queries are asked with DuckDB.
  'AWS::Glue::Database': nothing((i) => String((i.property('DatabaseInput') as { Name?: string }).Name)),
  'AWS::Glue::Table': nothing((i) => String((i.property('TableInput') as { Name?: string }).Name)),
  'AWS::Athena::WorkGroup': nothing(named('Name', 128)),
  'AWS::Athena::NamedQuery': nothing(id, { NamedQueryId: id }),
  'AWS::Logs::LogStream': nothing(named('LogStreamName', 512)),
  'AWS::CDK::Metadata': nothing(),
};

function functionArnOf(identity: Identity): string {
  const given = String(identity.property('FunctionName'));
  return given.startsWith('arn:') ? given : `arn:aws:lambda:${identity.region}:${identity.account}:function:${given}`;
}
