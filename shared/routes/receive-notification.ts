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
    'For Stripe and Adyen, not for you: `npm run admin -- inbound create` prints an address to register there. The processor’s signature takes the place of a key. Disputes and fraud warnings become outcomes of the transaction with that payment intent, charge, PSP reference or merchant reference; everything else is ignored.',
  permission: 'none',
  public: true,
  // All accounts' processors share it, and so may strangers: wide enough that no day's disputes fill it, and neither does
  // one stranger. A made-up address costs one read. What is refused is not lost, because processors send again for days
  // (https://docs.stripe.com/webhooks#retries); an account's own rate limit does not count what others send to it.
  throttle: { rateLimit: 1_000, burstLimit: 500 },
  params: z.object({ provider: z.string(), id: z.string() }),
  success: { status: 200, description: 'Received. The body is `[accepted]`.', contentType: 'text/plain' },
  errors: ['unauthorized', 'payload_too_large', 'unavailable'],
});
