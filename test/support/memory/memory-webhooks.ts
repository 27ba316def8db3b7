import { ClaimTaken, type IdempotencyRecord } from '../../../shared/domain/idempotency';
import {
  type DisableReason,
  MAX_ENDPOINTS_PER_ACCOUNT,
  type NewEndpoint,
  type SecretEndpoint,
  type WebhookEndpoint,
} from '../../../shared/domain/webhooks/webhook-endpoint';
import type { AttemptDeliveryDeps } from '../../../shared/usecases/webhooks/deliver-webhooks';
import type { CreateWebhookDeps } from '../../../shared/usecases/webhooks/manage-webhooks';
import type { RelayDeps } from '../../../shared/usecases/webhooks/relay-events';
import type { RequestDeliveryDeps } from '../../../shared/usecases/webhooks/request-delivery';
import type { MemoryAnswers } from './memory-answers';

/** Endpoints as merchants, the relay and the administrator see them, and as their sender does. */
export interface WebhooksPort {
  readonly merchant: CreateWebhookDeps['webhooks'] &
    RequestDeliveryDeps['endpoints'] &
    RelayDeps['endpoints'] & { remove(accountId: string, webhookId: string): Promise<boolean> };
  readonly sender: AttemptDeliveryDeps['endpoints'];
  readonly admin: {
    rotate(accountId: string, webhookId: string, secret: string, previousUntilMs: number): Promise<boolean>;
  };
}

/** Webhook endpoints in memory. */
export function memoryWebhooks(answers: MemoryAnswers) {
  const endpoints = new Map<string, SecretEndpoint>();
  const keyOf = (accountId: string, webhookId: string): string => `${accountId}/${webhookId}`;
  const ofAccount = (accountId: string): SecretEndpoint[] =>
    [...endpoints]
      .filter(([key]) => key.startsWith(`${accountId}/`))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, endpoint]) => endpoint);
  const withoutSecret = ({ signing_secret, previous, ...endpoint }: SecretEndpoint): WebhookEndpoint => endpoint;
  const found = (accountId: string, webhookId: string) => endpoints.get(keyOf(accountId, webhookId));

  return {
    merchant: {
      async insert(accountId: string, { endpoint, secret }: NewEndpoint, nowMs: number, record?: IdempotencyRecord) {
        if (record && !answers.isFree(accountId, record.scope, nowMs)) throw new ClaimTaken();
        const hasRoom = ofAccount(accountId).length < MAX_ENDPOINTS_PER_ACCOUNT;
        if (!hasRoom || found(accountId, endpoint.webhook_id)) return false;
        endpoints.set(keyOf(accountId, endpoint.webhook_id), { ...endpoint, signing_secret: secret });
        if (record) answers.put(accountId, record, nowMs);
        return true;
      },
      async find(accountId: string, webhookId: string) {
        const endpoint = found(accountId, webhookId);
        return endpoint && withoutSecret(endpoint);
      },
      list: async (accountId: string) => ofAccount(accountId).map(withoutSecret),
      remove: async (accountId: string, webhookId: string) => endpoints.delete(keyOf(accountId, webhookId)),
    },
    sender: {
      find: async (accountId: string, webhookId: string) => found(accountId, webhookId),
      async disable(accountId: string, webhookId: string, disabled_reason: DisableReason, nowMs: number) {
        const endpoint = found(accountId, webhookId);
        if (endpoint?.status !== 'enabled') return false;
        const disabled_at = new Date(nowMs).toISOString();
        endpoints.set(keyOf(accountId, webhookId), { ...endpoint, status: 'disabled', disabled_at, disabled_reason });
        return true;
      },
    },
    admin: {
      async rotate(accountId: string, webhookId: string, secret: string, untilMs: number) {
        const endpoint = found(accountId, webhookId);
        if (!endpoint) return false;
        const previous = { secret: endpoint.signing_secret, untilMs };
        endpoints.set(keyOf(accountId, webhookId), { ...endpoint, signing_secret: secret, previous });
        return true;
      },
    },
  } satisfies WebhooksPort;
}
