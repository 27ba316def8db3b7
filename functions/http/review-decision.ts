import { decisionAnswer } from '../../shared/domain/screening/subjects/screening-record';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { reviewDecisionRoute } from '../../shared/routes/review-decision';
import { systemClock } from '../../shared/runtime/clock';
import { config } from '../../shared/runtime/config';
import { functionLogger } from '../../shared/runtime/logger';
import { outcomeStore } from '../../shared/store/cases/outcome-store';
import { idempotencyStore, unsealed } from '../../shared/store/idempotency-store';
import { openTable } from '../../shared/store/sdk/client';
import { type RecordOutcomeDeps, reviewDecision } from '../../shared/usecases/cases/record-outcome';

export const build = (deps: EndpointDeps & RecordOutcomeDeps) =>
  endpoint(reviewDecisionRoute, deps, async ({ caller, params, body, record: answerFor }) =>
    decisionAnswer(
      await reviewDecision(
        deps,
        caller,
        params.id,
        body,
        answerFor && ((reviewed) => answerFor(decisionAnswer(reviewed))),
      ),
    ),
  );

const table = openTable(config.tableName());

export const handler = build({
  clock: systemClock,
  log: functionLogger('review-decision'),
  outcomes: outcomeStore(table),
  answers: idempotencyStore(table, unsealed),
});
