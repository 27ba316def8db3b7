import { call } from './client';
import type { Rule, RuleBody, RuleList, RuleTrial, RuleVersions } from './types';

/* The calls of the page with rules. */

const path = (name: string): string => `/v1/rules/${encodeURIComponent(name)}`;

export const getRules = (signal?: AbortSignal): Promise<RuleList> => call('GET', '/v1/rules', { signal });

export const getRule = (name: string): Promise<Rule> => call('GET', path(name));

export const getVersions = (name: string, signal?: AbortSignal): Promise<RuleVersions> =>
  call('GET', `${path(name)}/versions`, { signal });

/** Fails with `version_mismatch` if the rule is no longer the version that the editor saw. */
export const putRule = (name: string, body: RuleBody, ifVersion: number | undefined): Promise<Rule> =>
  call('PUT', path(name), { body, ifVersion });

export const deleteRule = (name: string, ifVersion: number): Promise<void> => call('DELETE', path(name), { ifVersion });

/** What a rule would have done; also how an expression is checked. */
export const testRule = (
  { expression, action, points }: Pick<RuleBody, 'expression' | 'action' | 'points'>,
  signal?: AbortSignal,
): Promise<RuleTrial> => call('POST', '/v1/rules/test', { body: { expression, action, points }, signal });
