import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { type AnswerOnceDeps, endpoint } from '../../shared/http/endpoint';
import { decisionAnswer } from '../../shared/http/presenters/decision-answer';
import { reviewDecisionRoute } from '../../shared/routes/decisions';
import { functionBasics } from '../../shared/runtime/function-basics';
import { outcomeStore } from '../../shared/store/cases/outcome-store';
import { idempotencyStore, unsealed } from '../../shared/store/idempotency-store';
import { type RecordOutcomeDeps, reviewDecision } from '../../shared/usecases/cases/record-outcome';

export const build = (deps: AnswerOnceDeps & RecordOutcomeDeps) =>
  endpoint(reviewDecisionRoute, deps, async ({ caller, params, body, record }) => {
    const recordOf = record && ((reviewed: ScreeningRecord) => record(decisionAnswer(reviewed)));
    return decisionAnswer(await reviewDecision(deps, caller, params.id, { ...body, recordOf }));
  });

const { table, ...basics } = functionBasics('review-decision');

export const handler = build({
  ...basics,
  outcomes: outcomeStore(table),
  answers: idempotencyStore(table, unsealed),
});
