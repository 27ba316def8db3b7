import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isAllowed, roleOrAdmin } from '../domain/accounts/role';
import { forbidden } from '../domain/errors';
import type { Route } from '../routes/define-route';
import { callerOf } from './caller';

/** Refuses a key whose role does not include what the route needs, before anything of the request is read. */
export function requirePermission({ permission }: Pick<Route, 'permission'>, event: APIGatewayProxyEvent): void {
  if (permission === 'none') return;
  const role = roleOrAdmin(callerOf(event).role);
  if (!isAllowed(role, permission)) throw forbidden(role, permission);
}
