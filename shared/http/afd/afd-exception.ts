import { type DomainError, type ErrorCode, STATUS } from '../../domain/errors';

/** The exceptions of Amazon Fraud Detector: its client has a class for each. */
export type AfdException =
  | 'ValidationException'
  | 'ResourceNotFoundException'
  | 'ConflictException'
  | 'ThrottlingException'
  | 'AccessDeniedException'
  | 'InternalServerException';

/** By the code where the status does not tell: a request that still runs is worth a retry, which clients make then. */
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

/** Amazon's exception for an error of ours, and its status: 400 for all that the caller can do something about. */
export function afdException({ code }: Pick<DomainError, 'code'>): {
  readonly type: AfdException;
  readonly status: number;
} {
  const status = STATUS[code];
  if (status >= 500) return { type: 'InternalServerException', status };
  return { type: BY_CODE[code] ?? BY_STATUS[status] ?? 'ValidationException', status: 400 };
}
