import type { Caller } from '../../domain/accounts/account';
import { notFound } from '../../domain/errors';
import { START_WITHIN_MS } from '../../domain/webhooks/webhook-endpoint';

/** Dependencies of deleting an endpoint. */
export interface DeleteWebhookDeps {
  readonly pause: (ms: number) => Promise<void>;
  readonly webhooks: {
    remove(accountId: string, webhookId: string): Promise<boolean>;
  };
}

/** Deletes an endpoint; no delivery to it starts once this has resolved. */
export async function deleteWebhook(deps: DeleteWebhookDeps, caller: Caller, webhookId: string): Promise<void> {
  const existed = await deps.webhooks.remove(caller.account_id, webhookId);
  if (!existed) throw notFound('webhook endpoint');
  // A sender that read the endpoint just before may still start: wait until none can.
  await deps.pause(START_WITHIN_MS);
}
