import { ClaimTaken } from '../../shared/domain/idempotency';
import { type AnswerOnceDeps, endpoint, serveFamily } from '../../shared/http/endpoint';
import { caseAnswer } from '../../shared/http/presenters/case-answer';
import { commentAnswer, keysAnswer, meAnswer } from '../../shared/http/presenters/desk-answer';
import { getMeRoute, listKeysRoute } from '../../shared/routes/account';
import * as routes from '../../shared/routes/cases';
import { functionBasics } from '../../shared/runtime/function-basics';
import { newUlid } from '../../shared/runtime/ids';
import { keyLister } from '../../shared/store/accounts/key-list';
import { deskStore } from '../../shared/store/cases/desk-store';
import { outcomeStore } from '../../shared/store/cases/outcome-store';
import { idempotencyStore, recordAnswer, unsealed } from '../../shared/store/idempotency-store';
import { type ListKeysDeps, listKeys } from '../../shared/usecases/accounts/list-keys';
import { type CaseTimelineDeps, caseTimeline } from '../../shared/usecases/cases/case-timeline';
import type { DeskDeps } from '../../shared/usecases/cases/change-case';
import { claimCase, releaseCase } from '../../shared/usecases/cases/claim-case';
import { commentCase } from '../../shared/usecases/cases/comment-case';
import { type ResolveCasesDeps, resolveCases } from '../../shared/usecases/cases/resolve-cases';

type Deps = AnswerOnceDeps &
  ResolveCasesDeps &
  DeskDeps &
  ListKeysDeps &
  CaseTimelineDeps & { readonly recordAnswer: (...answer: RecordParameters) => Promise<boolean> };
type RecordParameters = Parameters<typeof recordAnswer> extends [unknown, ...infer Rest] ? Rest : never;

const claim = (deps: Deps) =>
  endpoint(routes.claimCaseRoute, deps, async ({ caller, params, body, record }) => {
    const recordOf =
      record && ((now: Awaited<ReturnType<typeof claimCase>>) => record(caseAnswer(now.reviewCase, now.nowMs)));
    const { reviewCase, nowMs } = await claimCase(deps, caller, params.id, { ...body, recordOf });
    return caseAnswer(reviewCase, nowMs);
  });

const release = (deps: Deps) =>
  endpoint(routes.releaseCaseRoute, deps, async ({ caller, params, query }) => {
    await releaseCase(deps, caller, params.id, query.analyst_id);
    return undefined;
  });

const comment = (deps: Deps) =>
  endpoint(routes.commentCaseRoute, deps, async ({ caller, params, body, record }) => {
    const answerOf = (entry: Awaited<ReturnType<typeof commentCase>>) => commentAnswer(params.id, entry);
    const recordOf = record && ((entry: Parameters<typeof answerOf>[0]) => record(answerOf(entry)));
    return answerOf(await commentCase(deps, caller, params.id, { ...body, recordOf }));
  });

const timeline = (deps: Deps) =>
  endpoint(routes.getCaseTimelineRoute, deps, async ({ caller, params }) => ({
    entries: await caseTimeline(deps, caller, params.id),
  }));

/** Codes after which a repeat may do better: such a response is not recorded, so that the repeat tries. */
const PASSING = new Set(['unavailable', 'internal_error']);

const resolve = (deps: Deps) =>
  endpoint(routes.resolveCasesRoute, deps, async ({ caller, body: { case_ids, status, ...stated }, record }) => {
    const decision = status === 'rejected' ? 'block' : 'allow';
    const scope = record?.({ results: [] }).scope;
    const results = await resolveCases(deps, caller, case_ids, { ...stated, decision, scope });
    const answered = { results };
    if (record && !results.some(({ status: ended }) => PASSING.has(ended))) {
      const isRecorded = await deps.recordAnswer(caller.account_id, record(answered), deps.clock.now());
      if (!isRecorded) throw new ClaimTaken();
    }
    return answered;
  });

const me = (deps: Deps) => endpoint(getMeRoute, deps, async ({ caller }) => meAnswer(caller));

const keys = (deps: Deps) =>
  endpoint(listKeysRoute, deps, async ({ caller }) => keysAnswer(await listKeys(deps, caller)));

/** The team's work on cases. */
export const build = (deps: Deps) =>
  serveFamily([claim(deps), release(deps), comment(deps), timeline(deps), resolve(deps), me(deps), keys(deps)]);

const { table, ...basics } = functionBasics('desk');

export const handler = build({
  ...basics,
  newUlid,
  desk: deskStore(table),
  keys: keyLister(table),
  outcomes: outcomeStore(table),
  answers: idempotencyStore(table, unsealed),
  recordAnswer: (...answer) => recordAnswer({ table, sealer: unsealed }, ...answer),
});
