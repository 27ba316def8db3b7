import { entryPage, listEntriesQuery, listParams } from '../schemas/list';
import { defineRoute } from './define-route';

export const listListEntriesRoute = defineRoute({
  operation: 'list-list-entries',
  family: 'lists',
  method: 'GET',
  path: '/v1/lists/{name}/entries',
  permission: 'read',
  tag: 'Lists',
  summary: 'List the entries of a list',
  description:
    'In no particular order. Pass `next_cursor` as `cursor` to get the next page; it is null on the last one. With `value`, only the entry that stands for this value, however it is written.',
  params: listParams,
  query: listEntriesQuery,
  success: {
    status: 200,
    description: 'A page of entries.',
    schema: entryPage,
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
