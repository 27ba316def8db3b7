import type { CallRecord } from '../aws/call';
import type { Denials } from '../aws/describe-call';
import { type AccessDecision, type AccessRequest, wildcard } from '../iam/roles';
import { StartError } from '../start-error';
import type { StackResource } from '../template/resolve-stack';
import type { FunctionConfig } from './function-config';
import type { LambdaFunction } from './lambda-function';

interface PermissionProperties {
  readonly FunctionName: string;
  readonly Principal: string;
  readonly SourceArn?: string;
}

/** Whether a service may invoke a function for one of its resources, by the function's resource-based policy. */
export interface Permissions {
  allow(target: LambdaFunction, principal: string, sourceArn: string): boolean;
  /** Fails if it may not, as the first request would fail in AWS. */
  require(target: LambdaFunction, principal: string, sourceArn: string, who: StackResource): void;
}

export function permissions(resources: readonly StackResource[]): Permissions {
  const granted = resources.map(({ properties }) => {
    const {
      FunctionName: name,
      Principal: principal,
      SourceArn: source,
    } = properties as unknown as PermissionProperties;
    return { name, principal, source: wildcard(source ?? '*') };
  });
  const allow: Permissions['allow'] = ({ config }, principal, sourceArn) =>
    granted.some(
      (permission) =>
        [config.arn, config.functionName].some(
          (name) => permission.name === name || permission.name.startsWith(`${name}:`),
        ) &&
        permission.principal === principal &&
        permission.source.test(sourceArn),
    );
  return {
    allow,
    require: (target, principal, sourceArn, who) => {
      if (allow(target, principal, sourceArn)) return;
      throw new StartError(
        `${who.logicalId} (${who.type}) has no AWS::Lambda::Permission by which ${principal} may invoke ${target.config.name}.`,
      );
    },
  };
}

export interface ServiceGrants {
  /** Passes a log line of the function if its role may write it; AWS silently drops it, here it is a denial. */
  mayLog(): boolean;
}

const STREAM = 'log-stream:local';

/** Logs are written with the function's role: without the grant, they are missing when needed. */
export function serviceGrants(
  { name, logGroupArn }: Pick<FunctionConfig, 'name' | 'logGroupArn'>,
  may: (request: AccessRequest) => AccessDecision,
  denials: Denials,
  calls: CallRecord,
): ServiceGrants {
  const isAllowed = (access: AccessRequest): boolean => {
    const allowed = may(access) === 'allowed';
    if (allowed) calls.note(name, access);
    else denials.record(name, access);
    return allowed;
  };
  let logging: boolean | undefined;
  return {
    mayLog: () => {
      logging ??= ['logs:CreateLogStream', 'logs:PutLogEvents'].every((action) =>
        isAllowed({ action, resource: `${logGroupArn}:${STREAM}` }),
      );
      return logging;
    },
  };
}
