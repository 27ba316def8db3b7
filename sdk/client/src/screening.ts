import { type CallOptions, type FailPolicy, type OrFallback, orFallback, type PostOptions } from './options';
import { pathOf, Resource, type Transport } from './request';
import type {
  AddedReferences,
  AddReferencesRequest,
  ScreenEventRequest,
  ScreenedEvent,
  ScreenTransactionRequest,
  Transaction,
} from './types';

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
    request: ScreenTransactionRequest,
    options: ScreenOptions<Policy> = {},
  ): Promise<OrFallback<Transaction, Policy>> {
    return this.post('/v1/transactions/screen', request, options);
  }

  get(transactionId: string, options?: CallOptions): Promise<Transaction> {
    return this.send({ method: 'GET', path: pathOf('/v1/transactions/{}', transactionId), options });
  }

  /** Names the transaction as your payment processor does, so that outcomes can arrive by that name. */
  addReferences(transactionId: string, request: AddReferencesRequest, options?: PostOptions): Promise<AddedReferences> {
    const path = pathOf('/v1/transactions/{}/references', transactionId);
    return this.send({ method: 'POST', path, body: request, options });
  }
}

export class Events<Default extends FailPolicy> extends Screenings<Default> {
  /** Scores a login, a signup, a change of payout details and the like. */
  screen<Policy extends FailPolicy = Default>(
    request: ScreenEventRequest,
    options: ScreenOptions<Policy> = {},
  ): Promise<OrFallback<ScreenedEvent, Policy>> {
    return this.post('/v1/events', request, options);
  }
}
