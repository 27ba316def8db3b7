import type { CallOptions, PostOptions } from './options';
import { pathOf } from './request';
import type { Transport } from './transport';
import type { Delivery, DeliveryList, DeliveryStatus } from './types';

export interface DeliveryQuery {
  readonly status?: DeliveryStatus | undefined;
  /** Deliveries a page, 1 to 100. @default 20 for a list, 100 for a walk */
  readonly limit?: number | undefined;
}

/** What was sent to a webhook endpoint in the last 30 days. */
export class Deliveries {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page, newest first. */
  list(
    webhookId: string,
    query: DeliveryQuery & { readonly offset?: number | undefined } = {},
    options?: CallOptions,
  ): Promise<DeliveryList> {
    return this.#transport.send({
      method: 'GET',
      path: pathOf('/v1/webhooks/{}/deliveries', webhookId),
      query,
      options,
    });
  }

  /**
   * Every delivery, newest first, page by page as you ask for them; none comes twice, although new ones are made
   * meanwhile. With a `status`, one that leaves it during the walk may hide another. The API reads back 10,000 at most:
   * further on the walk throws its `invalid_request`.
   */
  async *all(
    webhookId: string,
    query: DeliveryQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Delivery, void, undefined> {
    const given = new Set<string>();
    for (let offset = 0; ; ) {
      const page = await this.list(webhookId, { limit: 100, ...query, offset }, options);
      for (const delivery of page.deliveries) {
        if (given.has(delivery.delivery_id)) continue;
        given.add(delivery.delivery_id);
        yield delivery;
      }
      if (!page.has_more) return;
      offset += page.deliveries.length;
    }
  }

  /** Sends the message of a delivery once more: the same id and bytes, in a new delivery. */
  redeliver(webhookId: string, deliveryId: string, options?: PostOptions): Promise<Delivery> {
    const path = pathOf('/v1/webhooks/{}/deliveries/{}/redeliver', webhookId, deliveryId);
    return this.#transport.send({ method: 'POST', path, options });
  }
}
