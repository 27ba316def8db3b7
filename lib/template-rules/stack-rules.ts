import type { Template } from '../stack-templates';
import {
  type Finding,
  findingAbout,
  type Resource,
  resolved,
  ruleFor,
  SynthesizedApp,
  type TemplateRule,
  textOf,
  type Value,
  valueAt,
} from './synthesized-app';

const QUOTAS = 'https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html';
const CLOUDFRONT = 'https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide';
/** CloudFormation refuses a 501st. The margin is for the next capabilities. */
const MAX_RESOURCES = 400;
const MAX_OUTPUTS = 200;
const MAX_PARAMETERS = 200;
const MAX_TEMPLATE_BYTES = 1_000_000;
const MAX_PROJECTED_ATTRIBUTES = 100;

/** Resources that must be unique: the type, its identifying properties, and the scope in which two of a name collide. */
export const IDENTITIES: ReadonlyArray<readonly [type: string, ...properties: string[]]> = [
  ['AWS::ApiGateway::BasePathMapping', 'DomainName', 'BasePath'],
  ['AWS::ApiGateway::DomainName', 'DomainName'],
  ['AWS::ApiGateway::GatewayResponse', 'RestApiId', 'ResponseType'],
  ['AWS::ApiGateway::Method', 'ResourceId', 'HttpMethod'],
  ['AWS::ApiGateway::Resource', 'ParentId', 'PathPart'],
  ['AWS::ApiGateway::Stage', 'RestApiId', 'StageName'],
  ['AWS::Chatbot::SlackChannelConfiguration', 'ConfigurationName'],
  ['AWS::CloudFront::Distribution', 'DistributionConfig.Aliases'],
  ['AWS::CloudFront::OriginAccessControl', 'OriginAccessControlConfig.Name'],
  ['AWS::CloudFront::ResponseHeadersPolicy', 'ResponseHeadersPolicyConfig.Name'],
  ['AWS::CloudWatch::Alarm', 'AlarmName'],
  ['AWS::CloudWatch::CompositeAlarm', 'AlarmName'],
  ['AWS::CloudWatch::Dashboard', 'DashboardName'],
  ['AWS::CodeDeploy::Application', 'ApplicationName'],
  ['AWS::DynamoDB::GlobalTable', 'TableName'],
  ['AWS::Events::Rule', 'Name'],
  ['AWS::IAM::Role', 'RoleName'],
  ['AWS::Lambda::Alias', 'FunctionName', 'Name'],
  ['AWS::Lambda::EventInvokeConfig', 'FunctionName', 'Qualifier'],
  ['AWS::Lambda::EventSourceMapping', 'FunctionName', 'EventSourceArn'],
  ['AWS::Lambda::Function', 'FunctionName'],
  ['AWS::Logs::LogGroup', 'LogGroupName'],
  ['AWS::S3::Bucket', 'BucketName'],
  ['AWS::SNS::Topic', 'TopicName'],
  ['AWS::SQS::Queue', 'QueueName'],
  ['AWS::SecretsManager::Secret', 'Name'],
  ['AWS::XRay::SamplingRule', 'SamplingRule.RuleName'],
];

/** One name space may hold two types. */
export const space = (type: string): string => type.replace('CompositeAlarm', 'Alarm');

export function nameOf(
  app: SynthesizedApp,
  { stack, Properties }: Resource,
  paths: readonly string[],
): string | undefined {
  const [first] = paths;
  if (first === undefined || valueAt(Properties, first) === undefined) return undefined;
  // A reference that leads nowhere, such as a parameter, may stand for anything.
  const isUnknown = (value: Value): boolean =>
    /x{120}/.test(textOf(value ?? '')) && app.targets(stack, value).length === 0;
  if (paths.some((path) => isUnknown(valueAt(Properties, path)))) return undefined;
  // Only the target tells `Ref`s of two stacks apart; a name without references is the same in all of them.
  return paths.map((path) => app.identity(stack, valueAt(Properties, path) ?? '')).join(' ');
}

function perStack(name: string, max: number, says: string, count: (template: Template) => number): TemplateRule {
  return {
    name,
    source: QUOTAS,
    check: (app) =>
      Object.entries(app.templates).flatMap(([stack, template]): Finding[] => {
        const found = count(template);
        return found > max ? [{ stack, says: `${found} of ${max} ${says}` }] : [];
      }),
  };
}

