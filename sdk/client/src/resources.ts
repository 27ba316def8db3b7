import { type ConstructOptions, constructEvent, type ReceivedHeaders, type WebhookEvent } from './construct-event';
import {
  type CallOptions,
  type FailPolicy,
  type OrFallback,
  orFallback,
  type PostOptions,
  pathOf,
  Resource,
  type Transport,
} from './request';
import type * as api from './types';

/** Decisions of a user, or of a kind: `user_id`, `outcome`, or a `decision` other than `allow`, is required. */
export interface DecisionQuery {
  readonly user_id?: string | undefined;
  readonly decision?: api.DecisionName | undefined;
  /** Payments that were allowed, and that someone outside reported as fraud. */
  readonly outcome?: 'missed_fraud' | undefined;
  /** Your own ID of the payment: an order, a payment intent. */
  readonly reference?: string | undefined;
  /** A device, IP address or tracked attribute that was sent. */
  readonly seen_with?: string | undefined;
  readonly start_date?: string | Date | undefined;
  readonly end_date?: string | Date | undefined;
  /** Decisions per page, 1 to 100. @default 20 for a list, 100 for a walk */
  readonly limit?: number | undefined;
}

export class Decisions extends Resource {
  get(id: string, options?: CallOptions): Promise<api.ReportedDecision> {
    return this.send({ method: 'GET', path: pathOf('/v1/decisions/{}', id), options });
  }

  /** The request's values, as far as they were kept and the key may see them. Each look is on record. */
  evidence(
    id: string,
    query: { readonly analyst_id?: string | undefined } = {},
    options?: CallOptions,
  ): Promise<api.Evidence> {
    return this.send({ method: 'GET', path: pathOf('/v1/decisions/{}/evidence', id), query, options });
  }

  /** Overrides a decision by hand: `block` says it was fraud, `allow` that it was not. */
  review(id: string, request: api.ReviewDecisionRequest, options?: PostOptions): Promise<api.Decision> {
    const path = pathOf('/v1/decisions/{}/review', id);
    return this.send({ method: 'POST', path, body: request, options });
  }

  list(
    query: DecisionQuery & { readonly cursor?: string | undefined },
    options?: CallOptions,
  ): Promise<api.DecisionList> {
    return this.send({ method: 'GET', path: '/v1/decisions', query, options });
  }

  /** Every decision that matches, newest first, fetched page by page as you iterate. */
  async *all(query: DecisionQuery, options?: CallOptions): AsyncGenerator<api.Decision, void, undefined> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: api.DecisionList = await this.list({ limit: 100, ...query, cursor }, options);
      yield* page.decisions;
      cursor = page.next_cursor;
    }
  }
}

export interface DeliveryQuery {
  readonly status?: api.DeliveryStatus | undefined;
  /** Deliveries per page, 1 to 100. @default 20 for a list, 100 for a walk */
  readonly limit?: number | undefined;
}

