import { sandboxWarnings } from '../../shared/domain/screening/sandbox-decision';
import { declaredWarnings } from '../../shared/http/declared-event';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { Replayed } from '../../shared/http/idempotency';
import { transactionAnswer } from '../../shared/http/presenters/screening-answer';
import { screenTransactionRoute } from '../../shared/routes/transactions';
import { screeningWiring } from '../../shared/runtime/screening-wiring';
import type { ScreenSubjectDeps } from '../../shared/usecases/screening/screen-subject';
import { screenTransaction } from '../../shared/usecases/screening/screen-transaction';

export const build = (deps: EndpointDeps & ScreenSubjectDeps) =>
  endpoint(screenTransactionRoute, deps, async ({ caller, body, claim }) => {
    const { record, replayed } = await screenTransaction(deps, caller, body, claim);
    const warnings = declaredWarnings(deps.rules.latest(caller.account_id)?.declarations, body);
    const answer = transactionAnswer(record, [...warnings, ...sandboxWarnings(deps.stage, body.custom_attributes)]);
    return replayed ? new Replayed(answer) : answer;
  });

export const handler = build(screeningWiring('screen-transaction', __dirname));
