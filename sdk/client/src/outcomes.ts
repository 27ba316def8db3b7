import type { PostOptions } from './options';
import type { Transport } from './transport';
import type { Outcome, RecordOutcomeRequest } from './types';

/** What became of transactions and events: chargebacks, fraud warnings, reports. */
export class Outcomes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Reports an outcome. The same `source_id` and `type` again return the same response and have no second effect. */
  record(request: RecordOutcomeRequest, options?: PostOptions): Promise<Outcome> {
    return this.#transport.send({ method: 'POST', path: '/v1/outcomes', body: request, options });
  }
}
