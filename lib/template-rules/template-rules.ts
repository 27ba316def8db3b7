import { basename, dirname } from 'node:path';
import type { IPolicyValidationContext, IPolicyValidationPlugin, PolicyValidationPluginReport } from 'aws-cdk-lib';
import { readStackTemplates, type StackTemplates } from '../stack-templates';
import { apiGatewayRules } from './api-gateway-rules';
import { lambdaRules } from './lambda-rules';
import { limitRules } from './limits';
import { monitoringRules } from './monitoring-rules';
import { policyRules } from './policy-rules';
import { stackRules } from './stack-rules';
import { type Finding, SynthesizedApp, type TemplateRule } from './synthesized-app';
import { warehouseRules } from './warehouse-rules';

/** The resource types whose documentation was reviewed: docs/deployment-findings.md says for what. */
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
  AWS::Athena::NamedQuery AWS::Athena::WorkGroup AWS::Glue::Database AWS::Glue::Table
  AWS::KinesisFirehose::DeliveryStream AWS::Logs::LogStream
  Custom::CDKBucketDeployment Custom::S3AutoDeleteObjects AWS::CDK::Metadata AWS::IAM::ManagedPolicy`.split(/\s+/),
);

const reviewed: TemplateRule = {
  name: 'reviewed-type',
  source: 'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html',
  check: (app) =>
    app.resources
      .filter(({ Type }) => !REVIEWED_TYPES.has(Type))
      .map(({ stack, id, Type }) => ({
        stack,
        id,
        says: `Nobody has gone through ${Type} yet: read what AWS refuses when it is created and updated, then add it to reviewed-types.ts and docs/deployment-findings.md.`,
      })),
};

/** Every known refusal of AWS that shows in the templates, one rule each. */
export const TEMPLATE_RULES: readonly TemplateRule[] = [
  reviewed,
  ...stackRules,
  ...apiGatewayRules,
  ...lambdaRules,
  ...policyRules,
  ...monitoringRules,
  ...limitRules,
  ...warehouseRules,
];

export interface RuleFinding extends Finding {
  readonly rule: TemplateRule;
}

export function findingsIn(templates: StackTemplates): readonly RuleFinding[] {
  const app = new SynthesizedApp(templates);
  return TEMPLATE_RULES.flatMap((rule) => rule.check(app).map((finding) => ({ ...finding, rule })));
}

/** Runs the rules on every synthesis, so that `cdk synth`, `npm start` and `npm run deploy` stop where AWS would. */
export class TemplateRules implements IPolicyValidationPlugin {
  readonly name = 'template-rules';

  validate({ templatePaths }: IPolicyValidationContext): PolicyValidationPluginReport {
    // Nested templates are read with the stack that they are nested in.
    const outermost = templatePaths.filter((path) => !path.endsWith('.nested.template.json'));
    const paths = new Map(outermost.map((path) => [basename(path, '.template.json'), path]));
    const templates = [...paths].map(([stack, path]) => readStackTemplates(dirname(path), stack));
    const findings = findingsIn(Object.assign({}, ...templates));
    return {
      success: findings.length === 0,
      violations: findings.map(({ rule, stack, id, says }) => ({
        ruleName: rule.name,
        description: `${stack}${id ? `/${id}` : ''}: ${says}`,
        fix: rule.source,
        violatingResources: [
          { resourceLogicalId: id ?? stack, templatePath: paths.get(stack.split('/')[0] ?? '') ?? '', locations: [] },
        ],
      })),
    };
  }
}
