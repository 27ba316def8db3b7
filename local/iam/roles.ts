import { partitionOf, type SeenCall } from '../aws/call';
import { StartError } from '../start-error';
import type { StackResource, Stacks } from '../template/resolve-stack';
import {
  type AccessDecision,
  type AccessRequest,
  ADMINISTRATIVE,
  compilePolicy,
  evaluator,
  type PolicyDocument,
  type Statement,
  type StatementDocument,
  wildcard,
} from './evaluate';

export type Roles = ReadonlyMap<string, (request: AccessRequest) => AccessDecision>;

interface RoleProperties {
  readonly ManagedPolicyArns?: readonly string[];
  readonly Policies?: readonly { readonly PolicyDocument: PolicyDocument }[];
}

interface PolicyProperties {
  readonly Roles?: readonly string[];
  readonly PolicyDocument: PolicyDocument;
}

const allow = (...actions: readonly string[]): PolicyDocument => ({
  Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }],
});

const MANAGED: ReadonlyArray<readonly [RegExp, PolicyDocument]> = [
  [/AWSLambda\w+ExecutionRole$/, allow('logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents')],
];

/** AWS's own policies that grant logs and deployments only. */
const HARMLESS =
  /:aws:policy\/(?:service-role\/AWSLambda(?:BasicExecution|VPCAccessExecution)Role|service-role\/AmazonAPIGatewayPushToCloudWatchLogs|service-role\/AWSCodeDeployRoleForLambdaLimited|CloudWatchLambda\w+)$/;

function compile(resource: StackResource, document: PolicyDocument): readonly Statement[] {
  try {
    return compilePolicy(document);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${resource.logicalId} (${resource.type}) cannot be enforced here: ${reason}.`);
  }
}

export function rolesOf(stacks: Stacks): Roles {
  const attached = new Map<string, Statement[]>();
  const managed = new Set<string>();
  for (const policy of stacks.ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')) {
    const { Roles: names = [], PolicyDocument: document } = policy.properties as unknown as PolicyProperties;
    const statements = compile(policy, document);
    managed.add(policy.ref);
    for (const name of names) attached.set(name, [...(attached.get(name) ?? []), ...statements]);
  }
  return new Map(
    stacks.ofType('AWS::IAM::Role').map((role) => {
      const { ManagedPolicyArns: arns = [], Policies: inline = [] } = role.properties as RoleProperties;
      const unknown = arns.find((arn) => !HARMLESS.test(arn) && !managed.has(arn));
      if (unknown) {
        throw new StartError(`${role.logicalId} (${role.type}) uses ${unknown}, whose text is not in the template.`);
      }
      const own = inline.flatMap(({ PolicyDocument: document }) => compile(role, document));
      const known = arns.flatMap((arn) =>
        MANAGED.flatMap(([name, document]) => (name.test(arn) ? compilePolicy(document) : [])),
      );
      return [role.attribute('Arn'), evaluator([...own, ...known, ...(attached.get(role.ref) ?? [])])];
    }),
  );
}

/** The smallest thing a policy grants: one action on one resource, and on one kind of items if it names any. */
export interface Grant {
  readonly function: string;
  readonly action: string;
  readonly resource: string;
  readonly partition?: string;
}

const list = (value: string | readonly string[] | undefined): readonly string[] => [value ?? []].flat();

function grantsIn(name: string, { Action, Resource, Condition }: StatementDocument): Grant[] {
  const keys = Object.values(Condition ?? {}).flatMap((block) =>
    list(block['dynamodb:LeadingKeys'] as string | readonly string[] | undefined),
  );
  const partitions = keys.length > 0 ? [...new Set(keys.map(partitionOf))] : [undefined];
  return list(Action).flatMap((action) =>
    list(Resource).flatMap((resource) =>
      partitions.map((partition) => ({ function: name, action, resource, ...(partition ? { partition } : {}) })),
    ),
  );
}

export function grantsOf(stacks: Stacks): readonly Grant[] {
  const statementsIn = (document: unknown) => [(document as PolicyDocument).Statement].flat() as StatementDocument[];
  const attached = stacks.ofType('AWS::IAM::Policy').map(({ properties }) => ({
    roles: (properties.Roles ?? []) as readonly string[],
    statements: statementsIn(properties.PolicyDocument),
  }));
  const inline = stacks.ofType('AWS::IAM::Role').map(({ ref, properties }) => ({
    roles: [ref],
    statements: ((properties.Policies ?? []) as { PolicyDocument: unknown }[]).flatMap(({ PolicyDocument: document }) =>
      statementsIn(document),
    ),
  }));
  const policies = [...attached, ...inline];
  const roleOf = new Map(stacks.ofType('AWS::IAM::Role').map((role) => [role.attribute('Arn'), role.ref]));
  return stacks
    .ofType('AWS::Lambda::Function')
    .filter(({ logicalId }) => !ADMINISTRATIVE.test(logicalId))
    .flatMap(({ name, properties }) => {
      const role = roleOf.get(String(properties.Role)) ?? '';
      return policies
        .filter(({ roles }) => roles.includes(role))
        .flatMap(({ statements }) => statements.flatMap((each) => grantsIn(name.replaceAll('/', '-'), each)));
    });
}

export const isUsedBy = (grant: Grant, call: SeenCall): boolean =>
  grant.function === call.function &&
  grant.action === call.action &&
  grant.partition === call.partition &&
  wildcard(grant.resource).test(call.resource);
