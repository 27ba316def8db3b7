import * as z from 'zod/mini';
import { exportUserQuery, userExport } from '../schemas/personal-data';
import { chosenId } from '../schemas/text';
import { defineRoute } from './define-route';
import { listedDecisionExample, openCaseExample } from './examples';

export const exportUserRoute = defineRoute({
  operation: 'export-user',
  family: 'explore',
  permission: 'personal_data',
  method: 'POST',
  path: '/v1/users/{user_id}/export',
  tag: 'Personal data',
  summary: 'Export what is held about a user',
  description:
    'The profile, every decision of the last 90 days with its outcomes, case and comments, the links, and the entries of lists that name the user, or a device, address or attribute value that nobody else was seen with. Other values of devices, addresses and attributes are not held and cannot be exported. Up to 200 decisions per response: pass `next_cursor` as `cursor` to get the next ones.',
  params: z.object({ user_id: chosenId('user') }),
  query: exportUserQuery,
  success: {
    status: 200,
    description: 'Everything held, or its next part.',
    schema: userExport,
    example: {
      user_id: 'user-42',
      exported_at: '2026-11-14T09:30:00.000Z',
      profile: null,
      decisions: [listedDecisionExample],
      cases: [openCaseExample],
      comments: [],
      links: null,
      list_entries: [
        {
          list: 'vips',
          value: 'user-42',
          reason: 'Customer since 2011',
          expires_at: null,
          added_at: '2026-10-02T08:00:00.000Z',
        },
      ],
      next_cursor: null,
    },
  },
  errors: ['not_found'],
});
