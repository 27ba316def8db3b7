import type { Caller } from '../../domain/accounts/account';
import { DomainError, invalidRequest, notFound } from '../../domain/errors';
import type { IdempotencyRecord } from '../../domain/idempotency';
import {
  type EventType,
  MAX_ENDPOINTS_PER_ACCOUNT,
  type NewEndpoint,
  SIGNING_SECRET_BYTES,
  START_WITHIN_MS,
  signingSecret,
  type WebhookEndpoint,
} from '../../domain/webhooks/webhook-endpoint';

/** Dependencies of registering an endpoint. */
export interface CreateWebhookDeps {
  readonly clock: { now(): number };
  readonly newId: (prefix: 'wh', nowMs: number) => string;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly webhooks: {
    insert(accountId: string, made: NewEndpoint, nowMs: number, record?: IdempotencyRecord): Promise<boolean>;
    find(accountId: string, webhookId: string): Promise<WebhookEndpoint | undefined>;
  };
}

/** An endpoint as its owner sees it, with its secret for the only time. */
export type CreatedWebhook = WebhookEndpoint & { readonly signing_secret: string };

interface Registration {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly label?: string | undefined;
}

/** Registers an endpoint. */
export async function createWebhook(
  deps: CreateWebhookDeps,
  caller: Caller,
  input: Registration,
  record?: (created: CreatedWebhook) => IdempotencyRecord,
): Promise<CreatedWebhook> {
  const nowMs = deps.clock.now();
  const endpoint: WebhookEndpoint = {
    webhook_id: deps.newId('wh', nowMs),
    url: input.url,
    events: [...new Set(input.events)],
    label: input.label ?? null,
    status: 'enabled',
    created_at: new Date(nowMs).toISOString(),
  };
  const secret = signingSecret(deps.randomBytes(SIGNING_SECRET_BYTES));
  const created = { ...endpoint, signing_secret: secret };
  const hadRoom = await deps.webhooks.insert(caller.account_id, { endpoint, secret }, nowMs, record?.(created));
  if (!hadRoom) {
    const message = `the account already has ${MAX_ENDPOINTS_PER_ACCOUNT} endpoints, which is the limit; delete one first`;
    throw invalidRequest([{ field: 'url', message }]);
  }
  return created;
}

/**
 * Whether a repeated registration may still get its first response: not once the endpoint has been deleted, for then the
 * secret in it is nobody's to see.
 * @throws DomainError `not_found`
 */
export async function mayShowAgain(
  { webhooks }: Pick<CreateWebhookDeps, 'webhooks'>,
  { account_id }: Caller,
  { webhook_id }: Pick<CreatedWebhook, 'webhook_id'>,
): Promise<void> {
  if (await webhooks.find(account_id, webhook_id)) return;
  throw new DomainError(
    'not_found',
    'The endpoint that was registered with this Idempotency-Key has been deleted. Use a new key to register it again.',
  );
}

/** Dependencies of listing endpoints. */
export interface ListWebhooksDeps {
  readonly webhooks: { list(accountId: string): Promise<readonly WebhookEndpoint[]> };
}

/** All endpoints of the account, oldest first, without their secrets. */
export const listWebhooks = (deps: ListWebhooksDeps, caller: Caller): Promise<readonly WebhookEndpoint[]> =>
  deps.webhooks.list(caller.account_id);

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
