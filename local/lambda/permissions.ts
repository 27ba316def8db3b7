import { wildcard } from '../iam/wildcard';
import { StartError } from '../start-error';
import type { StackResource } from '../template/types';
import type { LambdaFunction } from './pool';

interface PermissionProperties {
  readonly FunctionName: string;
  readonly Principal: string;
  readonly SourceArn?: string;
}

/** Fails if a service would not be allowed to invoke a function, as the first request would fail in AWS. */
export type RequirePermission = (
  target: LambdaFunction,
  principal: string,
  sourceArn: string,
  who: StackResource,
) => void;

/** Reads the resource-based policies of all functions. */
export function permissions(resources: readonly StackResource[]): RequirePermission {
  const granted = resources.map(({ properties }) => {
    const {
      FunctionName: name,
      Principal: principal,
      SourceArn: source,
    } = properties as unknown as PermissionProperties;
    return { name, principal, source: wildcard(source ?? '*') };
  });
  return ({ config }, principal, sourceArn, who) => {
    const found = granted.some(
      (permission) =>
        [config.arn, config.functionName].some(
          (name) => permission.name === name || permission.name.startsWith(`${name}:`),
        ) &&
        permission.principal === principal &&
        permission.source.test(sourceArn),
    );
    if (found) return;
    throw new StartError(
      `${who.logicalId} (${who.type}) has no AWS::Lambda::Permission by which ${principal} may invoke ${config.name}.`,
    );
  };
}
