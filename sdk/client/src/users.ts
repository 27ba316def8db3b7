import type { CallOptions } from './options';
import { pathOf } from './request';
import type { Transport } from './transport';
import type { RiskProfile, UserLinks } from './types';

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
}
