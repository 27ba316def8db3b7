import * as schemas from '../schemas/list';
import { defineRoute } from './define-route';

const LISTS = { family: 'lists', tag: 'Lists' } as const;

export const listListsRoute = defineRoute('GET /v1/lists', {
  operation: 'list-lists',
  ...LISTS,
  permission: 'read',
  success: { schema: schemas.listCollection },
});

export const getListRoute = defineRoute('GET /v1/lists/{name}', {
  operation: 'get-list',
  ...LISTS,
  permission: 'read',
  params: schemas.listParams,
  success: { schema: schemas.list },
  errors: ['not_found'],
});

export const putListRoute = defineRoute('PUT /v1/lists/{name}', {
  operation: 'put-list',
  ...LISTS,
  permission: 'lists',
  params: schemas.newListParams,
  body: schemas.putListRequest,
  success: { schema: schemas.list },
  errors: ['list_type_fixed'],
});

export const deleteListRoute = defineRoute('DELETE /v1/lists/{name}', {
  operation: 'delete-list',
  ...LISTS,
  permission: 'lists',
  params: schemas.listParams,
  success: { status: 204 },
  errors: ['not_found'],
});

export const listListEntriesRoute = defineRoute('GET /v1/lists/{name}/entries', {
  operation: 'list-list-entries',
  ...LISTS,
  permission: 'read',
  params: schemas.listParams,
  query: schemas.listEntriesQuery,
  success: { schema: schemas.entryPage },
  errors: ['not_found'],
});

/** An entry has three members, and may have a long value and a reason. */
const BODY_LIMITS = { bytes: 1024 * 1024, fields: 4 * schemas.MAX_ENTRIES_PER_REQUEST };

export const addListEntriesRoute = defineRoute('POST /v1/lists/{name}/entries', {
  operation: 'add-list-entries',
  ...LISTS,
  permission: 'list_entries',
  idempotency: 'answer',
  params: schemas.listParams,
  body: schemas.addEntriesRequest,
  bodyLimits: BODY_LIMITS,
  success: { schema: schemas.addedEntries },
  errors: ['not_found'],
});

export const deleteListEntryRoute = defineRoute('DELETE /v1/lists/{name}/entries/{value}', {
  operation: 'delete-list-entry',
  ...LISTS,
  permission: 'list_entries',
  params: schemas.entryParams,
  success: { status: 204 },
  errors: ['not_found'],
});
