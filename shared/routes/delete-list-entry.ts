import { entryParams } from '../schemas/list';
import { defineRoute } from './define-route';

export const deleteListEntryRoute = defineRoute({
  operation: 'delete-list-entry',
  family: 'lists',
  method: 'DELETE',
  path: '/v1/lists/{name}/entries/{value}',
  permission: 'list_entries',
  tag: 'Lists',
  summary: 'Remove an entry from a list',
  description: 'The value is percent-encoded (`203.0.113.0%2F24`) and may be written differently than it was added.',
  params: entryParams,
  success: { status: 204, description: 'Removed.' },
  errors: ['not_found'],
});
