import type { Caller } from '../../shared/domain/accounts/account';
import {
  inForce,
  type OwnJudgement,
  ownRules,
  requireDetector,
  requireEventType,
  thresholdRules,
} from '../../shared/domain/afd/afd-catalogue';
import { type AfdMapping, labelOfName } from '../../shared/domain/afd/afd-mapping';
import { eventTypeOf, isBuiltInType } from '../../shared/domain/declarations/declaration';
import { DomainError, invalidRequest } from '../../shared/domain/errors';
import { withThresholds } from '../../shared/domain/screening/subjects/attempt-of';
import { afdEndpoint, afdOperation } from '../../shared/http/afd/afd-endpoint';
import { afdSubject } from '../../shared/http/afd/afd-subject';
import type { EndpointDeps } from '../../shared/http/endpoint';
import {
  detectorsAnswer,
  eventAnswerOfAfd,
  eventTypesAnswer,
  outcomesAnswer,
  predictionAnswer,
  predictionMetadataAnswer,
  rulesAnswer,
} from '../../shared/http/presenters/afd-answer';
import { afdWiring } from '../../shared/runtime/afd-wiring';
import * as requests from '../../shared/schemas/afd';
import { findAfdEvent } from '../../shared/usecases/afd/find-afd-event';
import { type LabelAfdEventDeps, labelAfdEvent } from '../../shared/usecases/afd/label-afd-event';
import { type PredictAfdEventDeps, predictAfdEvent } from '../../shared/usecases/afd/predict-afd-event';

type Deps = EndpointDeps &
  PredictAfdEventDeps &
  LabelAfdEventDeps & {
    readonly mappingOf: (accountId: string) => Promise<AfdMapping>;
    /** The account's own rules and lists, all of them. */
    readonly judgementOf: (accountId: string) => Promise<OwnJudgement>;
  };

/** Amazon Fraud Detector's own client: nine of its operations. */
export const build = (deps: Deps) => {
  /** An event type that the account has declared here: the lower-case form of Amazon's name. */
  const declaredType = async ({ account_id }: Caller, name: string) => {
    const own = name.toLowerCase();
    const known = eventTypeOf((await deps.rules.current(account_id)).declarations, own);
    if (known || isBuiltInType(own)) return known;
    return eventTypeOf((await deps.rules.reread(account_id)).declarations, own);
  };
  const screen = async (caller: Caller, request: requests.AfdEventRequest, mapping: AfdMapping) => {
    const { eventTypeName: name } = request;
    const isMapped = mapping.event_types !== undefined && Object.hasOwn(mapping.event_types, name);
    const type = isMapped ? undefined : await declaredType(caller, name);
    if (type === undefined) requireEventType(name, mapping, request.eventVariables);
    const asked = { content: request, ...afdSubject(request, mapping, type) };
    return predictAfdEvent(deps, withThresholds(caller, type), asked);
  };
  const label = (
    caller: Caller,
    request: { eventId: string; eventTypeName: string },
    stated: string,
    by: AfdMapping,
  ) => {
    const known = labelOfName(stated, by);
    if (known) return labelAfdEvent(deps, caller, request, { label: known, name: stated });
    const names = [...by.fraud_labels, ...by.legitimate_labels].join(', ');
    throw invalidRequest([{ field: 'assignedLabel', message: `must be one of ${names}` }]);
  };
  const own = async (accountId: string) => inForce(await deps.judgementOf(accountId), deps.clock.now());
  return afdEndpoint(deps, {
    GetEventPrediction: afdOperation('screen', requests.getEventPredictionRequest, async (caller, request) => {
      const mapping = await deps.mappingOf(caller.account_id);
      requireDetector(request.detectorId, mapping);
      return predictionAnswer((await screen(caller, request, mapping)).record, mapping);
    }),
    GetEventPredictionMetadata: afdOperation(
      'read',
      requests.getEventPredictionMetadataRequest,
      async (caller, request) => {
        const mapping = await deps.mappingOf(caller.account_id);
        requireDetector(request.detectorId, mapping);
        const found = await findAfdEvent(deps, caller, request);
        return predictionMetadataAnswer(request, found, mapping, caller.settings);
      },
    ),
    SendEvent: afdOperation('screen', requests.sendEventRequest, async (caller, request) => {
      const mapping = await deps.mappingOf(caller.account_id);
      await screen(caller, request, mapping);
      if (request.assignedLabel !== undefined) await label(caller, request, request.assignedLabel, mapping);
      return {};
    }),
    UpdateEventLabel: afdOperation('outcomes', requests.updateEventLabelRequest, async (caller, request) => {
      await label(caller, request, request.assignedLabel, await deps.mappingOf(caller.account_id));
      return {};
    }),
    GetEvent: afdOperation('read', requests.getEventRequest, async (caller, request) => {
      const found = await findAfdEvent(deps, caller, request);
      return eventAnswerOfAfd(request, found, await deps.mappingOf(caller.account_id));
    }),
    GetDetectors: afdOperation('read', requests.getDetectorsRequest, async ({ account_id }, { detectorId }) => {
      const mapping = await deps.mappingOf(account_id);
      if (detectorId !== undefined) requireDetector(detectorId, mapping);
      return detectorsAnswer(detectorId, mapping, await own(account_id));
    }),
    GetEventTypes: afdOperation('read', requests.getEventTypesRequest, async ({ account_id }, { name }) => {
      const mapping = await deps.mappingOf(account_id);
      if (name !== undefined) requireEventType(name, mapping);
      return eventTypesAnswer(name, mapping);
    }),
    GetRules: afdOperation(
      'read',
      requests.getRulesRequest,
      async ({ account_id, settings }, { detectorId, ruleId }) => {
        const mapping = await deps.mappingOf(account_id);
        requireDetector(detectorId, mapping);
        const all = [...ownRules(mapping, await own(account_id)), ...thresholdRules(mapping, settings)];
        const rules = all.filter((rule) => ruleId === undefined || rule.ruleId === ruleId);
        if (rules.length === 0) throw new DomainError('not_found', `No such rule: ${ruleId}.`);
        return rulesAnswer(detectorId, rules);
      },
    ),
    GetOutcomes: afdOperation('read', requests.getOutcomesRequest, async ({ account_id }, { name }) => {
      const answer = outcomesAnswer(name, await deps.mappingOf(account_id));
      if (answer.outcomes.length === 0) throw new DomainError('not_found', `No such outcome: ${name}.`);
      return answer;
    }),
  });
};

export const handler = build(afdWiring(__dirname));
