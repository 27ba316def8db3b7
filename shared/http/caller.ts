import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { AccountSettings, Caller } from '../domain/accounts/account';
import type { AccountMove } from '../domain/accounts/account-move';
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
  /** JSON, like the settings. Absent unless the account moves. */
  readonly move?: string;
}

export const callerContext = (caller: Caller): CallerContext => ({
  account_id: caller.account_id,
  key_id: caller.key_id,
  settings: JSON.stringify(caller.settings),
  role: roleOrAdmin(caller.role),
  ...(caller.person === undefined ? {} : { person: caller.person }),
  ...(caller.move === undefined ? {} : { move: JSON.stringify(caller.move) }),
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
    ...(context.move === undefined ? {} : { move: JSON.parse(context.move) as AccountMove }),
    ...(trace === undefined ? {} : { trace }),
  };
}
