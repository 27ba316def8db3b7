/** More than anyone reads at once. */
export const MAX_ECHOED = 50;
/** With the rest of an answer around them: no answer that echoes a request exceeds 16 KB. */
const MAX_ECHOED_BYTES = 12 * 1024;

/** The first entries of a list in an answer: an echo must not grow with the request. */
export function echoed<T>(entries: readonly T[]): T[] {
  let bytes = 0;
  return entries.slice(0, MAX_ECHOED).filter((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(entry));
    return bytes <= MAX_ECHOED_BYTES;
  });
}

/** Every machine-readable code that an error response can carry. */
export type ErrorCode =
  | 'invalid_request'
  | 'unsupported_api_version'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'case_not_open'
  | 'case_claimed'
  | 'list_type_fixed'
  | 'in_use'
  | 'built_in'
  | 'idempotency_in_progress'
  | 'version_mismatch'
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
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  case_not_open: 409,
  case_claimed: 409,
  list_type_fixed: 409,
  in_use: 409,
  built_in: 409,
  idempotency_in_progress: 409,
  version_mismatch: 412,
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

/** Details of an error, in addition to its message. */
export interface ErrorExtras {
  readonly retryAfterSeconds?: number;
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

/** An id that does not exist or belongs to another account: the caller must not learn which. */
export const notFound = (what: string): DomainError =>
  new DomainError('not_found', `No such ${what}. Check the ID and which account the API key belongs to.`);

/** The key is good, but its role does not include what the route needs. */
export const forbidden = (role: string, permission: string): DomainError =>
  new DomainError('forbidden', `This needs the permission ${permission}, which the role ${role} does not include.`, [
    { field: 'Authorization', message: `needs a key with the permission ${permission}` },
  ]);

/** The longest name that a request can need: an attribute of 64 characters inside two objects. */
const MAX_FIELD_CHARACTERS = 128;

const shortened = (text: string): string =>
  text.length > MAX_FIELD_CHARACTERS ? `${text.slice(0, MAX_FIELD_CHARACTERS)}…` : text;

/**
 * A request with faulty members; all of them are reported at once, but no more than an answer should hold: what is
 * echoed must not grow with what was sent. `count` says how many there are if `faults` is not all of them.
 */
export const invalidRequest = (faults: readonly Fault[], count = faults.length): DomainError => {
  const details = echoed(faults.map(({ field, message }) => ({ field: shortened(field), message })));
  const [first] = details;
  const listed = count > details.length ? `; details lists the first ${details.length}` : ', see details';
  const rest = count > 1 ? ` (and ${count - 1} more${listed})` : '';
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
