import { apiKeys, me } from '../schemas/desk';
import { defineRoute } from './define-route';

export const getMeRoute = defineRoute('GET /v1/me', {
  operation: 'get-me',
  family: 'desk',
  permission: 'read',
  tag: 'Reference',
  summary: 'Whose key this is',
  description: 'The person, if it is a personal key, its role and permissions, and the account’s reason codes.',
  success: {
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
});

export const listKeysRoute = defineRoute('GET /v1/keys', {
  operation: 'list-keys',
  family: 'desk',
  permission: 'keys',
  tag: 'Reference',
  summary: 'List the account’s API keys',
  description:
    'Whose they are, what they may do, and when they were last used (to the hour). Keys themselves are never shown: the service stores only their hashes. Revoked keys stay in the list.',
  success: {
    description: 'The keys, newest first.',
    schema: apiKeys,
    example: {
      keys: [
        {
          key_id: 'key_01K9ZC3V5T3ZB8HQ6M1E5KDW7P',
          name: 'ana.silva',
          hint: 'sk_test_a1B2…x9Zz',
          role: 'analyst',
          person: 'ana.silva',
          created_at: '2026-11-01T08:00:00.000Z',
          expires_at: '2027-01-30T08:00:00.000Z',
          revoked_at: null,
          last_used_at: '2026-11-14T09:00:00.000Z',
        },
      ],
    },
  },
});
