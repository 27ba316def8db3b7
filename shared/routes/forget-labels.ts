import * as z from 'zod/mini';
import { forgetLabelsRequest, forgottenLabels } from '../schemas/personal-data';
import { chosenId } from '../schemas/text';
import { defineRoute } from './define-route';

export const forgetLabelsRoute = defineRoute({
  operation: 'forget-labels',
  family: 'explore',
  permission: 'personal_data',
  method: 'POST',
  path: '/v1/users/{user_id}/forget-labels',
  tag: 'Personal data',
  summary: 'Take back what labels did to a victim',
  description:
    'After an account takeover the victim’s own user, devices and cards may count as fraudulent. This removes the fraud labels of the user, and of devices and cards that the user was allowed with in a screening that nobody labelled as fraud: what only the thief used keeps its labels. `reason` is kept with the time and who asked.',
  params: z.object({ user_id: chosenId('user') }),
  body: forgetLabelsRequest,
  success: {
    status: 200,
    description: 'How much was taken back.',
    schema: forgottenLabels,
    example: {
      user_id: 'user-42',
      forgotten: { users: 1, devices: 1, cards: 0 },
      forgotten_at: '2026-11-14T09:30:00.000Z',
    },
  },
  errors: ['not_found', 'payload_too_large', 'unsupported_media_type'],
  requestExample: { reason: 'Account takeover, confirmed by phone' },
});
