import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { NEWEST_API_VERSION } from '../domain/api-version';
import { DomainError, STATUS, unavailable } from '../domain/errors';
import type { Log } from '../runtime/logger';

export interface AnswerFrame {
  readonly requestId: string;
  readonly apiVersion?: string;
}

function frameHeaders({ requestId, apiVersion }: AnswerFrame): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'X-Request-Id': requestId,
    'X-Api-Version': apiVersion ?? NEWEST_API_VERSION,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
}

export function answer(
  frame: AnswerFrame,
  statusCode: number,
  body: string,
  extraHeaders: Readonly<Record<string, string>> = {},
): APIGatewayProxyResult {
  return { statusCode, headers: { ...frameHeaders(frame), ...extraHeaders }, body };
}

export function errorAnswer(frame: AnswerFrame, error: DomainError): APIGatewayProxyResult {
  const { code, message, details, retryAfterSeconds } = error;
  const body = {
    error: { code, message, request_id: frame.requestId, ...(details.length > 0 ? { details } : {}) },
  };
  const retry = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return answer(frame, STATUS[code], JSON.stringify(body), retry);
}

/** The answer of a PUT that created its resource: 201 instead of the route's own status. */
export class Created<Answer> {
  readonly status = 201;

  constructor(readonly answer: Answer) {}
}

/** Middy marks its own errors. */
const packageOf = (error: unknown): string | undefined => (error as { cause?: { package?: string } }).cause?.package;

function toDomainError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  // The function was about to be cut off: nobody knows how far it came, and a repeat completes it.
  if (packageOf(error) === '@middy/core') return unavailable(error);
  // The cause of these holds the raw body, which must never be logged.
  if (packageOf(error) !== '@middy/http-json-body-parser') return undefined;
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
