import type { CallOptions, PostOptions } from './options';
import { pathOf } from './request';
import type { Transport } from './transport';
import type { Decision, ReviewDecisionRequest } from './types';

/** Decisions, by their own id or by that of the transaction or event. */
export class Decisions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get(id: string, options?: CallOptions): Promise<Decision> {
    return this.#transport.send({ method: 'GET', path: pathOf('/v1/decisions/{}', id), options });
  }

  /** Overrides a decision by hand: `block` says it was fraud, `allow` that it was not. */
  review(id: string, request: ReviewDecisionRequest, options?: PostOptions): Promise<Decision> {
    const path = pathOf('/v1/decisions/{}/review', id);
    return this.#transport.send({ method: 'POST', path, body: request, options });
  }
}
