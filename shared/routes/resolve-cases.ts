import { caseResults, resolveCasesRequest } from '../schemas/desk';
import { defineRoute } from './define-route';

export const resolveCasesRoute = defineRoute({
  operation: 'resolve-cases',
  family: 'desk',
  method: 'POST',
  path: '/v1/cases/resolve',
  permission: 'cases',
  tag: 'Cases',
  summary: 'Resolve many cases',
  description:
    'Each as `PUT /v1/cases/{id}` would, in the order given. A case that cannot be resolved does not keep the others: its `status` is the error code. No case is ever decided twice, even if several people decide at once. If some are `unavailable`, repeat the request.',
  idempotency: 'answer',
  body: resolveCasesRequest,
  success: {
    status: 200,
    description: 'How each of them ended.',
    schema: caseResults,
    example: {
      results: [
        { case_id: 'case_01K9ZC3V5T8QJ4M2N6P7R8S9TB', status: 'ok' },
        { case_id: 'case_01K9ZC3V5TAM7RW0V3C2Q9XN4D', status: 'case_not_open' },
      ],
    },
  },
  errors: ['idempotency_in_progress', 'payload_too_large', 'unsupported_media_type', 'idempotency_mismatch'],
  requestExample: {
    case_ids: ['case_01K9ZC3V5T8QJ4M2N6P7R8S9TB', 'case_01K9ZC3V5TAM7RW0V3C2Q9XN4D'],
    status: 'rejected',
    analyst_id: 'ana.silva',
    notes: 'One device, eleven cards.',
  },
});
