import type { CallOptions, PostOptions } from './options';
import { pathOf } from './request';
import type { Transport } from './transport';
import type { Erasure, ForgottenLabels, RequestedErasure, RiskProfile, UserExport, UserLinks } from './types';

export class Users {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What is known of a user of yours. Throws `not_found` for one that was never seen. */
  riskProfile(userId: string, options?: CallOptions): Promise<RiskProfile> {
    return this.#transport.send({ method: 'GET', path: pathOf('/v1/users/{}/risk-profile', userId), options });
  }

  /** What a user was seen with, and who else was: two hops, at most 50 nodes. */
  links(userId: string, options?: CallOptions): Promise<UserLinks> {
    return this.#transport.send({ method: 'GET', path: pathOf('/v1/users/{}/links', userId), options });
  }

  /** Everything held about a user, in parts: pass `next_cursor` for the next one. */
  export(
    userId: string,
    query: { readonly cursor?: string | undefined } = {},
    options?: PostOptions,
  ): Promise<UserExport> {
    return this.#transport.send({ method: 'POST', path: pathOf('/v1/users/{}/export', userId), query, options });
  }

  /** Erases a user: the profile at once, the rest within 24 hours. */
  erase(userId: string, options?: CallOptions): Promise<RequestedErasure> {
    return this.#transport.send({ method: 'DELETE', path: pathOf('/v1/users/{}', userId), options });
  }

  /** How far an erasure has come. */
  erasure(erasureId: string, options?: CallOptions): Promise<Erasure> {
    return this.#transport.send({ method: 'GET', path: pathOf('/v1/erasures/{}', erasureId), options });
  }

  /** Takes back what fraud labels did to a victim's user, devices and cards. */
  forgetLabels(userId: string, reason: string, options?: PostOptions): Promise<ForgottenLabels> {
    const path = pathOf('/v1/users/{}/forget-labels', userId);
    return this.#transport.send({ method: 'POST', path, body: { reason }, options });
  }
}
