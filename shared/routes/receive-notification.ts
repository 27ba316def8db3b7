import * as z from 'zod/mini';
import { defineRoute } from './define-route';

export const receiveNotificationRoute = defineRoute({
  operation: 'receive-notification',
  family: 'outcomes',
  method: 'POST',
  path: '/v1/inbound/{provider}/{id}',
  tag: 'Outcomes',
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
  success: { status: 200, description: 'Received. The body is `[accepted]`.', contentType: 'text/plain' },
  errors: ['unauthorized', 'payload_too_large', 'unavailable'],
});
