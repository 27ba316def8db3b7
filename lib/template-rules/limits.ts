import { type Resource, resolved, type TemplateRule, textOf, type Value } from './synthesized-app';

/** A bound of one property: a number, the characters of a text, or how many entries a list or map has. */
export interface Limit {
  readonly type: string;
  /** Property names joined by dots; `[]` stands for each entry of a list. */
  readonly path: string;
  readonly of: 'value' | 'characters' | 'entries';
  readonly min: number;
  readonly max: number;
  readonly source: string;
}

/** Type and page of AWS's documentation; below them, each property with its least and its most. */
const TABLE = `
AWS::ApiGateway::Authorizer AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-authorizer.html
  AuthorizerResultTtlInSeconds value 0 3600
AWS::ApiGateway::Method AWSCloudFormation/latest/TemplateReference/aws-properties-apigateway-method-integration.html
  Integration.TimeoutInMillis value 50 29000
AWS::CloudFront::Distribution AWSCloudFormation/latest/TemplateReference/aws-properties-cloudfront-distribution-distributionconfig.html
  DistributionConfig.Comment characters 0 128
AWS::CloudFront::Distribution AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html
  DistributionConfig.CacheBehaviors entries 0 74
AWS::CloudFront::OriginAccessControl AWSCloudFormation/latest/TemplateReference/aws-properties-cloudfront-originaccesscontrol-originaccesscontrolconfig.html
  OriginAccessControlConfig.Name characters 1 64
AWS::CloudFront::ResponseHeadersPolicy AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html
  ResponseHeadersPolicyConfig.CustomHeadersConfig.Items entries 0 10
AWS::CloudFront::ResponseHeadersPolicy AWSCloudFormation/latest/TemplateReference/aws-properties-cloudfront-responseheaderspolicy-responseheaderspolicyconfig.html
  ResponseHeadersPolicyConfig.Name characters 1 128
AWS::CloudWatch::Alarm AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
  AlarmName characters 1 255
  AlarmDescription characters 0 1024
  AlarmActions entries 0 5
  Dimensions entries 0 30
AWS::CloudWatch::Alarm AmazonCloudWatch/latest/APIReference/API_MetricDataQuery.html
  Metrics[].Expression characters 1 2048
AWS::CloudWatch::CompositeAlarm AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html
  AlarmName characters 1 255
  AlarmDescription characters 0 1024
  AlarmRule characters 1 10240
  AlarmActions entries 0 5
AWS::CodeDeploy::Application codedeploy/latest/userguide/limits.html
  ApplicationName characters 1 100
AWS::CodeDeploy::DeploymentGroup codedeploy/latest/userguide/limits.html
  DeploymentGroupName characters 1 100
  AlarmConfiguration.Alarms entries 0 10
AWS::DynamoDB::GlobalTable amazondynamodb/latest/developerguide/ServiceQuotas.html
  GlobalSecondaryIndexes entries 0 20
AWS::Events::Rule eventbridge/latest/userguide/eb-quota.html
  Targets entries 1 5
AWS::Events::Rule eventbridge/latest/APIReference/API_RetryPolicy.html
  Targets[].RetryPolicy.MaximumRetryAttempts value 0 185
  Targets[].RetryPolicy.MaximumEventAgeInSeconds value 60 86400
AWS::IAM::ManagedPolicy IAM/latest/UserGuide/reference_iam-quotas.html
  PolicyDocument characters 1 6144
AWS::IAM::Role IAM/latest/UserGuide/reference_iam-quotas.html
  RoleName characters 1 64
  AssumeRolePolicyDocument characters 1 2048
  ManagedPolicyArns entries 0 10
AWS::IAM::Policy IAM/latest/UserGuide/reference_iam-quotas.html
  PolicyName characters 1 128
AWS::Lambda::Function lambda/latest/dg/gettingstarted-limits.html
  FunctionName characters 1 64
  Timeout value 1 900
  MemorySize value 128 10240
  EphemeralStorage.Size value 512 10240
  Layers entries 0 5
AWS::Lambda::Function AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-function.html
  Description characters 0 256
AWS::Lambda::Function AWSCloudFormation/latest/TemplateReference/aws-properties-lambda-function-code.html
  Code.ZipFile characters 1 4194304
AWS::Lambda::EventInvokeConfig AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventinvokeconfig.html
  MaximumRetryAttempts value 0 2
  MaximumEventAgeInSeconds value 60 21600
AWS::Lambda::EventSourceMapping lambda/latest/api/API_CreateEventSourceMapping.html
  BatchSize value 1 10000
  MaximumBatchingWindowInSeconds value 0 300
  MaximumRetryAttempts value -1 10000
  ParallelizationFactor value 1 10
  TumblingWindowInSeconds value 0 900
AWS::Lambda::EventSourceMapping lambda/latest/dg/invocation-eventfiltering.html
  FilterCriteria.Filters entries 1 5
AWS::Lambda::EventSourceMapping AWSCloudFormation/latest/TemplateReference/aws-properties-lambda-eventsourcemapping-filter.html
  FilterCriteria.Filters[].Pattern characters 1 4096
AWS::Lambda::EventSourceMapping lambda/latest/dg/services-sqs-scaling.html
  ScalingConfig.MaximumConcurrency value 2 1000
AWS::Logs::LogGroup AWSCloudFormation/latest/TemplateReference/aws-resource-logs-loggroup.html
  LogGroupName characters 1 512
AWS::Logs::QueryDefinition AmazonCloudWatchLogs/latest/APIReference/API_PutQueryDefinition.html
  Name characters 1 255
  QueryString characters 1 10000
  LogGroupNames entries 0 50
AWS::SNS::Topic sns/latest/api/API_SetTopicAttributes.html
  DisplayName characters 0 100
AWS::SQS::Queue AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
  VisibilityTimeout value 0 43200
  MessageRetentionPeriod value 60 1209600
  RedrivePolicy.maxReceiveCount value 1 1000
AWS::SQS::QueuePolicy AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies.html
  PolicyDocument characters 1 8192
  PolicyDocument.Statement entries 1 20
  PolicyDocument.Statement[].Action entries 1 7
AWS::S3::BucketPolicy AmazonS3/latest/userguide/bucket-policies.html
  PolicyDocument characters 1 20480
AWS::SecretsManager::Secret secretsmanager/latest/apireference/API_GetRandomPassword.html
  GenerateSecretString.PasswordLength value 1 4096
AWS::KinesisFirehose::DeliveryStream firehose/latest/APIReference/API_BufferingHints.html
  ExtendedS3DestinationConfiguration.BufferingHints.SizeInMBs value 1 128
  ExtendedS3DestinationConfiguration.BufferingHints.IntervalInSeconds value 0 900
AWS::Athena::WorkGroup athena/latest/APIReference/API_WorkGroupConfiguration.html
  WorkGroupConfiguration.BytesScannedCutoffPerQuery value 10000000 7000000000000
AWS::Athena::NamedQuery athena/latest/APIReference/API_CreateNamedQuery.html
  QueryString characters 1 262144
AWS::KMS::Key kms/latest/developerguide/resource-limits.html
  KeyPolicy characters 1 32768
AWS::XRay::SamplingRule xray/latest/api/API_SamplingRule.html
  SamplingRule.RuleName characters 1 32
  SamplingRule.Priority value 1 9999
  SamplingRule.FixedRate value 0 1
  SamplingRule.ServiceName characters 0 64
`;

