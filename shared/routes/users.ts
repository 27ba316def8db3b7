import * as z from 'zod/mini';
import { linkGraph } from '../schemas/links';
import * as schemas from '../schemas/personal-data';
import { riskProfile } from '../schemas/screening';
import { chosenId, resourceId } from '../schemas/text';
import { defineRoute } from './define-route';

export const getRiskProfileRoute = defineRoute('GET /v1/users/{user_id}/risk-profile', {
  operation: 'get-risk-profile',
  permission: 'read',
  tag: 'Users',
  params: z.object({ user_id: chosenId('user') }),
  success: { schema: riskProfile },
  errors: ['not_found'],
});

export const getUserLinksRoute = defineRoute('GET /v1/users/{user_id}/links', {
  operation: 'get-user-links',
  family: 'explore',
  permission: 'read',
  tag: 'Users',
  params: z.object({ user_id: chosenId('user') }),
  success: { schema: linkGraph },
  errors: ['not_found'],
});

const PERSONAL_DATA = { family: 'explore', tag: 'Personal data' } as const;

export const exportUserRoute = defineRoute('POST /v1/users/{user_id}/export', {
  operation: 'export-user',
  ...PERSONAL_DATA,
  permission: 'personal_data',
  params: z.object({ user_id: chosenId('user') }),
  query: schemas.exportUserQuery,
  success: { schema: schemas.userExport },
  errors: ['not_found'],
});

export const forgetLabelsRoute = defineRoute('POST /v1/users/{user_id}/forget-labels', {
  operation: 'forget-labels',
  ...PERSONAL_DATA,
  permission: 'personal_data',
  params: z.object({ user_id: chosenId('user') }),
  body: schemas.forgetLabelsRequest,
  success: { schema: schemas.forgottenLabels },
  idempotency: 'answer',
  errors: ['not_found'],
});

export const eraseUserRoute = defineRoute('DELETE /v1/users/{user_id}', {
  operation: 'erase-user',
  ...PERSONAL_DATA,
  permission: 'personal_data',
  params: z.object({ user_id: chosenId('user') }),
  query: schemas.eraseUserQuery,
  success: { status: 202, schema: schemas.requestedErasure },
  errors: ['not_found'],
});

export const getErasureRoute = defineRoute('GET /v1/erasures/{erasure_id}', {
  operation: 'get-erasure',
  ...PERSONAL_DATA,
  permission: 'personal_data',
  params: z.object({ erasure_id: resourceId('erasure', 'era') }),
  success: { schema: schemas.erasure },
  errors: ['not_found'],
});