function cycle(app: SynthesizedApp): readonly Resource[] {
  const state = new Map<Resource, 'open' | 'done'>();
  const path: Resource[] = [];
  const visit = (resource: Resource): readonly Resource[] => {
    state.set(resource, 'open');
    path.push(resource);
    for (const next of app.direct(resource)) {
      if (next.stack !== resource.stack) continue;
      if (state.get(next) === 'open') return path.slice(path.indexOf(next));
      if (!state.has(next)) {
        const found = visit(next);
        if (found.length > 0) return found;
      }
    }
    path.pop();
    state.set(resource, 'done');
    return [];
  };
  for (const resource of app.resources) {
    if (state.has(resource)) continue;
    const found = visit(resource);
    if (found.length > 0) return found;
  }
  return [];
}

const countOf = (part: object | undefined): number => Object.keys(part ?? {}).length;

const sizes = [
  perStack('resources', MAX_RESOURCES, 'resources. Move some to another stack.', (each) => countOf(each.Resources)),
  perStack('outputs', MAX_OUTPUTS, 'outputs. Remove some.', (each) => countOf(each.Outputs)),
  perStack('parameters', MAX_PARAMETERS, 'parameters. Remove some.', (each) => countOf(each.Parameters)),
  perStack('template-size', MAX_TEMPLATE_BYTES, 'bytes. Move resources to another stack.', (each) =>
    Buffer.byteLength(JSON.stringify(each)),
  ),
];

