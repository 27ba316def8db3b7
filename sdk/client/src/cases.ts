import { type CallOptions, FraudScreeningError, type PostOptions, pathOf, Resource } from './request';
import type * as api from './types';

export interface CaseQuery {
  readonly status?: api.CaseStatus | undefined;
  /** Cases per page, 1 to 100. @default 20 for a list, 100 for a walk */
  readonly limit?: number | undefined;
  /** Cases created at or after it. */
  readonly start_date?: string | Date | undefined;
  /** Cases created before it. */
  readonly end_date?: string | Date | undefined;
}

/** Conditions and orders beyond status and age. Pages go by `next_cursor`, and `total` is null. */
export interface CaseSearch extends CaseQuery {
  readonly user_id?: string | undefined;
  /** Who works on it now. */
  readonly assignee?: string | undefined;
  /** Who resolved it. */
  readonly resolved_by?: string | undefined;
  readonly signal?: string | undefined;
  readonly min_score?: number | undefined;
  readonly max_score?: number | undefined;
  readonly subject_type?: api.SubjectType | undefined;
  /** Largest score or amount first, soonest to expire first. @default newest first */
  readonly sort?: 'newest' | 'score' | 'amount' | 'expires' | undefined;
  readonly cursor?: string | undefined;
}

export class Cases extends Resource {
  /** One page, newest first. */
  list(query: CaseQuery & { readonly offset?: number | undefined } = {}, options?: CallOptions): Promise<api.CaseList> {
    return this.send({ method: 'GET', path: '/v1/cases', query, options });
  }

  /** One page of a search. */
  search(query: CaseSearch, options?: CallOptions): Promise<api.CaseList> {
    return this.send({
      method: 'GET',
      path: '/v1/cases',
      query: { ...query, sort: query.sort ?? 'newest' },
      options,
    });
  }

  /**
   * Every case that matches, newest first, page by page as you ask for them. You may resolve cases as you go: the walk
   * goes by time, not by offset, so that one which leaves the selection hides no other, and none comes twice.
   */
  async *all(query: CaseQuery = {}, options?: CallOptions): AsyncGenerator<api.Case, void, undefined> {
    let end = query.end_date;
    let offset = 0;
    let given = new Set<string>();
    for (;;) {
      const page = await this.list({ limit: 100, ...query, end_date: end, offset }, options);
      const fresh = page.cases.filter(({ case_id }) => !given.has(case_id));
      yield* fresh;
      const oldest = page.cases.at(-1)?.created_at;
      if (!page.has_more || oldest === undefined) return;
      const next = new Date(Date.parse(oldest) + 1).toISOString();
      // A page full of one millisecond: only an offset leads past it. What was yielded may have left the selection and
      // moved the others up, so the offset starts again until a page holds nothing new.
      if (next === end) offset = fresh.length > 0 ? 0 : offset + page.cases.length;
      else [end, offset, given] = [next, 0, new Set()];
      for (const { case_id, created_at } of page.cases) if (created_at === oldest) given.add(case_id);
    }
  }

  get(caseId: string, options?: CallOptions): Promise<api.Case> {
    return this.send({ method: 'GET', path: pathOf('/v1/cases/{}', caseId), options });
  }

  /** Claims an open case for 15 minutes, or renews your claim. Throws `case_claimed` while somebody else has it. */
  claim(caseId: string, request: api.ClaimCaseRequest = {}, options?: PostOptions): Promise<api.Case> {
    return this.send({ method: 'POST', path: pathOf('/v1/cases/{}/claim', caseId), body: request, options });
  }

  /** Ends a claim before its time. Name the holder unless the key is the holder's own. */
  release(caseId: string, query: api.ClaimCaseRequest = {}, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: pathOf('/v1/cases/{}/claim', caseId), query, options });
  }

  comment(caseId: string, request: api.CommentCaseRequest, options?: PostOptions): Promise<api.CaseComment> {
    return this.send({
      method: 'POST',
      path: pathOf('/v1/cases/{}/comments', caseId),
      body: request,
      options,
    });
  }

  /** Everything that happened to the subject of a case, oldest first. */
  timeline(caseId: string, options?: CallOptions): Promise<api.CaseTimeline> {
    return this.send({ method: 'GET', path: pathOf('/v1/cases/{}/timeline', caseId), options });
  }

  /** Resolves up to 100 cases; `results` tells how each ended. None is ever decided twice. */
  resolveAll(request: api.ResolveCasesRequest, options?: PostOptions): Promise<api.CaseResults> {
    return this.send({ method: 'POST', path: '/v1/cases/resolve', body: request, options });
  }

  /** Closes an open case. Throws `case_not_open` when somebody was faster or the case has expired. */
  async resolve(caseId: string, request: api.ResolveCaseRequest, options?: CallOptions): Promise<api.Case> {
    try {
      return await this.send({
        method: 'PUT',
        path: pathOf('/v1/cases/{}', caseId),
        body: request,
        options,
      });
    } catch (error) {
      if (!(error instanceof FraudScreeningError && error.code === 'case_not_open' && error.attempts > 1)) throw error;
      // An earlier try may have worked and its answer been lost: then the case is closed just as we asked.
      const found = await this.get(caseId, options);
      if (!isResolvedBy(found, request)) throw error;
      return found;
    }
  }
}

const isResolvedBy = (found: api.Case, asked: api.ResolveCaseRequest): boolean =>
  found.status === asked.status &&
  found.resolved_by === (asked.analyst_id ?? null) &&
  found.notes === (asked.notes ?? null);
