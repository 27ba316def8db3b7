import { partitionOf, type SeenCall } from '../../local/aws/call';
import { ADMINISTRATIVE, type PolicyDocument, type StatementDocument, wildcard } from '../../local/iam/roles';
import type { Stacks } from '../../local/template/resolve-stack';

const listOf = (value: string | readonly string[] | undefined): readonly string[] => [value ?? []].flat();

/** The smallest thing a policy grants: one action on one resource, and on one kind of items if it names any. */
export interface Grant {
  readonly function: string;
  readonly action: string;
  readonly resource: string;
  readonly partition?: string;
}

function grantsIn(name: string, { Action, Resource, Condition }: StatementDocument): Grant[] {
  const keys = Object.values(Condition ?? {}).flatMap((block) =>
    listOf(block['dynamodb:LeadingKeys'] as string | readonly string[] | undefined),
  );
  const partitions = keys.length > 0 ? [...new Set(keys.map(partitionOf))] : [undefined];
  return listOf(Action).flatMap((action) =>
    listOf(Resource).flatMap((resource) =>
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
