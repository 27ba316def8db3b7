import * as z from 'zod/mini';
import { addedReferences, addReferencesRequest, recordedOutcome, recordOutcomeRequest } from '../schemas/outcome';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';

const OUTCOMES = { family: 'outcomes', tag: 'Outcomes' } as const;

export const recordOutcomeRoute = defineRoute('POST /v1/outcomes', {
  operation: 'record-outcome',
  ...OUTCOMES,
  permission: 'outcomes',
  idempotency: 'answer',
  body: recordOutcomeRequest,
  success: { schema: recordedOutcome },
  errors: ['not_found'],
});

export const addReferencesRoute = defineRoute('POST /v1/transactions/{id}/references', {
  operation: 'add-references',
  ...OUTCOMES,
  permission: 'outcomes',
  idempotency: 'answer',
  params: z.object({ id: resourceId('transaction', 'txn') }),
  body: addReferencesRequest,
  success: { schema: addedReferences },
  errors: ['not_found'],
});

export const receiveNotificationRoute = defineRoute('POST /v1/inbound/{provider}/{id}', {
  operation: 'receive-notification',
  ...OUTCOMES,
  permission: 'none',
  public: true,
  // One bucket for all accounts' processors and for strangers: API Gateway counts by method, before any function, so a limit
  // per address in the function would come too late for the others. It is wide enough that no day's disputes fill it. A
  // stranger who does so delays notifications and loses none: Stripe sends again for three days
  // (https://docs.stripe.com/webhooks#retries), Adyen for 30 (https://docs.adyen.com/development-resources/webhooks/troubleshoot).
  // The runbook's client-errors says what stops one. An account's own rate limit does not count what others send to it.
  throttle: { rateLimit: 1_000, burstLimit: 500 },
  params: z.object({ provider: z.string(), id: z.string() }),
  success: { contentType: 'text/plain' },
  errors: ['unauthorized', 'payload_too_large', 'unavailable'],
});
