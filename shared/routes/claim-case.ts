import * as z from 'zod/mini';
import { reviewCase } from '../schemas/case';
import { claimRequest } from '../schemas/desk';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';
import { openCaseExample } from './examples';

export const claimCaseRoute = defineRoute({
  operation: 'claim-case',
  family: 'desk',
  method: 'POST',
  path: '/v1/cases/{id}/claim',
  permission: 'cases',
  tag: 'Cases',
  summary: 'Claim a case',
  description:
    'For 15 minutes colleagues see who works on the case, and cannot resolve it without `force`. Claim again to renew. With a personal key the claim is the person’s; otherwise `analyst_id` names the holder. Of several people at once exactly one gets it.',
  idempotency: 'answer',
  params: z.object({ id: resourceId('case', 'case') }),
  body: claimRequest,
  bodyOptional: true,
  success: { status: 200, description: 'The case, claimed.', schema: reviewCase, example: openCaseExample },
  errors: [
    'not_found',
    'case_not_open',
    'case_claimed',
    'idempotency_in_progress',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_mismatch',
  ],
  requestExample: { analyst_id: 'ana.silva' },
});
