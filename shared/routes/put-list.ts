import { list, newListParams, putListRequest } from '../schemas/list';
import { defineRoute } from './define-route';
import { listExample, WORKS_SOON } from './list-examples';

export const putListRoute = defineRoute({
  operation: 'put-list',
  family: 'lists',
  method: 'PUT',
  path: '/v1/lists/{name}',
  permission: 'lists',
  tag: 'Lists',
  summary: 'Create or change a list',
  description: `A list of values and what to do about a screening that has one of them: \`allow\`, \`block\`, \`challenge\`, \`review\`, or \`none\` to report it only. A name starts with a lower-case letter and has up to 63 lower-case letters, digits, \`-\` and \`_\`. An account can have 50 lists; the type of a list cannot change. ${WORKS_SOON}`,
  params: newListParams,
  body: putListRequest,
  success: {
    status: 200,
    description: 'The list, changed; 201 if it is new.',
    created: 'The list, created.',
    schema: list,
    example: listExample,
  },
  errors: ['list_type_fixed', 'payload_too_large', 'unsupported_media_type'],
  requestExample: { type: 'card_fingerprint', effect: 'block', note: 'Reported by our processor' },
});
