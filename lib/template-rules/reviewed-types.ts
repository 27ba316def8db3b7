/** The resource types whose documentation was gone through: docs/deployment-findings.md says for what. */
export const REVIEWED_TYPES: ReadonlySet<string> = new Set(
  `AWS::ApiGateway::Account AWS::ApiGateway::Authorizer AWS::ApiGateway::BasePathMapping AWS::ApiGateway::Deployment
  AWS::ApiGateway::DomainName AWS::ApiGateway::GatewayResponse AWS::ApiGateway::Method AWS::ApiGateway::Resource
  AWS::ApiGateway::RestApi AWS::ApiGateway::Stage AWS::ApiGateway::UsagePlan AWS::Chatbot::SlackChannelConfiguration
  AWS::CloudFormation::Stack AWS::CloudFront::Distribution AWS::CloudFront::OriginAccessControl AWS::CloudFront::ResponseHeadersPolicy
  AWS::CloudWatch::Alarm AWS::CloudWatch::CompositeAlarm AWS::CloudWatch::Dashboard AWS::CodeDeploy::Application
  AWS::CodeDeploy::DeploymentGroup AWS::DynamoDB::GlobalTable AWS::Events::Rule AWS::IAM::Policy AWS::IAM::Role
  AWS::KMS::Key AWS::Lambda::Alias AWS::Lambda::EventInvokeConfig AWS::Lambda::EventSourceMapping AWS::Lambda::Function
  AWS::Lambda::LayerVersion AWS::Lambda::Permission AWS::Lambda::Url AWS::Lambda::Version AWS::Logs::LogGroup
  AWS::Logs::QueryDefinition AWS::S3::Bucket AWS::S3::BucketPolicy AWS::SNS::Subscription AWS::SNS::Topic
  AWS::SNS::TopicPolicy AWS::SQS::Queue AWS::SQS::QueuePolicy AWS::SecretsManager::Secret
  Custom::CDKBucketDeployment Custom::S3AutoDeleteObjects AWS::CDK::Metadata AWS::IAM::ManagedPolicy`.split(/\s+/),
);
