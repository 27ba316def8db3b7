import { call } from './client';
import type {
  ApiKey,
  CaseList,
  CaseResult,
  CaseStatus,
  Decision,
  DecisionPage,
  Evidence,
  LinkGraph,
  Me,
  Outcome,
  Overview,
  ReviewCase,
  RiskProfile,
  Rule,
  RuleBody,
  RuleList,
  RuleTrial,
  RuleVersions,
  TimelineEntry,
} from './types';

/* The calls that the console makes, by name. */

export interface ListQuery {
  readonly status?: CaseStatus | undefined;
  readonly limit?: number;
  readonly offset?: number;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly user_id?: string | undefined;
  readonly user_prefix?: string | undefined;
  readonly resolved_by?: string | undefined;
  readonly assignee?: string | undefined;
  readonly signal?: string | undefined;
  readonly min_score?: string | undefined;
  readonly min_amount?: string | undefined;
  readonly subject_type?: string | undefined;
  readonly sort?: string | undefined;
  readonly cursor?: string | undefined;
}

const part = encodeURIComponent;

export const listCases = (query: ListQuery, signal?: AbortSignal): Promise<CaseList> =>
  call('GET', '/v1/cases', { query: { ...query }, signal });

export const getCase = (caseId: string, signal?: AbortSignal): Promise<ReviewCase> =>
  call('GET', `/v1/cases/${part(caseId)}`, { signal });

export const getDecision = (id: string, signal?: AbortSignal): Promise<Decision> =>
  call('GET', `/v1/decisions/${part(id)}`, { signal });

export interface DecisionQuery {
  readonly user_id?: string | undefined;
  readonly decision?: string | undefined;
  readonly outcome?: string | undefined;
  readonly reference?: string | undefined;
  readonly seen_with?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly cursor?: string | undefined;
}

export const listDecisions = (query: DecisionQuery, signal?: AbortSignal): Promise<DecisionPage> =>
  call('GET', '/v1/decisions', { query: { limit: 50, ...query }, signal });

/** The evidence of a decision; the service records who looked. */
export const getEvidence = (id: string, analyst_id: string, signal?: AbortSignal): Promise<Evidence> =>
  call('GET', `/v1/decisions/${part(id)}/evidence`, { query: { analyst_id }, signal });

export const getLinks = (userId: string, signal?: AbortSignal): Promise<LinkGraph> =>
  call('GET', `/v1/users/${part(userId)}/links`, { signal });

export const getRiskProfile = (userId: string, signal?: AbortSignal): Promise<RiskProfile> =>
  call('GET', `/v1/users/${part(userId)}/risk-profile`, { signal });

export const getOverview = (startDate: string, signal?: AbortSignal): Promise<Overview> =>
  call('GET', '/v1/overview', { query: { start_date: startDate }, signal });

export interface Resolution {
  readonly status: Outcome;
  readonly analystId: string;
  readonly notes: string;
  readonly reasonCode?: string | undefined;
  readonly force?: boolean | undefined;
}

const bodyOf = ({ status, analystId, notes, reasonCode, force }: Resolution) => ({
  status,
  analyst_id: analystId,
  ...(notes ? { notes } : {}),
  ...(reasonCode ? { reason_code: reasonCode } : {}),
  ...(force ? { force } : {}),
});

export const resolveCase = (caseId: string, resolution: Resolution): Promise<ReviewCase> =>
  call('PUT', `/v1/cases/${part(caseId)}`, { body: bodyOf(resolution) });

/** Resolves many; a repeat with the same `once` decides nothing twice. */
export const resolveCases = async (
  case_ids: readonly string[],
  resolution: Resolution,
  once: string,
): Promise<readonly CaseResult[]> => {
  const body = { case_ids, ...bodyOf(resolution) };
  return (await call<{ results: CaseResult[] }>('POST', '/v1/cases/resolve', { body, once })).results;
};

export const getKeys = async (signal?: AbortSignal): Promise<readonly ApiKey[]> =>
  (await call<{ keys: ApiKey[] }>('GET', '/v1/keys', { signal })).keys;

export const getMe = (): Promise<Me> => call('GET', '/v1/me');

export const claimCase = (caseId: string, analyst_id: string, assign_to?: string): Promise<ReviewCase> =>
  call('POST', `/v1/cases/${part(caseId)}/claim`, { body: { analyst_id, assign_to } });

export const releaseCase = (caseId: string, analystId: string): Promise<void> =>
  call('DELETE', `/v1/cases/${part(caseId)}/claim`, { query: { analyst_id: analystId } });

export const getTimeline = async (caseId: string, signal?: AbortSignal): Promise<readonly TimelineEntry[]> =>
  (await call<{ entries: TimelineEntry[] }>('GET', `/v1/cases/${part(caseId)}/timeline`, { signal })).entries;

export const commentCase = (caseId: string, analystId: string, text: string, once: string): Promise<object> =>
  call('POST', `/v1/cases/${part(caseId)}/comments`, { body: { text, analyst_id: analystId }, once });

export const correctDecision = (
  decisionId: string,
  decision: 'allow' | 'block',
  { analystId, notes, reasonCode }: Partial<Resolution> & Pick<Resolution, 'analystId'>,
): Promise<Decision> =>
  call('POST', `/v1/decisions/${part(decisionId)}/review`, {
    body: { decision, analyst_id: analystId, notes: notes || undefined, reason_code: reasonCode || undefined },
  });

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

/** Tests a rule against past decisions; also how an expression is checked. */
export const testRule = (
  { expression, action, points }: Pick<RuleBody, 'expression' | 'action' | 'points'>,
  signal?: AbortSignal,
): Promise<RuleTrial> => call('POST', '/v1/rules/test', { body: { expression, action, points }, signal });
