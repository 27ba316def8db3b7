import { call } from './client';
import type { CaseList, CaseStatus, Decision, Outcome, Overview, ReviewCase, RiskProfile } from './types';

/* The calls that the console makes, by name. */

export interface ListQuery {
  readonly status?: CaseStatus | undefined;
  readonly limit?: number;
  readonly offset?: number;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

const part = encodeURIComponent;

export const listCases = (query: ListQuery, signal?: AbortSignal): Promise<CaseList> =>
  call('GET', '/v1/cases', { query: { ...query }, signal });

export const getCase = (caseId: string, signal?: AbortSignal): Promise<ReviewCase> =>
  call('GET', `/v1/cases/${part(caseId)}`, { signal });

export const getDecision = (id: string, signal?: AbortSignal): Promise<Decision> =>
  call('GET', `/v1/decisions/${part(id)}`, { signal });

export const getRiskProfile = (userId: string, signal?: AbortSignal): Promise<RiskProfile> =>
  call('GET', `/v1/users/${part(userId)}/risk-profile`, { signal });

export const getOverview = (startDate: string, signal?: AbortSignal): Promise<Overview> =>
  call('GET', '/v1/overview', { query: { start_date: startDate }, signal });

export const resolveCase = (caseId: string, status: Outcome, analystId: string, notes: string): Promise<ReviewCase> =>
  call('PUT', `/v1/cases/${part(caseId)}`, { body: { status, analyst_id: analystId, ...(notes ? { notes } : {}) } });
