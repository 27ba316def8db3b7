import type { APIGatewayProxyEvent } from 'aws-lambda';
import { parseTraceparent, type Trace } from '../domain/traceparent';
import { headerOf, isHeaderRepeated } from './headers';

/** The caller's trace, if the request has exactly one valid `traceparent`. */
export const traceOf = (event: APIGatewayProxyEvent): Trace | undefined =>
  isHeaderRepeated(event, 'traceparent') ? undefined : parseTraceparent(headerOf(event, 'traceparent'));
