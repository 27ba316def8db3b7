import { StartError } from '../start-error';
import type { Stacks } from '../template/resolve-stacks';
import type { StackResource } from '../template/types';
import { type AccessDecision, type AccessRequest, evaluator } from './evaluate';
import { compilePolicy, type PolicyDocument, type Statement } from './policy';

/** What a role may do, by role ARN. */
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

/** The text of AWS's own policies for logs. */
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

/** Collects the statements of every role from its inline policies and the policies attached to it. */
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
