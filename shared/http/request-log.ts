import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Route } from '../routes/define-route';
import type { Clock } from '../runtime/clock';
import type { Log } from '../runtime/logger';
import type { CallerContext } from './caller';

let isColdStart = true;

/** One wide line a request: who, what, how it ended, how long it took. Nothing of its content. */
export function requestLog(
  route: Pick<Route, 'operation'>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  let startedAt = 0;
  const write = (request: { event: APIGatewayProxyEvent; response: APIGatewayProxyResult | null }): void => {
    const { event, response } = request;
    const caller = event.requestContext.authorizer as CallerContext | null | undefined;
    log.info('request', {
      operation: route.operation,
      request_id: event.requestContext.requestId,
      account_id: caller?.account_id,
      key_id: caller?.key_id,
      status: response?.statusCode,
      replayed: response?.headers?.['Idempotent-Replayed'] === 'true' || undefined,
      duration_ms: clock.now() - startedAt,
      cold_start: isColdStart,
    });
    isColdStart = false;
  };
  return {
    before: () => {
      startedAt = clock.now();
    },
    after: write,
    onError: write,
  };
}