function parse(table: string): readonly Limit[] {
  let [type, page] = ['', ''];
  return table.split('\n').flatMap((line): Limit[] => {
    const [first = '', second = '', min, max] = line.trim().split(' ');
    if (min === undefined) {
      if (first) [type, page] = [first, second];
      return [];
    }
    const source = `https://docs.aws.amazon.com/${page}`;
    return [{ type, path: first, of: second as Limit['of'], min: Number(min), max: Number(max), source }];
  });
}

export const LIMITS: readonly Limit[] = parse(TABLE);

function valuesAt(value: Value, [name, ...rest]: readonly string[]): Value[] {
  if (value === undefined || value === null || name === undefined) return value === undefined ? [] : [value];
  const each = name.endsWith('[]');
  const found = value[each ? name.slice(0, -2) : name];
  return each ? [found ?? []].flat().flatMap((entry: Value) => valuesAt(entry, rest)) : valuesAt(found, rest);
}

/** IAM counts no white space, and neither do we: JSON has none here. */
const size = (value: Value, of: Limit['of']): number => {
  if (of === 'value') return Number(value);
  if (of === 'entries') return typeof value === 'object' ? Object.keys(value).length : 1;
  return typeof resolved(value) === 'string' ? textOf(value).length : JSON.stringify(resolved(value)).length;
};

const isReference = (value: Value): boolean =>
  typeof value === 'object' && ('Ref' in value || 'Fn::ImportValue' in value);

export const limitRules: readonly TemplateRule[] = LIMITS.map(({ type, path, of, min, max, source }) => ({
  name: `${type} ${path}`,
  source,
  check: (app) =>
    app.ofType(type).flatMap(({ stack, id, Properties }: Resource) =>
      valuesAt(Properties, path.split('.')).flatMap((value) => {
        if (of === 'value' && isReference(value)) return [];
        const found = size(value, of);
        if (found >= min && found <= max) return [];
        const unit = of === 'value' ? '' : ` ${of}`;
        return [{ stack, id, says: `${path} is ${found}${unit}. Keep it between ${min} and ${max}.` }];
      }),
    ),
}));
