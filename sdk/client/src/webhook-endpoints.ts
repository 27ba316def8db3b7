import { type ConstructOptions, constructEvent, type ReceivedHeaders } from './construct-event';
import { FraudScreeningError } from './errors';
import type { CallOptions, PostOptions } from './options';
import { pathOf } from './request';
import type { Transport } from './transport';
import type { CreatedWebhook, CreateWebhookRequest, Delivery, WebhookList } from './types';
import type { WebhookEvent } from './webhook-event';

export class WebhookEndpoints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Registers an endpoint. `signing_secret` is in this answer and never again. */
  create(request: CreateWebhookRequest, options?: PostOptions): Promise<CreatedWebhook> {
    return this.#transport.send({ method: 'POST', path: '/v1/webhooks', body: request, options });
  }

  list(options?: CallOptions): Promise<WebhookList> {
    return this.#transport.send({ method: 'GET', path: '/v1/webhooks', options });
  }

  async delete(webhookId: string, options?: CallOptions): Promise<void> {
    try {
      await this.#transport.send({ method: 'DELETE', path: pathOf('/v1/webhooks/{}', webhookId), options });
    } catch (error) {
      // An earlier try has deleted it and its answer was lost.
      const isGone = error instanceof FraudScreeningError && error.code === 'not_found' && error.attempts > 1;
      if (!isGone) throw error;
    }
  }

  /** Sends a message of the type `webhook.test`, to see whether it arrives. */
  test(webhookId: string, options?: PostOptions): Promise<Delivery> {
    return this.#transport.send({ method: 'POST', path: pathOf('/v1/webhooks/{}/test', webhookId), options });
  }

  /** See `constructEvent`, which needs no client. */
  constructEvent(
    payload: string | Uint8Array | ArrayBuffer,
    headers: ReceivedHeaders,
    secrets: string | readonly string[],
    options?: ConstructOptions,
  ): Promise<WebhookEvent> {
    return constructEvent(payload, headers, secrets, options);
  }
}
