import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { AccountSettings, Caller } from '../domain/accounts/account';
import { isAllowed, roleOrAdmin } from '../domain/accounts/role';
import { forbidden } from '../domain/errors';
import { parseTraceparent, type Trace } from '../domain/traceparent';
import type { Route } from '../routes/define-route';
import { headerOf, type Input, isHeaderRepeated, knows } from './parse-input';

export const traceOf = (event: APIGatewayProxyEvent): Trace | undefined =>
  isHeaderRepeated(event, 'traceparent') ? undefined : parseTraceparent(headerOf(event, 'traceparent'));

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

/** The caller of a request. A missing authorizer context is a wiring fault of ours. */
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

/** Refuses a key whose role lacks the route's permission, before any of the request is read. */
export function requirePermission({ permission }: Pick<Route, 'permission'>, event: APIGatewayProxyEvent): void {
  if (permission === 'none') return;
  const role = roleOrAdmin(callerOf(event).role);
  if (!isAllowed(role, permission)) throw forbidden(role, permission);
}

/**
 * With a personal key, the author is the person whose key it is: `analyst_id` of a body is replaced, whatever it says,
 * so that nothing behind this point can record anyone else. A name that differs is worth a warning.
 */
export function provenAuthor(input: Input, { person }: Caller, { body: schema }: Pick<Route, 'body'>): Input {
  if (person === undefined || !schema || !knows(schema, 'analyst_id')) return input;
  const body = (input.body ?? {}) as { readonly analyst_id?: string };
  const isOther = body.analyst_id !== undefined && body.analyst_id !== person;
  const warning = `analyst_id was ignored: this key belongs to ${person}.`;
  return {
    ...input,
    body: { ...body, analyst_id: person },
    warnings: isOther ? [...input.warnings, warning] : input.warnings,
  };
}
