import { screeningAnswer } from '../../shared/domain/screening/subjects/screening-record';
import { transactionSubject } from '../../shared/domain/screening/subjects/subject-of';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { Replayed } from '../../shared/http/idempotency';
import { screenTransactionRoute } from '../../shared/routes/screen-transaction';
import { screeningWiring } from '../../shared/runtime/screening-wiring';
import { type ScreenSubjectDeps, screenSubject } from '../../shared/usecases/screening/screen-subject';

export const build = (deps: EndpointDeps & ScreenSubjectDeps) =>
  endpoint(screenTransactionRoute, deps, async ({ caller, body, claim }) => {
    const { record, replayed } = await screenSubject(deps, caller, transactionSubject(body), claim);
    return replayed ? new Replayed(screeningAnswer(record)) : screeningAnswer(record);
  });

export const handler = build(screeningWiring('screen-transaction', __dirname));
