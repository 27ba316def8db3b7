import type { CallRecord } from '../aws/call-record';
import type { Denials } from '../aws/denials';
import type { AccessDecision, AccessRequest } from '../iam/evaluate';
import type { FunctionConfig } from './function-config';

/** What Lambda itself does with the role of a function. */
export interface ServiceGrants {
  /** Passes a log line of the function if its role may write it; AWS silently drops it, here it is a denial. */
  mayLog(): boolean;
  /** Checks the permissions for tracing, once per traced function. */
  checkTracing(): void;
}

const STREAM = 'log-stream:local';

/** Logs and traces are written with the function's role: without the grant, they are missing when needed. */
export function serviceGrants(
  { name, logGroupArn, isTraced }: Pick<FunctionConfig, 'name' | 'logGroupArn' | 'isTraced'>,
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
    checkTracing: () => {
      if (!isTraced) return;
      for (const action of ['xray:PutTraceSegments', 'xray:PutTelemetryRecords']) isAllowed({ action, resource: '*' });
    },
  };
}
