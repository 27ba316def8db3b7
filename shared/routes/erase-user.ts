import * as z from 'zod/mini';
import { eraseUserQuery, requestedErasure } from '../schemas/personal-data';
import { chosenId } from '../schemas/text';
import { defineRoute } from './define-route';

export const eraseUserRoute = defineRoute({
  operation: 'erase-user',
  family: 'explore',
  permission: 'personal_data',
  method: 'DELETE',
  path: '/v1/users/{user_id}',
  tag: 'Personal data',
  summary: 'Erase a user',
  description:
    'The profile is gone at once; results, cases, comments, labels, list entries, webhook messages and links within 24 hours, and so are devices, addresses and attributes that nobody else was seen with. Confirmed fraud and entries of block lists about the user, and about devices and cards that nobody else used, stay by pseudonym alone for `label_window_days`; `everything=true` erases these too. What is screened afterwards is new. A record of the erasure remains, without the person’s data. An account may erase 1,000 users per day (UTC); after that the answer is 429.',
  params: z.object({ user_id: chosenId('user') }),
  query: eraseUserQuery,
  success: {
    status: 202,
    description: 'The erasure has begun; `GET /v1/erasures/{erasure_id}` tells how far it has come.',
    schema: requestedErasure,
    example: { erasure_id: 'era_01K9ZC3V5T8QJ4M2N6P7R8S9TB', keeps_fraud_evidence: true },
  },
  errors: ['not_found'],
});
