import * as z from 'zod/mini';
import { screenedTransaction, screenTransactionRequest } from '../schemas/screening';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';

export const screenTransactionRoute = defineRoute('POST /v1/transactions/screen', {
  operation: 'screen-transaction',
  permission: 'screen',
  tag: 'Transactions',
  idempotency: 'claim',
  body: screenTransactionRequest(),
  success: { schema: screenedTransaction },
});

export const getTransactionRoute = defineRoute('GET /v1/transactions/{id}', {
  operation: 'get-transaction',
  permission: 'read',
  tag: 'Transactions',
  params: z.object({ id: resourceId('transaction', 'txn') }),
  success: { schema: screenedTransaction },
  errors: ['not_found'],
});
