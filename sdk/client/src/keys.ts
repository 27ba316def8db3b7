import type { CallOptions } from './options';
import type { Transport } from './transport';
import type { Me } from './types';

export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Whose key this is, and what it may do. */
  me(options?: CallOptions): Promise<Me> {
    return this.#transport.send({ method: 'GET', path: '/v1/me', options });
  }
}
