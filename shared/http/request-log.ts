import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { traceIdOf } from '../domain/traceparent';
import { metricValues } from '../metrics/define-metrics';
import { REQUEST_METRICS } from '../metrics/request-metrics';
import type { Route } from '../routes/define-route';
import type { Clock } from '../runtime/clock';
import { type Log, takeColdStart, type WideLine } from '../runtime/logger';
import { SERVICE_VERSION } from '../runtime/service-version';
import { type CallerContext, traceOf } from './caller';

/** One wide log line per request: who, what, how it ended, how long it took. None of its content. */
export function requestLog(
  route: Pick<Route, 'operation'>,
  { clock, log, line }: { readonly clock: Clock; readonly log: Log; readonly line?: WideLine },
): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  let startedAt = 0;
  const write = (request: { event: APIGatewayProxyEvent; response: APIGatewayProxyResult | null }): void => {
    const { event, response } = request;
    const caller = event.requestContext.authorizer as CallerContext | null | undefined;
    const gathered = line?.take();
    const isCold = takeColdStart();
    const trace = traceOf(event);
    const fields = {
      operation: route.operation,
      request_id: event.requestContext.requestId,
      trace_id: trace && traceIdOf(trace),
      account_id: caller?.account_id,
      key_id: caller?.key_id,
      status: response?.statusCode,
      replayed: response?.headers?.['Idempotent-Replayed'] === 'true' || undefined,
      duration_ms: clock.now() - startedAt,
      // Once per environment is enough to see which version runs, and costs the other lines nothing.
      service_version: isCold ? SERVICE_VERSION : undefined,
      ...gathered?.fields,
    };
    const metrics = metricValues(REQUEST_METRICS, {
      ColdStarts: isCold ? 1 : 0,
      Unavailable: response?.statusCode === 503 ? 1 : 0,
      UnhandledErrors: response?.statusCode === 500 ? 1 : 0,
    });
    log.info('request', fields, gathered ? [...metrics, ...gathered.metrics] : metrics);
  };
  return {
    before: () => {
      startedAt = clock.now();
      // Discards anything left over from a request that died halfway.
      line?.take();
    },
    after: write,
    onError: write,
  };
}
