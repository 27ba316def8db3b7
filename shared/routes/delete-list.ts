import { listParams } from '../schemas/list';
import { defineRoute } from './define-route';
import { WORKS_SOON } from './list-examples';

export const deleteListRoute = defineRoute({
  operation: 'delete-list',
  family: 'lists',
  method: 'DELETE',
  path: '/v1/lists/{name}',
  permission: 'lists',
  tag: 'Lists',
  summary: 'Delete a list',
  description: `With all its entries. ${WORKS_SOON}`,
  params: listParams,
  success: { status: 204, description: 'Deleted.' },
  errors: ['not_found'],
});
