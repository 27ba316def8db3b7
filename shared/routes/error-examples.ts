import { NEWEST_API_VERSION } from '../domain/api-version';
import type { ErrorCode, Fault } from '../domain/errors';

/** A response for every error code, word for word as the service returns it; a test provokes and compares them. */
export const ERROR_EXAMPLES: Readonly<Record<ErrorCode, { message: string; details?: readonly Fault[] }>> = {
  invalid_request: {
    message: 'user_id: must not be empty (and 1 more, see details)',
    details: [
      { field: 'user_id', message: 'must not be empty' },
      { field: 'amount', message: 'must be greater than 0' },
    ],
  },
  unsupported_api_version: {
    message: `X-Api-Version must be one of: ${NEWEST_API_VERSION}. Omit the header to use the newest version.`,
    details: [{ field: 'X-Api-Version', message: `must be one of ${NEWEST_API_VERSION}` }],
  },
  unauthorized: { message: 'Send Authorization: Bearer <API key> with a key for this stage.' },
  forbidden: {
    message: 'This needs the permission webhooks, which the role readonly does not include.',
    details: [{ field: 'Authorization', message: 'needs a key with the permission webhooks' }],
  },
  not_found: { message: 'No such case. Check the ID and which account the API key belongs to.' },
  method_not_allowed: { message: 'This path supports GET, PUT.' },
  case_not_open: { message: 'The case is already rejected; only an open case can be resolved.' },
  case_claimed: {
    message: 'ana.silva is working on this case until 2026-11-14T09:45:00.000Z.',
    details: [{ field: 'assignee', message: 'ana.silva' }],
  },
  list_type_fixed: {
    message: 'The list vips has the type user_id, which cannot change. Create another list, or delete this one first.',
    details: [{ field: 'type', message: 'must stay user_id' }],
  },
  idempotency_in_progress: {
    message: 'A request with this Idempotency-Key is still running. Try again in a second.',
  },
  version_mismatch: {
    message: 'The rule gift-cards is version 4, not version 3: somebody changed it. Read it again, then decide.',
    details: [{ field: 'If-Match', message: 'the rule is version 4' }],
  },
  payload_too_large: { message: 'The body must not exceed 65536 bytes.' },
  unsupported_media_type: { message: 'Send the body as Content-Type: application/json (UTF-8).' },
  idempotency_mismatch: {
    message:
      'This Idempotency-Key was used with a different body in the last 24 hours. Use a new key for a new request.',
  },
  rate_limited: { message: 'Too many requests. Retry after the time in Retry-After.' },
  internal_error: { message: 'Internal error. Try again later.' },
  unavailable: { message: 'The service could not complete the request. Try again.' },
};
