import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { DomainError } from '../domain/errors';
import type { Route } from '../routes/define-route';
import { errorAnswer } from './answer';

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

export type FamilyMember = readonly [route: Pick<Route, 'method' | 'path'>, handler: Handler];

/** One function for all routes of a family: by the gateway's resource and the method. Other methods get 405. */
export function serveFamily(members: readonly FamilyMember[]): Handler {
  const handlers = new Map(members.map(([{ method, path }, handler]) => [`${method} ${path}`, handler]));
  return async (event, context) => {
    const handler = handlers.get(`${event.httpMethod} ${event.resource}`);
    return handler ? handler(event, context) : notAllowed(event, members);
  };
}

function notAllowed(event: APIGatewayProxyEvent, members: readonly FamilyMember[]): APIGatewayProxyResult {
  const allowed = members.flatMap(([{ method, path }]) => (path === event.resource ? [method] : [])).join(', ');
  const error = new DomainError('method_not_allowed', `This path supports ${allowed}.`);
  const refused = errorAnswer({ requestId: event.requestContext.requestId }, error);
  return { ...refused, headers: { ...refused.headers, Allow: allowed } };
}
