import type { ErrorBody, ErrorCode } from './types';

/** What went wrong before the API could answer, or with an answer that is not the API's. */
export type ClientErrorCode = 'connection_failed' | 'timed_out' | 'unexpected_answer';

export interface ErrorDetail {
  /** A JSON path into the request, such as `billing_address.country`. */
  readonly field: string;
  readonly message: string;
}

interface ErrorFacts {
  readonly code: FraudScreeningError['code'];
  readonly message: string;
  readonly retryable: boolean;
  readonly attempts: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly cause?: unknown;
}

/** Every failure of a call. `code` says which; the codes of the API are its own. */
export class FraudScreeningError extends Error {
  override readonly name = 'FraudScreeningError';
  /** The API may learn new codes, so a `switch` over them needs a `default`. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** The HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** Quote it when you ask the operator of the service about this call. */
  readonly requestId: string | undefined;
  /** Every fault of the request at once; empty for errors that are not about a member of it. */
  readonly details: readonly ErrorDetail[];
  /** True when the same call may succeed later: no response, a timeout, 408, 429, 5xx, a key still in use. */
  readonly retryable: boolean;
  /** How often the call was tried. */
  readonly attempts: number;

  constructor({ message, cause, ...facts }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = facts.code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.details = facts.details ?? [];
    this.retryable = facts.retryable;
    this.attempts = facts.attempts;
  }
}

/** The error of an answer that is not the one asked for. A proxy between us and the API may answer with anything. */
export function errorOfAnswer(response: Response, text: string, attempts: number): FraudScreeningError {
  const { status, headers } = response;
  const body = parseErrorBody(text);
  const requestId = headers.get('x-request-id') ?? body?.error.request_id;
  const facts = { status, requestId, attempts };
  if (!body) {
    const message = `HTTP ${status} with a body that is not from the API. Check baseUrl and any proxy in between.`;
    return new FraudScreeningError({ ...facts, code: 'unexpected_answer', message, retryable: isPassing(status) });
  }
  const { code, details = [] } = body.error;
  // The API's message names the first fault; the others are added to it.
  const faults = details.map((fault) => `${fault.field}: ${fault.message}`);
  const message = [body.error.message, ...faults.filter((fault) => !body.error.message.startsWith(fault))].join('; ');
  const retryable = isPassing(status) || code === 'idempotency_in_progress';
  return new FraudScreeningError({ ...facts, code, message, details, retryable });
}

const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500;

function parseErrorBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null;
    return typeof body?.error?.code === 'string' ? (body as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}
