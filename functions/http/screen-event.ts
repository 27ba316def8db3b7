import { sandboxWarnings } from '../../shared/domain/screening/sandbox-decision';
import { declaredWarnings, eventFaults } from '../../shared/http/declared-event';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { Replayed } from '../../shared/http/idempotency';
import { eventAnswer } from '../../shared/http/presenters/screening-answer';
import { screenEventRoute } from '../../shared/routes/events';
import { screeningWiring } from '../../shared/runtime/screening-wiring';
import { screenEvent } from '../../shared/usecases/screening/screen-event';
import type { ScreenSubjectDeps } from '../../shared/usecases/screening/screen-subject';

export const build = (deps: EndpointDeps & ScreenSubjectDeps) =>
  endpoint(
    screenEventRoute,
    deps,
    async ({ caller, body, claim }) => {
      const { record, replayed } = await screenEvent(deps, caller, body, claim);
      const warnings = declaredWarnings(deps.rules.latest(caller.account_id)?.declarations, body);
      const answer = eventAnswer(record, [...warnings, ...sandboxWarnings(deps.stage, body.custom_attributes)]);
      return replayed ? new Replayed(answer) : answer;
    },
    { bodyFaults: (body, caller) => eventFaults(deps, body, caller) },
  );

export const handler = build(screeningWiring('screen-event', __dirname));
