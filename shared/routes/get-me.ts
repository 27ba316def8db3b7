import { me } from '../schemas/desk';
import { defineRoute } from './define-route';

export const getMeRoute = defineRoute({
  operation: 'get-me',
  family: 'desk',
  method: 'GET',
  path: '/v1/me',
  permission: 'read',
  tag: 'Reference',
  summary: 'Whose key this is',
  description: 'The person, if it is a personal key, its role and permissions, and the account’s reason codes.',
  success: {
    status: 200,
    description: 'Who is calling.',
    schema: me,
    example: {
      account_id: 'acc_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      key_id: 'key_01K9ZC3V5T3ZB8HQ6M1E5KDW7P',
      person: 'ana.silva',
      role: 'analyst',
      permissions: ['read', 'cases', 'decisions', 'list_entries'],
      reason_codes: ['card_testing', 'account_takeover'],
    },
  },
  errors: [],
});
