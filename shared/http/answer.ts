import type { APIGatewayProxyResult } from 'aws-lambda';
import { NEWEST_API_VERSION } from '../domain/api-version';
import { type DomainError, STATUS } from '../domain/errors';

/** Metadata that every response carries. */
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

/** A response whose body is already the exact text to send. */
export function answer(
  frame: AnswerFrame,
  statusCode: number,
  body: string,
  extraHeaders: Readonly<Record<string, string>> = {},
): APIGatewayProxyResult {
  return { statusCode, headers: { ...frameHeaders(frame), ...extraHeaders }, body };
}

/** The error envelope. */
export function errorAnswer(frame: AnswerFrame, error: DomainError): APIGatewayProxyResult {
  const { code, message, details, retryAfterSeconds } = error;
  const body = {
    error: { code, message, request_id: frame.requestId, ...(details.length > 0 ? { details } : {}) },
  };
  const retry = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return answer(frame, STATUS[code], JSON.stringify(body), retry);
}

/** The answer of a PUT that did not find its resource and made it: 201 instead of the route's own status. */
export class Created<Answer> {
  readonly status = 201;

  constructor(readonly answer: Answer) {}
}
