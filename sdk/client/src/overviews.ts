import type { CallOptions } from './options';
import type { Transport } from './transport';
import type { Overview } from './types';

export interface OverviewQuery {
  /** @default seven days before the end */
  readonly start_date?: string | Date | undefined;
  /** @default now */
  readonly end_date?: string | Date | undefined;
}

export class Overviews {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The account's counts per hour, or per day when the range starts more than eight days back. */
  get(query: OverviewQuery = {}, options?: CallOptions): Promise<Overview> {
    return this.#transport.send({ method: 'GET', path: '/v1/overview', query, options });
  }
}
