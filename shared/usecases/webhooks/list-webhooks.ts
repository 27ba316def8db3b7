import type { Caller } from '../../domain/accounts/account';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint';

/** Dependencies of listing endpoints. */
export interface ListWebhooksDeps {
  readonly webhooks: { list(accountId: string): Promise<readonly WebhookEndpoint[]> };
}

/** All endpoints of the account, oldest first, without their secrets. */
export const listWebhooks = (deps: ListWebhooksDeps, caller: Caller): Promise<readonly WebhookEndpoint[]> =>
  deps.webhooks.list(caller.account_id);
