import { list, listParams } from '../schemas/list';
import { defineRoute } from './define-route';
import { listExample } from './list-examples';

export const getListRoute = defineRoute({
  operation: 'get-list',
  family: 'lists',
  method: 'GET',
  path: '/v1/lists/{name}',
  permission: 'read',
  tag: 'Lists',
  summary: 'Get a list',
  description: 'Without its entries, which have a page of their own.',
  params: listParams,
  success: { status: 200, description: 'The list.', schema: list, example: listExample },
  errors: ['not_found'],
});
