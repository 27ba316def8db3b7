import { REPLACING } from '../../lib/template-changes';
import alsoNeeded from './also-needed.json';

/**
 * Permissions that CloudFormation asks for beyond the service of the type itself: from `handlers` in the types' schemas
 * (create, read, update, delete), which `aws cloudformation describe-type --type RESOURCE --type-name …` prints and
 * https://github.com/pulumi/pulumi-aws-native/tree/master/aws-cloudformation-schema keeps. Permissions of features that the
 * templates do not use (VPCs, Kinesis, S3 tables, Firehose, EFS) are left out. Types without handlers (IAM policies,
 * CodeDeploy groups, event rules) pass a role or change one: those come from the services' documentation. API Gateway and
 * CloudWatch make their own roles on first use. Without `iam:ListAttachedRolePolicies` and `iam:ListRolePolicies` a role
 * cannot be deleted: a rollback, a removal and the end of npm run verify stop half-way.
 */
export const ALSO_NEEDED: Readonly<Record<string, readonly string[]>> = alsoNeeded;

/** The service's prefix in IAM: all but Firehose have the service in the type's name, in small letters. Custom resources call functions. */
export function servicePrefix(type: string): string | undefined {
  const [vendor = '', service = ''] = type.split('::');
  if (vendor === 'Custom') return 'lambda';
  if (service === 'KinesisFirehose') return 'firehose';
  return service === 'CDK' ? undefined : service.toLowerCase();
}

/** Calls of the command lines, as a test recorded them: `<resources> <action>` by command. */
export type CommandCalls = Readonly<Record<string, readonly string[]>>;

interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
}

export interface PolicyDocument {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

/** Resources that the command lines act on, as AWS names them: most names begin with the stack's, a secret's with its logical ID. */
export const RESOURCES: Readonly<Record<string, readonly string[]>> = {
  Stacks: ['arn:aws:cloudformation:*:*:stack/FraudScreening-*/*'],
  Table: ['arn:aws:dynamodb:*:*:table/FraudScreening-*'],
  StageSecret: ['arn:aws:secretsmanager:*:*:secret:DataKey*'],
  RateLimitKeys: [
    'arn:aws:apigateway:*::/apikeys',
    'arn:aws:apigateway:*::/apikeys/*',
    'arn:aws:apigateway:*::/usageplans/*/keys',
  ],
  ModelRegistry: ['arn:aws:s3:::fraudscreening-models-*'],
  Queues: ['arn:aws:sqs:*:*:FraudScreening-*'],
  Functions: ['arn:aws:lambda:*:*:function:FraudScreening-*'],
  Alarms: ['arn:aws:cloudwatch:*:*:alarm:fraud-screening-*'],
  Topics: ['arn:aws:sns:*:*:FraudScreening-*'],
  RolesOfTheBootstrap: ['arn:aws:iam::*:role/cdk-*'],
  // CloudWatch knows no resources for reading.
  Metrics: ['*'],
};

const sorted = (values: Iterable<string>): readonly string[] => [...new Set(values)].sort();

const document = (statements: readonly Omit<Statement, 'Effect'>[]): PolicyDocument => ({
  Version: '2012-10-17',
  Statement: statements.map(({ Sid, Action, Resource }) => ({ Sid, Effect: 'Allow', Action, Resource })),
});

export function policyFor(calls: CommandCalls, isIncluded: (command: string) => boolean): PolicyDocument {
  const used = Object.entries(calls).flatMap(([command, each]) => (isIncluded(command) ? each : []));
  const statements = Object.entries(RESOURCES).map(([Sid, Resource]) => {
    const own = used.filter((call) => call.startsWith(`${Sid} `));
    return { Sid, Action: sorted(own.map((call) => call.slice(Sid.length + 1))), Resource };
  });
  return document(statements.filter(({ Action }) => Action.length > 0));
}

/** `npm run deploy`, and the CDK command line, which acts through the roles of the bootstrap. */
export const deployerPolicy = (calls: CommandCalls): PolicyDocument =>
  policyFor(calls, (command) => command.startsWith('deploy'));

export const operatorPolicy = (calls: CommandCalls): PolicyDocument =>
  policyFor(calls, (command) => !command.startsWith('deploy'));

const ROLES = 'arn:aws:iam::*:role/FraudScreening-*';

/**
 * Permissions that CloudFormation needs to create, update and delete every type of resource in the templates. A managed policy may have
 * 6,144 characters, so the services of those types are named as a whole; of all others, and of IAM and CloudFormation
 * itself, exactly what the schemas of the types ask for, on what belongs to the stacks.
 */
export function executionPolicy(types: readonly string[] = Object.keys(REPLACING)): PolicyDocument {
  const services = sorted(types.flatMap((type) => servicePrefix(type) ?? []));
  const whole = services.filter((service) => service !== 'iam' && service !== 'cloudformation');
  const others = sorted(types.flatMap((type) => ALSO_NEEDED[type] ?? [])).filter(
    (action) => !whole.includes(action.split(':')[0] ?? ''),
  );
  const linked = 'iam:CreateServiceLinkedRole';
  const ofIam = others.filter((action) => action.startsWith('iam:') && action !== linked);
  const rest = others.filter((action) => !action.startsWith('iam:'));
  return document([
    { Sid: 'ServicesOfTheTemplates', Action: whole.map((service) => `${service}:*`), Resource: ['*'] },
    {
      Sid: 'NestedStacks',
      Action: ['cloudformation:*'],
      Resource: ['arn:aws:cloudformation:*:*:stack/FraudScreening-*'],
    },
    // CloudFormation hands the role to the nested stack: https://github.com/aws-samples/sample-autonomous-cloud-coding-agents/issues/865
    {
      Sid: 'NestedStacksKeepThisRole',
      Action: ['iam:PassRole'],
      Resource: ['arn:aws:iam::*:role/cdk-*-cfn-exec-role-*'],
    },
    { Sid: 'RolesOfTheStacks', Action: ofIam, Resource: [ROLES] },
    { Sid: 'RolesOfServices', Action: [linked], Resource: ['arn:aws:iam::*:role/aws-service-role/*'] },
    { Sid: 'ReadAlongTheWay', Action: rest, Resource: ['*'] },
  ]);
}
