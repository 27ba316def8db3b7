import { type CallOptions, type FailPolicy, type OrFallback, orFallback, type PostOptions } from './options';
import { pathOf, type Transport } from './request';
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

interface Subject {
  readonly path: string;
  readonly body: object;
}

/** `POST` of something to screen, under a fail policy and with a key of its own. */
function screen<Answer, Policy extends FailPolicy>(
  transport: Transport,
  { path, body }: Subject,
  policy: Policy,
  options: PostOptions,
): Promise<OrFallback<Answer, Policy>> {
  const idempotencyKey = options.idempotencyKey ?? transport.runtime.uuid();
  return orFallback(policy, idempotencyKey, () =>
    transport.send<Answer>({ method: 'POST', path, body, options: { ...options, idempotencyKey } }),
  );
}

export class Transactions<Default extends FailPolicy> {
  readonly #transport: Transport;
  readonly #failPolicy: Default;

  constructor(transport: Transport, failPolicy: Default) {
    this.#transport = transport;
    this.#failPolicy = failPolicy;
  }

  /** Scores a payment now. With the decision `review` a case is opened. */
  screen<Policy extends FailPolicy = Default>(
    request: ScreenTransactionRequest,
    options: ScreenOptions<Policy> = {},
  ): Promise<OrFallback<Transaction, Policy>> {
    const policy = (options.failPolicy ?? this.#failPolicy) as Policy;
    return screen(this.#transport, { path: '/v1/transactions/screen', body: request }, policy, options);
  }

  /** The result of a screening, for 90 days. */
  get(transactionId: string, options?: CallOptions): Promise<Transaction> {
    return this.#transport.send({ method: 'GET', path: pathOf('/v1/transactions/{}', transactionId), options });
  }

  /** Names the transaction as your payment processor does, so that outcomes can arrive by that name. */
  addReferences(transactionId: string, request: AddReferencesRequest, options?: PostOptions): Promise<AddedReferences> {
    const path = pathOf('/v1/transactions/{}/references', transactionId);
    return this.#transport.send({ method: 'POST', path, body: request, options });
  }
}

export class Events<Default extends FailPolicy> {
  readonly #transport: Transport;
  readonly #failPolicy: Default;

  constructor(transport: Transport, failPolicy: Default) {
    this.#transport = transport;
    this.#failPolicy = failPolicy;
  }

  /** Scores a login, a signup, a change of payout details and the like. */
  screen<Policy extends FailPolicy = Default>(
    request: ScreenEventRequest,
    options: ScreenOptions<Policy> = {},
  ): Promise<OrFallback<ScreenedEvent, Policy>> {
    const policy = (options.failPolicy ?? this.#failPolicy) as Policy;
    return screen(this.#transport, { path: '/v1/events', body: request }, policy, options);
  }
}
