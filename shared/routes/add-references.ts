import * as z from 'zod/mini';
import { addedReferences, addReferencesRequest } from '../schemas/outcome';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';

export const addReferencesRoute = defineRoute({
  operation: 'add-references',
  family: 'outcomes',
  method: 'POST',
  path: '/v1/transactions/{id}/references',
  tag: 'Outcomes',
  summary: 'Add references to a transaction',
  description:
    'Names the transaction as your systems and your payment processor do: an order ID, a payment intent, a charge. Outcomes may then arrive by any of these. A reference belongs to the transaction that named it last. Only keyed hashes of references are stored.',
  permission: 'outcomes',
  idempotency: 'answer',
  params: z.object({ id: resourceId('transaction', 'txn') }),
  body: addReferencesRequest,
  success: {
    status: 200,
    description: 'The references are known from now on; outcomes that waited for them are applied.',
    schema: addedReferences,
    example: { transaction_id: 'txn_01JCM0DE0A1B2C3D4E5F6G7H8J', references: ['pi_3MtwBwLkdIwHu7ix28a3tqPa'] },
  },
  errors: [
    'not_found',
    'idempotency_in_progress',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_mismatch',
  ],
  requestExample: { references: ['pi_3MtwBwLkdIwHu7ix28a3tqPa', 'ch_3MtwBwLkdIwHu7ix28a3tqPb'] },
});
