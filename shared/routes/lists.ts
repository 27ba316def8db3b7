import * as schemas from '../schemas/list';
import { defineRoute } from './define-route';

export const listExample = {
  name: 'stolen-cards',
  type: 'card_fingerprint',
  effect: 'block',
  note: 'Reported by our processor',
  entries: 3,
  created_at: '2026-11-14T09:30:00.000Z',
  updated_at: '2026-11-15T08:00:00.000Z',
} as const;

export const WORKS_SOON = 'Screenings follow within 60 seconds.';

const LISTS = { family: 'lists', tag: 'Lists' } as const;

export const listListsRoute = defineRoute('GET /v1/lists', {
  operation: 'list-lists',
  ...LISTS,
  permission: 'read',
  summary: 'List the lists',
  description: 'All lists of the account, by name. `entries` includes those that expired a few minutes ago.',
  success: { description: 'The lists.', schema: schemas.listCollection, example: { lists: [listExample] } },
});

export const getListRoute = defineRoute('GET /v1/lists/{name}', {
  operation: 'get-list',
  ...LISTS,
  permission: 'read',
  summary: 'Get a list',
  description: 'Without its entries, which have a page of their own.',
  params: schemas.listParams,
  success: { description: 'The list.', schema: schemas.list, example: listExample },
  errors: ['not_found'],
});

export const putListRoute = defineRoute('PUT /v1/lists/{name}', {
  operation: 'put-list',
  ...LISTS,
  permission: 'lists',
  summary: 'Create or change a list',
  description: `A list of values and what to do about a screening that has one of them: \`allow\`, \`block\`, \`challenge\`, \`review\`, or \`none\` to report it only. A name starts with a lower-case letter and has up to 63 lower-case letters, digits, \`-\` and \`_\`. An account can have 50 lists; the type of a list cannot change. ${WORKS_SOON}`,
  params: schemas.newListParams,
  body: schemas.putListRequest,
  success: {
    description: 'The list, changed; 201 if it is new.',
    created: 'The list, created.',
    schema: schemas.list,
    example: listExample,
  },
  errors: ['list_type_fixed'],
  requestExample: { type: 'card_fingerprint', effect: 'block', note: 'Reported by our processor' },
});

export const deleteListRoute = defineRoute('DELETE /v1/lists/{name}', {
  operation: 'delete-list',
  ...LISTS,
  permission: 'lists',
  summary: 'Delete a list',
  description: `With all its entries. ${WORKS_SOON}`,
  params: schemas.listParams,
  success: { status: 204, description: 'Deleted.' },
  errors: ['not_found'],
});

export const listListEntriesRoute = defineRoute('GET /v1/lists/{name}/entries', {
  operation: 'list-list-entries',
  ...LISTS,
  permission: 'read',
  summary: 'List the entries of a list',
  description:
    'In no particular order. Pass `next_cursor` as `cursor` to get the next page; it is null on the last one. With `value`, only the entry that stands for this value, however it is written.',
  params: schemas.listParams,
  query: schemas.listEntriesQuery,
  success: {
    description: 'A page of entries.',
    schema: schemas.entryPage,
    example: {
      entries: [
        {
          value: 'fp_7d1e',
          expires_at: null,
          reason: 'Chargeback on order 1001',
          added_at: '2026-11-14T09:31:00.000Z',
          added_by: 'ana.silva',
          added_by_name: 'ana.silva',
        },
      ],
      next_cursor: null,
    },
  },
  errors: ['not_found'],
});

/** An entry has three members, and may have a long value and a reason. */
const BODY_LIMITS = { bytes: 1024 * 1024, fields: 4 * schemas.MAX_ENTRIES_PER_REQUEST };

export const addListEntriesRoute = defineRoute('POST /v1/lists/{name}/entries', {
  operation: 'add-list-entries',
  ...LISTS,
  permission: 'list_entries',
  summary: 'Add entries to a list',
  description:
    'Up to 1,000 values, each with an optional expiry and reason; a value that is on the list already gets the new ones. An entry that is rejected does not affect the others. Email addresses and phone numbers match however they are written; an IPv6 address stands for its /64. An email domain stands for its subdomains, too. A list holds 100,000 entries; one of networks 5,000. An entry works within 60 seconds, and until the instant it expires.',
  idempotency: 'answer',
  params: schemas.listParams,
  body: schemas.addEntriesRequest,
  bodyLimits: BODY_LIMITS,
  success: {
    description: 'How many entries are new, how many were there already, and which were rejected.',
    schema: schemas.addedEntries,
    example: {
      added: 1,
      updated: 0,
      rejected: [{ index: 1, message: 'expires_at: must be in the future' }],
    },
  },
  errors: ['not_found'],
  requestExample: {
    entries: [
      { value: 'fp_7d1e', reason: 'Chargeback on order 1001' },
      { value: 'fp_93ac', expires_at: '2024-01-01T00:00:00Z' },
    ],
  },
});

export const deleteListEntryRoute = defineRoute('DELETE /v1/lists/{name}/entries/{value}', {
  operation: 'delete-list-entry',
  ...LISTS,
  permission: 'list_entries',
  summary: 'Remove an entry from a list',
  description: 'The value is percent-encoded (`203.0.113.0%2F24`) and may be written differently than it was added.',
  params: schemas.entryParams,
  success: { status: 204, description: 'Removed.' },
  errors: ['not_found'],
});
