import * as z from 'zod/mini';
import { screenedTransaction } from '../schemas/screening';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';
import { transactionExample } from './examples';

export const getTransactionRoute = defineRoute({
  operation: 'get-transaction',
  method: 'GET',
  path: '/v1/transactions/{id}',
  permission: 'read',
  tag: 'Transactions',
  summary: 'Get a screening result',
  description: 'The response of the screening, available for 90 days.',
  params: z.object({ id: resourceId('transaction', 'txn') }),
  success: {
    status: 200,
    description: 'The result, as originally returned.',
    schema: screenedTransaction,
    example: transactionExample,
  },
  errors: ['not_found'],
});
