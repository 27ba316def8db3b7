import { type CallOptions, pathOf, Resource } from './request';
import type { RuleList as All, PutRuleRequest, Rule, RuleTest, RuleVersionList, TestRuleRequest } from './types';

export interface RuleChangeOptions extends CallOptions {
  /** The version that you saw: if the rule has changed since, the call fails with `version_mismatch`. @default any */
  readonly ifVersion?: number | undefined;
}

const ifMatch = ({ ifVersion }: RuleChangeOptions = {}) =>
  ifVersion === undefined ? {} : { headers: { 'If-Match': `"${ifVersion}"` } };

export class Rules extends Resource {
  /** Creates a rule or changes it; omitted members take their defaults. */
  put(name: string, request: PutRuleRequest, options?: RuleChangeOptions): Promise<Rule> {
    const path = pathOf('/v1/rules/{}', name);
    return this.send({ method: 'PUT', path, body: request, options, ...ifMatch(options) });
  }

  test(request: TestRuleRequest, options?: CallOptions): Promise<RuleTest> {
    return this.send({ method: 'POST', path: '/v1/rules/test', body: request, options });
  }

  /** The result of a test over more than 90 days, once its `status` is `complete`. */
  getTest(testId: string, options?: CallOptions): Promise<RuleTest> {
    return this.send({ method: 'GET', path: pathOf('/v1/rule-tests/{}', testId), options });
  }

  list(options?: CallOptions): Promise<All> {
    return this.send({ method: 'GET', path: '/v1/rules', options });
  }

  get(name: string, options?: CallOptions): Promise<Rule> {
    return this.send({ method: 'GET', path: pathOf('/v1/rules/{}', name), options });
  }

  versions(name: string, options?: CallOptions): Promise<RuleVersionList> {
    return this.send({ method: 'GET', path: pathOf('/v1/rules/{}/versions', name), options });
  }

  delete(name: string, options?: RuleChangeOptions): Promise<void> {
    return this.remove({ path: pathOf('/v1/rules/{}', name), options, ...ifMatch(options) });
  }
}
