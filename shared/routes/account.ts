import { apiKeys, me } from '../schemas/desk';
import { defineRoute } from './define-route';

export const getMeRoute = defineRoute('GET /v1/me', {
  operation: 'get-me',
  family: 'desk',
  permission: 'read',
  tag: 'Reference',
  success: { schema: me },
});

export const listKeysRoute = defineRoute('GET /v1/keys', {
  operation: 'list-keys',
  family: 'desk',
  permission: 'keys',
  tag: 'Reference',
  success: { schema: apiKeys },
});
