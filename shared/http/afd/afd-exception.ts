import { type DomainError, type ErrorCode, STATUS } from '../../domain/errors';

export type AfdException =
  | 'ValidationException'
  | 'ResourceNotFoundException'
  | 'ConflictException'
  | 'ThrottlingException'
  | 'AccessDeniedException'
  | 'InternalServerException';

/** Codes whose status is ambiguous: a request that is still running deserves a retry, and clients make one. */
const BY_CODE: Partial<Record<ErrorCode, AfdException>> = { idempotency_in_progress: 'ThrottlingException' };

const BY_STATUS: Readonly<Record<number, AfdException>> = {
  401: 'AccessDeniedException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  409: 'ConflictException',
  412: 'ConflictException',
  422: 'ConflictException',
  429: 'ThrottlingException',
};

/** Amazon's exception for our error, and its status: 400 for everything that the caller can fix. */
export function afdException({ code }: Pick<DomainError, 'code'>): {
  readonly type: AfdException;
  readonly status: number;
} {
  const status = STATUS[code];
  if (status >= 500) return { type: 'InternalServerException', status };
  return { type: BY_CODE[code] ?? BY_STATUS[status] ?? 'ValidationException', status: 400 };
}
