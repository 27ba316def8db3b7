import { type CallOptions, FraudScreeningError } from './options';
import { pathOf, type Transport } from './request';
import type { RuleList as All, PutRuleRequest, Rule, RuleTest, RuleVersionList, TestRuleRequest } from './types';

/** Options of a change that must not undo somebody else's. */
export interface RuleChangeOptions extends CallOptions {
  /** The version that you saw: if the rule has changed since, the call fails with `version_mismatch`. @default any */
  readonly ifVersion?: number | undefined;
}

const ifMatch = ({ ifVersion }: RuleChangeOptions = {}) =>
  ifVersion === undefined ? {} : { headers: { 'If-Match': `"${ifVersion}"` } };

export class Rules {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a rule or changes it; what you leave out has its default. */
  put(name: string, request: PutRuleRequest, options?: RuleChangeOptions): Promise<Rule> {
    const path = pathOf('/v1/rules/{}', name);
    return this.#transport.send({ method: 'PUT', path, body: request, options, ...ifMatch(options) });
  }

  /** What a rule would have done to your own traffic; nothing is changed. */
  test(request: TestRuleRequest, options?: CallOptions): Promise<RuleTest> {
    return this.#transport.send({ method: 'POST', path: '/v1/rules/test', body: request, options });
  }

  list(options?: CallOptions): Promise<All> {
    return this.#transport.send({ method: 'GET', path: '/v1/rules', options });
  }

  get(name: string, options?: CallOptions): Promise<Rule> {
    return this.#transport.send({ method: 'GET', path: pathOf('/v1/rules/{}', name), options });
  }

  /** Every version of a rule, newest first. */
  versions(name: string, options?: CallOptions): Promise<RuleVersionList> {
    return this.#transport.send({ method: 'GET', path: pathOf('/v1/rules/{}/versions', name), options });
  }

  async delete(name: string, options?: RuleChangeOptions): Promise<void> {
    try {
      const path = pathOf('/v1/rules/{}', name);
      await this.#transport.send({ method: 'DELETE', path, options, ...ifMatch(options) });
    } catch (error) {
      // An earlier try has deleted it and its answer was lost.
      const isGone = error instanceof FraudScreeningError && error.code === 'not_found' && error.attempts > 1;
      if (!isGone) throw error;
    }
  }
}
