import { screeningAnswer } from '../../shared/domain/screening/subjects/screening-record';
import { eventSubject } from '../../shared/domain/screening/subjects/subject-of';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { Replayed } from '../../shared/http/idempotency';
import { screenEventRoute } from '../../shared/routes/screen-event';
import { screeningWiring } from '../../shared/runtime/screening-wiring';
import { type ScreenSubjectDeps, screenSubject } from '../../shared/usecases/screening/screen-subject';

export const build = (deps: EndpointDeps & ScreenSubjectDeps) =>
  endpoint(screenEventRoute, deps, async ({ caller, body, claim }) => {
    const { record, replayed } = await screenSubject(deps, caller, eventSubject(body), claim);
    return replayed ? new Replayed(screeningAnswer(record)) : screeningAnswer(record);
  });

export const handler = build(screeningWiring('screen-event', __dirname));
