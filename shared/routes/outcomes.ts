import * as z from 'zod/mini';
import { addedReferences, addReferencesRequest, recordedOutcome, recordOutcomeRequest } from '../schemas/outcome';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';

const OUTCOMES = { family: 'outcomes', tag: 'Outcomes' } as const;

export const recordOutcomeRoute = defineRoute('POST /v1/outcomes', {
  operation: 'record-outcome',
  ...OUTCOMES,
  summary: 'Report a chargeback, a decline or another outcome',
  description:
    'Labels a screened transaction or event with what became of it, by its ID or by a reference. A review by a person beats a chargeback, a chargeback beats an early fraud warning (or a refund for fraud), that beats a report by the user, and a passed challenge counts least: a weaker source never replaces a stronger one. `dispute_won` withdraws what the dispute with the same `source_id` said. Chargebacks that are not about fraud have the label `none`, and so do `authorized` and `declined`, the processor’s word on a payment: declines because of a wrong or expired card, or because the bank refused, count in the histories of those who took part. The same `source_id` and `type` again return the same response and have no second effect. `applied` says whether the outcome has reached its subject, `label_in_force` what holds for the subject now. Works until the end of the label window of the account, although results disappear after 90 days.',
  permission: 'outcomes',
  idempotency: 'answer',
  body: recordOutcomeRequest,
  success: {
    description: 'The outcome is recorded on its subject.',
    accepted: 'No subject has this reference yet: the outcome is applied by itself if one names it within seven days.',
    schema: recordedOutcome,
    example: {
      outcome_id: 'out_01JCM0DE8Z6Y5X4W3V2T1S0R9Q',
      subject_id: 'txn_01JCM0DE0A1B2C3D4E5F6G7H8J',
      type: 'chargeback',
      label: 'fraud',
      label_in_force: 'fraud',
      applied: true,
      recorded_at: '2026-11-14T09:00:00.000Z',
    },
  },
  errors: ['not_found'],
  requestExample: {
    reference: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
    type: 'chargeback',
    source_id: 'dp_1NAbCdEfGhIjKlMn',
    network: 'visa',
    reason_code: '10.4',
    amount: 129.9,
    currency: 'EUR',
    occurred_at: '2026-06-01T08:30:00Z',
  },
});

export const addReferencesRoute = defineRoute('POST /v1/transactions/{id}/references', {
  operation: 'add-references',
  ...OUTCOMES,
  summary: 'Add references to a transaction',
  description:
    'Names the transaction as your systems and your payment processor do: an order ID, a payment intent, a charge. Outcomes may then arrive by any of these. A reference belongs to the first user whose transaction named it, and to the last transaction of that user; a transaction of another user is stored without it and says so in `warnings`. Only keyed hashes of references are stored.',
  permission: 'outcomes',
  idempotency: 'answer',
  params: z.object({ id: resourceId('transaction', 'txn') }),
  body: addReferencesRequest,
  success: {
    description: 'The references are known from now on; outcomes that waited for them are applied.',
    schema: addedReferences,
    example: { transaction_id: 'txn_01JCM0DE0A1B2C3D4E5F6G7H8J', references: ['pi_3MtwBwLkdIwHu7ix28a3tqPa'] },
  },
  errors: ['not_found'],
  requestExample: { references: ['pi_3MtwBwLkdIwHu7ix28a3tqPa', 'ch_3MtwBwLkdIwHu7ix28a3tqPb'] },
});

export const receiveNotificationRoute = defineRoute('POST /v1/inbound/{provider}/{id}', {
  operation: 'receive-notification',
  ...OUTCOMES,
  summary: 'Receive the notifications of a payment processor',
  description:
    'For Stripe and Adyen, not for you: `npm run admin -- inbound create` prints an address to register there. The processor’s signature takes the place of a key. Authorized and declined payments, disputes and fraud warnings become outcomes of the transaction with that payment intent, charge, PSP reference or merchant reference; everything else is ignored.',
  permission: 'none',
  public: true,
  // One bucket for all accounts' processors and for strangers: API Gateway counts by method, before any function, so a limit
  // per address in the function would come too late for the others. It is wide enough that no day's disputes fill it. A
  // stranger who does so delays notifications and loses none: Stripe sends again for three days
  // (https://docs.stripe.com/webhooks#retries), Adyen for 30 (https://docs.adyen.com/development-resources/webhooks/troubleshoot).
  // The runbook's client-errors says what stops one. An account's own rate limit does not count what others send to it.
  throttle: { rateLimit: 1_000, burstLimit: 500 },
  params: z.object({ provider: z.string(), id: z.string() }),
  success: { description: 'Received. The body is `[accepted]`.', contentType: 'text/plain' },
  errors: ['unauthorized', 'payload_too_large', 'unavailable'],
});
