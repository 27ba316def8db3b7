import { addEntriesRequest, addedEntries, listParams, MAX_ENTRIES_PER_REQUEST } from '../schemas/list';
import { defineRoute } from './define-route';

/** An entry has three members, and may have a long value and a reason. */
const BODY_LIMITS = { bytes: 1024 * 1024, fields: 4 * MAX_ENTRIES_PER_REQUEST };

export const addListEntriesRoute = defineRoute({
  operation: 'add-list-entries',
  family: 'lists',
  method: 'POST',
  path: '/v1/lists/{name}/entries',
  permission: 'list_entries',
  tag: 'Lists',
  summary: 'Add entries to a list',
  description:
    'Up to 1,000 values, each with an optional expiry and reason; a value that is on the list already gets the new ones. An entry that is rejected does not affect the others. Email addresses and phone numbers match however they are written; an IPv6 address stands for its /64. A list holds 100,000 entries; one of networks or email domains 5,000. An entry works within 60 seconds, and until the instant it expires.',
  idempotency: 'answer',
  params: listParams,
  body: addEntriesRequest,
  bodyLimits: BODY_LIMITS,
  success: {
    status: 200,
    description: 'How many entries are new, how many were there already, and which were rejected.',
    schema: addedEntries,
    example: {
      added: 1,
      updated: 0,
      rejected: [{ index: 1, message: 'expires_at: must be in the future' }],
    },
  },
  errors: [
    'not_found',
    'idempotency_in_progress',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_mismatch',
  ],
  requestExample: {
    entries: [
      { value: 'fp_7d1e', reason: 'Chargeback on order 1001' },
      { value: 'fp_93ac', expires_at: '2024-01-01T00:00:00Z' },
    ],
  },
});
