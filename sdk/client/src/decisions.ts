import type { CallOptions, PostOptions } from './options';
import { pathOf } from './request';
import type { Transport } from './transport';
import type { Decision, DecisionList, DecisionName, ReviewDecisionRequest } from './types';

/** Decisions of a user, or of a kind: `user_id`, `outcome`, or a `decision` other than `allow`, is required. */
export interface DecisionQuery {
  readonly user_id?: string | undefined;
  /** The decision in force: a person's, else the automated one. */
  readonly decision?: DecisionName | undefined;
  /** Payments that were allowed, and that somebody outside reported as fraud. */
  readonly outcome?: 'missed_fraud' | undefined;
  /** Decisions made at or after it. */
  readonly start_date?: string | Date | undefined;
  /** Decisions made before it. */
  readonly end_date?: string | Date | undefined;
  /** Decisions per page, 1 to 100. @default 20 for a list, 100 for a walk */
  readonly limit?: number | undefined;
}

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

  /** One page, newest first; `next_cursor` leads to the next one. */
  list(query: DecisionQuery & { readonly cursor?: string | undefined }, options?: CallOptions): Promise<DecisionList> {
    return this.#transport.send({ method: 'GET', path: '/v1/decisions', query, options });
  }

  /** Every decision that matches, newest first, page by page as you ask for them. */
  async *all(query: DecisionQuery, options?: CallOptions): AsyncGenerator<Decision, void, undefined> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: DecisionList = await this.list({ limit: 100, ...query, cursor }, options);
      yield* page.decisions;
      cursor = page.next_cursor;
    }
  }
}
