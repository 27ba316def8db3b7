import type { CallOptions } from './options';
import type { Transport } from './transport';
import type { ApiKeyList, Me } from './types';

export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Whose key this is, and what it may do. */
  me(options?: CallOptions): Promise<Me> {
    return this.#transport.send({ method: 'GET', path: '/v1/me', options });
  }

  /** The keys of the account, without the keys themselves; for admins. */
  list(options?: CallOptions): Promise<ApiKeyList> {
    return this.#transport.send({ method: 'GET', path: '/v1/keys', options });
  }
}