export const stackRules: readonly TemplateRule[] = [
  ...sizes,
  {
    name: 'no-circle',
    source:
      'https://aws.amazon.com/blogs/infrastructure-and-automation/handling-circular-dependency-errors-in-aws-cloudformation/',
    // A nested stack waits for all that it is given, and what reads its outputs for the whole of it: templates one by one.
    check: ({ templates }) => {
      const [first, ...others] = cycle(new SynthesizedApp(templates, (each) => each));
      if (!first) return [];
      const circle = [first, ...others, first].map(({ id }) => id).join(' → ');
      return [findingAbout(first, `It waits for itself: ${circle}.`)];
    },
  },
  {
    name: 'exports',
    source: 'https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-stack-exports.html',
    check: (app) => {
      const seen = new Set<string>();
      return Object.entries(app.templates).flatMap(([stack, template]) => [
        ...Object.values(template.Outputs ?? {}).flatMap(({ Export }): Finding[] => {
          const name = Export && textOf(Export.Name);
          if (!name) return [];
          if (seen.has(name)) return [{ stack, says: `It exports ${name}, as another output does.` }];
          seen.add(name);
          return [];
        }),
        ...[...JSON.stringify(template).matchAll(/"Fn::ImportValue":("(?:[^"\\]|\\.)*")/g)].flatMap(
          ([, name = '""']): Finding[] =>
            app.exports(JSON.parse(name)) ? [] : [{ stack, says: `It imports ${name}, which no stack exports.` }],
        ),
      ]);
    },
  },
  {
    name: 'name-taken-once',
    source: 'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-name.html',
    check: (app) => {
      const taken = new Map<string, Resource>();
      return IDENTITIES.flatMap(([type, ...paths]) =>
        app.ofType(type).flatMap((resource): Finding[] => {
          const name = nameOf(app, resource, paths);
          if (name === undefined) return [];
          const other = taken.get(`${space(type)} ${name}`);
          taken.set(`${space(type)} ${name}`, resource);
          return other
            ? [findingAbout(resource, `${other.stack}/${other.id} has its ${paths.join(' and ')} already.`)]
            : [];
        }),
      );
    },
  },
  ruleFor(
    'table-attributes',
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html',
    'AWS::DynamoDB::GlobalTable',
    ({ Properties: p }) => {
      const indexes: readonly Value[] = p.GlobalSecondaryIndexes ?? [];
      const keys = new Set(
        [p, ...indexes].flatMap(({ KeySchema }) => KeySchema.map(({ AttributeName }: Value) => AttributeName)),
      );
      const defined = p.AttributeDefinitions.map(({ AttributeName }: Value) => AttributeName);
      const odd = [...keys].find((key) => !defined.includes(key)) ?? defined.find((name: string) => !keys.has(name));
      if (odd) return `AttributeDefinitions are exactly the attributes of keys: ${odd} is in one place only.`;
      const projected = indexes.flatMap(({ Projection }) => Projection.NonKeyAttributes ?? []).length;
      return (
        projected > MAX_PROJECTED_ATTRIBUTES &&
        `Its indexes project ${projected} of ${MAX_PROJECTED_ATTRIBUTES} attributes.`
      );
    },
  ),
  ruleFor(
    'table-capacity',
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-dynamodb-globaltable-capacityautoscalingsettings.html',
    'AWS::DynamoDB::GlobalTable',
    ({ Properties: p }) => {
      const indexes: readonly Value[] = p.GlobalSecondaryIndexes ?? [];
      const writes = [p, ...indexes].map(
        ({ WriteProvisionedThroughputSettings: set }) => set?.WriteCapacityAutoScalingSettings,
      );
      const reads = p.Replicas.flatMap((replica: Value) => [
        replica,
        ...indexes.map(({ IndexName: name }) =>
          replica.GlobalSecondaryIndexes?.find(({ IndexName }: Value) => IndexName === name),
        ),
      ]).map((part: Value) => part?.ReadProvisionedThroughputSettings);
      const given = [...writes, ...reads].filter((capacity) => capacity !== undefined).length;
      if (p.BillingMode === 'PAY_PER_REQUEST') return given > 0 && 'PAY_PER_REQUEST takes no capacity.';
      if (given < writes.length + reads.length)
        return 'BillingMode PROVISIONED needs the capacity of the table and of each index, for reads and writes.';
      const odd = writes.find(
        ({ MinCapacity, MaxCapacity, SeedCapacity }) => !(SeedCapacity > 0 && MinCapacity <= MaxCapacity),
      );
      return (
        odd && 'Auto scaling needs a SeedCapacity, to change from PAY_PER_REQUEST, and a MinCapacity up to MaxCapacity.'
      );
    },
  ),
  ruleFor(
    'table-replicas',
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html',
    'AWS::DynamoDB::GlobalTable',
    ({ Properties: p }) => {
      const regions = p.Replicas.map(({ Region }: Value) => textOf(Region));
      if (regions.length > 1 && !p.StreamSpecification) return 'A table of several regions needs StreamSpecification.';
      return new Set(regions).size < regions.length && 'Two of its replicas are in one region.';
    },
  ),
  ruleFor(
    'distribution-certificate',
    `${CLOUDFRONT}/cnames-and-https-requirements.html`,
    'AWS::CloudFront::Distribution',
    ({ Properties: { DistributionConfig: config } }) => {
      const { Aliases: aliases = [], ViewerCertificate: { AcmCertificateArn: arn } = {} as Value } = config;
      if (aliases.length > 0 && !arn) return `The alias ${aliases[0]} needs a certificate.`;
      return (
        typeof arn === 'string' &&
        !/^arn:[^:]+:acm:us-east-1:/.test(arn) &&
        `${arn}: CloudFront takes certificates of us-east-1 only.`
      );
    },
  ),
  ruleFor(
    'distribution-origins',
    `${CLOUDFRONT}/DownloadDistValuesCacheBehavior.html`,
    'AWS::CloudFront::Distribution',
    ({ Properties: { DistributionConfig: config } }) => {
      const known = (config.Origins ?? []).map(({ Id }: Value) => Id);
      const unknown = [config.DefaultCacheBehavior, ...(config.CacheBehaviors ?? [])].find(
        ({ TargetOriginId }) => !known.includes(TargetOriginId),
      );
      return unknown && `A behavior uses the origin ${unknown.TargetOriginId}, which the distribution does not have.`;
    },
  ),
  ruleFor(
    'distribution-errors',
    `${CLOUDFRONT}/GeneratingCustomErrorResponses.html`,
    'AWS::CloudFront::Distribution',
    ({ Properties: { DistributionConfig: config } }) => {
      const allowed = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];
      for (const { ErrorCode, ResponseCode, ResponsePagePath } of config.CustomErrorResponses ?? []) {
        if (!allowed.includes(ErrorCode)) return `CloudFront has no error response for ${ErrorCode}.`;
        if ((ResponseCode === undefined) !== (ResponsePagePath === undefined))
          return `Error ${ErrorCode}: ResponseCode and ResponsePagePath need each other.`;
      }
      return undefined;
    },
  ),
  ruleFor(
    'headers-policy',
    `${CLOUDFRONT}/understanding-response-headers-policies.html`,
    'AWS::CloudFront::ResponseHeadersPolicy',
    ({ Properties: { ResponseHeadersPolicyConfig: config } }) => {
      const security =
        /^(?:content-security-policy|x-content-type-options|x-frame-options|referrer-policy|strict-transport-security|x-xss-protection)$/i;
      const wrong = (config.CustomHeadersConfig?.Items ?? []).find(({ Header }: Value) => security.test(Header));
      if (wrong) return `${wrong.Header} belongs into SecurityHeadersConfig.`;
      return !/^[\w-]+$/.test(textOf(resolved(config.Name))) && 'Its name has letters, digits, - and _ only.';
    },
  ),
];
