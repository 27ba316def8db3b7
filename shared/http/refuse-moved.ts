import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type AccountMove, moveRefusal, type RequestKind } from '../domain/accounts/account-move';
import { DomainError } from '../domain/errors';
import type { Route } from '../routes/define-route';
import { callerOf } from './caller';

const RETRY_AFTER_S = 5;

/** What a caller reads who came too late. */
export function moveError({ to }: AccountMove, refusal: 'stopped' | 'moved'): DomainError {
  return refusal === 'moved'
    ? new DomainError('forbidden', `This account has moved. Send its requests to ${to}`, [
        { field: 'base_url', message: to },
      ])
    : new DomainError(
        'unavailable',
        `This account is moving to ${to} and takes no writes for a moment. Try again.`,
        [],
        {
          retryAfterSeconds: RETRY_AFTER_S,
        },
      );
}

/** What a route does with the table; those that only look take `GET`. */
export const kindOfRoute = ({ method, permission }: Pick<Route, 'method' | 'permission'>): RequestKind => {
  if (method === 'GET') return 'read';
  return permission === 'screen' ? 'screening' : 'write';
};

/** Refuses a request of an account that has moved to another deployment, and a write while it is on the way. */
export function refuseMoved(kind: RequestKind, event: APIGatewayProxyEvent, nowMs: number): void {
  const { move } = callerOf(event);
  const refusal = moveRefusal(move, kind, nowMs);
  if (move && refusal) throw moveError(move, refusal);
}
