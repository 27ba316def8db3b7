import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { DomainError } from '../domain/errors';
import type { Log } from '../runtime/logger';
import { errorAnswer } from './answer';

/** The body parser marks its own errors. Their cause holds the raw body, which must never be logged. */
const isFromBodyParser = (error: unknown): boolean =>
  (error as { cause?: { package?: string } }).cause?.package === '@middy/http-json-body-parser';

function toDomainError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (!isFromBodyParser(error)) return undefined;
  return new DomainError('invalid_request', 'The body is not valid JSON.', [
    { field: 'body', message: 'must be valid JSON' },
  ]);
}

/** Turns any thrown value into the envelope. An error without our mark is a bug: neutral text, full cause logged. */
export function errorAnswers(log: Log): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      const known = toDomainError(request.error);
      if (!known) log.error('unhandled error', { error: request.error });
      else if (known.cause) log.error('dependency failed', { code: known.code, error: known.cause });
      const error = known ?? new DomainError('internal_error', 'Internal error. Try again later.');
      request.response = errorAnswer({ requestId: request.event.requestContext.requestId }, error);
    },
  };
}
