/** Every machine-readable code that an error response can carry. */
export type ErrorCode =
  | 'invalid_request'
  | 'unsupported_api_version'
  | 'unauthorized'
  | 'not_found'
  | 'method_not_allowed'
  | 'case_not_open'
  | 'idempotency_in_progress'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_mismatch'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable';

/** The HTTP status of each code; a code without one does not compile. */
export const STATUS = {
  invalid_request: 400,
  unsupported_api_version: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  case_not_open: 409,
  idempotency_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const satisfies Record<ErrorCode, number>;

/** One fault in one member of a request; `field` is a JSON path such as `billing_address.country`. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

/** What an error has besides its message. */
export interface ErrorExtras {
  /** When the caller may retry. @default not stated */
  readonly retryAfterSeconds?: number;
  /** For the log. */
  readonly cause?: unknown;
}

/** A failure that is reported to the caller. Anything else that is thrown is a bug and becomes a 500. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly Fault[] = [],
    { retryAfterSeconds, cause }: ErrorExtras = {},
  ) {
    super(message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An id that does not exist or belongs to another account: the caller must not be able to tell which. */
export const notFound = (what: string): DomainError =>
  new DomainError('not_found', `No such ${what}. Check the ID and which account the API key belongs to.`);

/** A request with faulty members; all of them are reported at once. */
export const invalidRequest = (details: readonly Fault[]): DomainError => {
  const [first] = details;
  const rest = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : '';
  return new DomainError(
    'invalid_request',
    first ? `${first.field}: ${first.message}${rest}` : 'The request is invalid.',
    details,
  );
};

/** A dependency did not respond in time; the caller should retry. */
export const unavailable = (cause: unknown): DomainError =>
  new DomainError('unavailable', 'The service could not complete the request. Try again.', [], {
    retryAfterSeconds: 1,
    cause,
  });
