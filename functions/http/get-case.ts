import { caseAnswer } from '../../shared/domain/cases/review-case';
import { notFound } from '../../shared/domain/errors';
import { RETENTION_MS } from '../../shared/domain/screening/subjects/screening-record';
import { ulidOf } from '../../shared/domain/screening/subjects/subject-id';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { getCaseRoute } from '../../shared/routes/get-case';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { caseReader } from '../../shared/store/cases/case-store';
import { openTable } from '../../shared/store/sdk/client';

type Deps = EndpointDeps & { readonly cases: ReturnType<typeof caseReader> };

export const build = (deps: Deps) =>
  endpoint(getCaseRoute, deps, async ({ caller, params }) => {
    const nowMs = deps.clock.now();
    const ulid = ulidOf(params.id, 'case');
    const found = ulid ? await deps.cases.find(caller.account_id, ulid) : undefined;
    if (!found || nowMs - found.created_at_ms >= RETENTION_MS) throw notFound('case');
    return caseAnswer(found, nowMs);
  });

export const handler = build({
  clock: systemClock,
  log: functionLogger('get-case'),
  cases: caseReader(openTable(config.tableName())),
});
