import { listCollection } from '../schemas/list';
import { defineRoute } from './define-route';
import { listExample } from './list-examples';

export const listListsRoute = defineRoute({
  operation: 'list-lists',
  family: 'lists',
  method: 'GET',
  path: '/v1/lists',
  permission: 'read',
  tag: 'Lists',
  summary: 'List the lists',
  description: 'All lists of the account, by name. `entries` includes those that expired a few minutes ago.',
  success: { status: 200, description: 'The lists.', schema: listCollection, example: { lists: [listExample] } },
  errors: [],
});
