import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { AccountSettings, Caller } from '../domain/accounts/account';
import { roleOrAdmin } from '../domain/accounts/role';
import { traceOf } from './trace';

/** The authorizer's context holds only strings. Settings travel as JSON, so handlers need not read them again. */
export interface CallerContext {
  readonly account_id: string;
  readonly key_id: string;
  readonly settings: string;
  /** Absent in an answer of the authorizer that the gateway cached before there were roles. */
  readonly role?: string;
  readonly person?: string;
}

export const callerContext = (caller: Caller): CallerContext => ({
  account_id: caller.account_id,
  key_id: caller.key_id,
  settings: JSON.stringify(caller.settings),
  role: roleOrAdmin(caller.role),
  ...(caller.person === undefined ? {} : { person: caller.person }),
});

/** Who the request acts for. If the authorizer's context is missing, that is a wiring fault of ours. */
export function callerOf(event: APIGatewayProxyEvent): Caller {
  const context = event.requestContext.authorizer as CallerContext | null | undefined;
  if (!context?.account_id) throw new Error('The route was deployed without its authorizer');
  const trace = traceOf(event);
  return {
    account_id: context.account_id,
    key_id: context.key_id,
    settings: JSON.parse(context.settings) as AccountSettings,
    role: roleOrAdmin(context.role),
    ...(context.person === undefined ? {} : { person: context.person }),
    ...(trace === undefined ? {} : { trace }),
  };
}