export class Deliveries extends Resource {
  list(
    webhookId: string,
    query: DeliveryQuery & { readonly offset?: number | undefined } = {},
    options?: CallOptions,
  ): Promise<api.DeliveryList> {
    return this.send({
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
  ): AsyncGenerator<api.Delivery, void, undefined> {
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

  /** Resends the message of a delivery: the same id and bytes, in a new delivery. */
  redeliver(webhookId: string, deliveryId: string, options?: PostOptions): Promise<api.Delivery> {
    const path = pathOf('/v1/webhooks/{}/deliveries/{}/redeliver', webhookId, deliveryId);
    return this.send({ method: 'POST', path, options });
  }
}

export class Keys extends Resource {
  me(options?: CallOptions): Promise<api.Me> {
    return this.send({ method: 'GET', path: '/v1/me', options });
  }

  /** The keys of the account, without the keys themselves; for admins. */
  list(options?: CallOptions): Promise<api.ApiKeyList> {
    return this.send({ method: 'GET', path: '/v1/keys', options });
  }
}

export class Outcomes extends Resource {
  /** Reports an outcome. The same `source_id` and `type` again return the same response and have no second effect. */
  record(request: api.RecordOutcomeRequest, options?: PostOptions): Promise<api.Outcome> {
    return this.send({ method: 'POST', path: '/v1/outcomes', body: request, options });
  }
}

export interface OverviewQuery {
  /** @default seven days before the end */
  readonly start_date?: string | Date | undefined;
  /** @default now */
  readonly end_date?: string | Date | undefined;
}

export class Overviews extends Resource {
  /** The account's counts per hour, or per day when the range starts more than eight days back. */
  get(query: OverviewQuery = {}, options?: CallOptions): Promise<api.Overview> {
    return this.send({ method: 'GET', path: '/v1/overview', query, options });
  }
}

export class Users extends Resource {
  /** The profile of one of your users. Throws `not_found` for a user never seen. */
  riskProfile(userId: string, options?: CallOptions): Promise<api.RiskProfile> {
    return this.send({ method: 'GET', path: pathOf('/v1/users/{}/risk-profile', userId), options });
  }

  /** Devices, cards and addresses of a user, and who else used them: two hops, at most 50 nodes. */
  links(userId: string, options?: CallOptions): Promise<api.UserLinks> {
    return this.send({ method: 'GET', path: pathOf('/v1/users/{}/links', userId), options });
  }

  /** Everything held about a user, in parts: pass `next_cursor` for the next one. */
  export(
    userId: string,
    query: { readonly cursor?: string | undefined } = {},
    options?: PostOptions,
  ): Promise<api.UserExport> {
    return this.send({ method: 'POST', path: pathOf('/v1/users/{}/export', userId), query, options });
  }

  /** Erases a user: the profile at once, the rest within 24 hours; evidence of fraud only with `everything`. */
  erase(
    userId: string,
    query: { readonly everything?: boolean | undefined } = {},
    options?: CallOptions,
  ): Promise<api.RequestedErasure> {
    return this.send({ method: 'DELETE', path: pathOf('/v1/users/{}', userId), query, options });
  }

  erasure(erasureId: string, options?: CallOptions): Promise<api.Erasure> {
    return this.send({ method: 'GET', path: pathOf('/v1/erasures/{}', erasureId), options });
  }

  /** Undoes the effect of fraud labels on a victim's user, devices and cards. */
  forgetLabels(userId: string, reason: string, options?: PostOptions): Promise<api.ForgottenLabels> {
    const path = pathOf('/v1/users/{}/forget-labels', userId);
    return this.send({ method: 'POST', path, body: { reason }, options });
  }
}

export class WebhookEndpoints extends Resource {
  /** Registers an endpoint. `signing_secret` is in this answer and never again. */
  create(request: api.CreateWebhookRequest, options?: PostOptions): Promise<api.CreatedWebhook> {
    return this.send({ method: 'POST', path: '/v1/webhooks', body: request, options });
  }

  list(options?: CallOptions): Promise<api.WebhookList> {
    return this.send({ method: 'GET', path: '/v1/webhooks', options });
  }

  delete(webhookId: string, options?: CallOptions): Promise<void> {
    return this.remove({ path: pathOf('/v1/webhooks/{}', webhookId), options });
  }

  test(webhookId: string, options?: PostOptions): Promise<api.Delivery> {
    return this.send({ method: 'POST', path: pathOf('/v1/webhooks/{}/test', webhookId), options });
  }

  constructEvent(
    payload: string | Uint8Array | ArrayBuffer,
    headers: ReceivedHeaders,
    secrets: string | readonly string[],
    options?: ConstructOptions,
  ): Promise<WebhookEvent> {
    return constructEvent(payload, headers, secrets, options);
  }
}

export interface ScreenOptions<Policy extends FailPolicy> extends PostOptions {
  /** For this call. @default the client's */
  readonly failPolicy?: Policy | undefined;
}

abstract class Screenings<Default extends FailPolicy> extends Resource {
  readonly #transport: Transport;
  readonly #failPolicy: Default;

  constructor(transport: Transport, failPolicy: Default) {
    super(transport);
    this.#transport = transport;
    this.#failPolicy = failPolicy;
  }

  protected post<Answer, Policy extends FailPolicy>(
    path: string,
    body: object,
    options: ScreenOptions<Policy>,
  ): Promise<OrFallback<Answer, Policy>> {
    const idempotencyKey = options.idempotencyKey ?? this.#transport.runtime.uuid();
    return orFallback((options.failPolicy ?? this.#failPolicy) as Policy, idempotencyKey, () =>
      this.send<Answer>({ method: 'POST', path, body, options: { ...options, idempotencyKey } }),
    );
  }
}

export class Transactions<Default extends FailPolicy> extends Screenings<Default> {
  /** Scores a payment now. With the decision `review` a case is opened. */
  screen<Policy extends FailPolicy = Default>(
    request: api.ScreenTransactionRequest,
    options: ScreenOptions<Policy> = {},
  ): Promise<OrFallback<api.Transaction, Policy>> {
    return this.post('/v1/transactions/screen', request, options);
  }

  get(transactionId: string, options?: CallOptions): Promise<api.Transaction> {
    return this.send({ method: 'GET', path: pathOf('/v1/transactions/{}', transactionId), options });
  }

  /** Names the transaction as your payment processor does, so that outcomes can arrive by that name. */
  addReferences(
    transactionId: string,
    request: api.AddReferencesRequest,
    options?: PostOptions,
  ): Promise<api.AddedReferences> {
    const path = pathOf('/v1/transactions/{}/references', transactionId);
    return this.send({ method: 'POST', path, body: request, options });
  }
}

export class Events<Default extends FailPolicy> extends Screenings<Default> {
  /** Scores a login, a signup, a change of payout details and the like. */
  screen<Policy extends FailPolicy = Default>(
    request: api.ScreenEventRequest,
    options: ScreenOptions<Policy> = {},
  ): Promise<OrFallback<api.ScreenedEvent, Policy>> {
    return this.post('/v1/events', request, options);
  }
}
