import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { NEWEST_API_VERSION } from '../domain/api-version';
import { DomainError } from '../domain/errors';
import type { Route } from '../routes/define-route';
import { errorAnswers } from './answer';
import type { EndpointDeps } from './endpoint';
import { headerOf, pathParams } from './parse-input';
import { requestLog } from './request-log';

export interface RawRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly body: string;
  header(name: string): string | undefined;
}

/** Events of processors have a few kilobytes; their own limit is 256 KB. */
const MAX_BODY_BYTES = 256 * 1024;

/** A public endpoint that checks a signature instead of a key, and answers with a fixed text. */
export const rawEndpoint = (
  route: Pick<Route, 'operation' | 'path'>,
  deps: EndpointDeps,
  run: (request: RawRequest) => Promise<string>,
) =>
  middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use(requestLog(route, deps))
    .use(errorAnswers(deps.log))
    .handler(async (event): Promise<APIGatewayProxyResult> => {
      const sent = event.body ?? '';
      const body = event.isBase64Encoded ? Buffer.from(sent, 'base64').toString('utf8') : sent;
      if (Buffer.byteLength(body) > MAX_BODY_BYTES) {
        throw new DomainError('payload_too_large', `The body must not exceed ${MAX_BODY_BYTES} bytes.`);
      }
      const params = pathParams(route.path, event);
      const text = await run({ params, body, header: (name) => headerOf(event, name) });
      return {
        statusCode: 200,
        headers: {
          'Content-Type': 'text/plain',
          'X-Request-Id': event.requestContext.requestId,
          'X-Api-Version': NEWEST_API_VERSION,
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
        },
        body: text,
      };
    });
