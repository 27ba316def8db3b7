import { constructEvent } from '../../../sdk/client/src';
import { type Check, CheckSkipped, described, must, type VerifyContext } from '../check';
import type { Arrival } from '../receiver';
import { pay, succeed } from './screening';

const WITHIN_MS = 60_000;

interface Delivery {
  readonly delivery_id: string;
  readonly message_id: string;
  readonly status: string;
  readonly redelivery_of: string | null;
  readonly attempts: ReadonlyArray<{
    readonly outcome: string;
    readonly status_code: number | null;
    error: string | null;
  }>;
}

const lastAttempt = (delivery: Delivery | undefined): string => {
  const last = delivery?.attempts.at(-1);
  return last ? `its last attempt was ${last.outcome} (${last.status_code ?? last.error})` : 'no attempt was made';
};

async function recorded(context: VerifyContext, webhookId: string, isIt: (each: Delivery) => boolean, what: string) {
  let seen: Delivery | undefined;
  return context.until(
    WITHIN_MS,
    async () => {
      const { deliveries } = (await succeed(context, 'GET', `/v1/webhooks/${webhookId}/deliveries`)).json;
      seen = (deliveries as readonly Delivery[]).find(isIt);
      return seen?.status === 'delivered' && seen.attempts.at(-1)?.status_code === 200 ? seen : undefined;
    },
    () => `${what} is not recorded as delivered within 60 s: ${seen ? lastAttempt(seen) : 'there is no delivery'}.`,
  );
}

/** Waits until a message and its redelivery have arrived under the same `webhook-id`; verifies both signatures. */
async function arrivedTwice({ receiver, until }: VerifyContext, secret: string, messageId: string): Promise<void> {
  let arrivals: readonly Arrival[] = [];
  const ours = () => arrivals.filter(({ headers }) => headers['webhook-id'] === messageId);
  await until(
    WITHIN_MS,
    async () => {
      arrivals = (await receiver?.arrivals?.()) ?? [];
      return ours().length >= 2 || undefined;
    },
    () =>
      `The receiver got ${ours().length} of 2 deliveries with webhook-id ${messageId} within 60 s ` +
      `(${arrivals.length} deliveries in all).`,
  );
  for (const { headers, body } of ours()) {
    await constructEvent(body, headers, secret).catch((error: Error) =>
      must(false, `A delivery arrived, but its signature is wrong: ${error.message}`),
    );
  }
}

export const webhooks: Check = {
  name: 'webhooks',
  proves: 'an event reaches its receiver, signed, and can be redelivered',
  needs: 'http',
  async run(context) {
    const { api, key, receiver } = context;
    if (!receiver) throw new CheckSkipped('no receiver: name one with --receiver');
    const body = { url: receiver.url, events: ['transaction.screened'], label: 'npm run verify' };
    const created = await api.call('POST', '/v1/webhooks', { key, body });
    const isRefused = created.status === 400 && receiver.url.startsWith('https://localhost');
    must(!isRefused, 'The local run may not reach this machine: restart it with --local-webhooks.');
    must(created.status === 201, `POST /v1/webhooks answered ${described(created)}`);
    const { webhook_id: id, signing_secret: secret } = created.json;
    try {
      await pay(context, { user_id: context.newName('user'), amount: 8, currency: 'EUR' });
      // Events of the checks before this one may still be on their way and come here too: any of them will do.
      const first = await recorded(context, id, (each) => each.redelivery_of === null, 'The event of a screening');

      await succeed(context, 'POST', `/v1/webhooks/${id}/deliveries/${first.delivery_id}/redeliver`);
      await recorded(context, id, (each) => each.redelivery_of === first.delivery_id, 'The redelivery');
      if (!receiver.arrivals) return 'delivered and redelivered; your receiver must verify the signature itself';
      await arrivedTwice(context, secret, first.message_id);
      return undefined;
    } finally {
      await api.call('DELETE', `/v1/webhooks/${id}`, { key });
    }
  },
};
