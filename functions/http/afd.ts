import type * as z from 'zod/mini';
import type { Caller } from '../../shared/domain/accounts/account';
import {
  currentPolicy,
  eventTypeNames,
  type OwnPolicy,
  ownRules,
  requireDetector,
  requireEventType,
  thresholdRules,
} from '../../shared/domain/afd/afd-catalogue';
import { type AfdMapping, kindOfType, labelOfName } from '../../shared/domain/afd/afd-mapping';
import { type AfdTypeKind, ownTypeName } from '../../shared/domain/afd/afd-types';
import { type Declarations, eventTypeOf, isBuiltInType } from '../../shared/domain/declarations/declaration';
import { DomainError, invalidRequest, STATUS } from '../../shared/domain/errors';
import { withThresholds } from '../../shared/domain/screening/subjects/attempt-of';
import { afdEndpoint, afdOperation } from '../../shared/http/afd/afd-endpoint';
import { afdSubject } from '../../shared/http/afd/afd-subject';
import type { EndpointDeps } from '../../shared/http/endpoint';
import { schemaFault } from '../../shared/http/faults';
import {
  detectorsAnswer,
  eventAnswerOfAfd,
  outcomesAnswer,
  predictionAnswer,
  predictionMetadataAnswer,
  rulesAnswer,
  typesAnswer,
} from '../../shared/http/presenters/afd-answer';
import { afdWiring } from '../../shared/runtime/afd-wiring';
import * as requests from '../../shared/schemas/afd';
import { findAfdEvent } from '../../shared/usecases/afd/find-afd-event';
import { type LabelAfdEventDeps, labelAfdEvent } from '../../shared/usecases/afd/label-afd-event';
import {
  createAfdVariable,
  deleteAfdEventType,
  deleteAfdVariable,
  type ManageAfdTypesDeps,
  putAfdEventType,
  putAfdNamed,
  updateAfdVariable,
} from '../../shared/usecases/afd/manage-afd-types';
import { type PredictAfdEventDeps, predictAfdEvent } from '../../shared/usecases/afd/predict-afd-event';

type Deps = EndpointDeps &
  PredictAfdEventDeps &
  LabelAfdEventDeps &
  ManageAfdTypesDeps & {
    readonly region: string;
    readonly mappingOf: (accountId: string) => Promise<AfdMapping>;
    readonly policyOf: (accountId: string) => Promise<OwnPolicy>;
  };

/** Amazon Fraud Detector's own client: its events, and the types that it declares. */
export const build = (deps: Deps) => {
  /** An event type that the account has declared here, with all its declarations. */
  const declaredType = async ({ account_id }: Caller, name: string) => {
    const own = ownTypeName(name);
    const knownIn = ({ declarations }: { readonly declarations: Declarations }) => {
      const type = eventTypeOf(declarations, own);
      return type && { type, declarations };
    };
    const known = knownIn(await deps.rules.current(account_id));
    return known || isBuiltInType(own) ? known : knownIn(await deps.rules.reread(account_id));
  };
  const screen = async (caller: Caller, request: requests.AfdEventRequest, mapping: AfdMapping) => {
    const { eventTypeName: name } = request;
    const isMapped = mapping.event_types !== undefined && Object.hasOwn(mapping.event_types, name);
    const own = isMapped ? undefined : await declaredType(caller, name);
    if (own === undefined) requireEventType(name, mapping, request.eventVariables);
    const asked = { content: request, ...afdSubject(request, mapping, own) };
    return predictAfdEvent(deps, withThresholds(caller, own?.type), asked);
  };
  /** Lists declared types; for event types, also those the account has otherwise. */
  const listed = (kind: AfdTypeKind) =>
    afdOperation('read', requests.getTypesRequest, async ({ account_id: accountId }, asked) => {
      const mapping = await deps.mappingOf(accountId);
      const { types } = await deps.afdTypes.find(accountId);
      const otherNames: string[] = [];
      if (kind === 'event-type') {
        const { declarations } = await deps.declaring.rules.book(accountId);
        otherNames.push(...eventTypeNames(mapping), ...declarations.event_types.map(({ name }) => name));
        const { name } = asked;
        if (name !== undefined && !mapping.event_types && kindOfType(name, mapping) !== undefined)
          otherNames.push(name);
      }
      return typesAnswer(kind, asked, { accountId, region: deps.region, types, otherNames, mapping });
    });
  const declaring = <Schema extends z.ZodMiniType>(
    schema: Schema,
    run: (caller: Caller, input: z.output<Schema>) => Promise<void>,
  ) =>
    afdOperation('rules', schema, async (caller, input) => {
      await run(caller, input);
      // Events follow declarations within a minute; here at once.
      await deps.rules.reread(caller.account_id);
      return {};
    });
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
  const own = async (accountId: string) => currentPolicy(await deps.policyOf(accountId), deps.clock.now());
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
    GetEventTypes: listed('event-type'),
    GetEntityTypes: listed('entity-type'),
    GetLabels: listed('label'),
    GetVariables: listed('variable'),
    PutEventType: declaring(requests.putEventTypeRequest, async (caller, given) =>
      putAfdEventType(deps, caller, given, await deps.mappingOf(caller.account_id)),
    ),
    DeleteEventType: declaring(requests.namedRequest, async (caller, { name }) =>
      deleteAfdEventType(deps, caller, name, await deps.mappingOf(caller.account_id)),
    ),
    PutEntityType: declaring(requests.putNamedRequest, (caller, given) =>
      putAfdNamed(deps, caller, 'entity-type', given),
    ),
    PutLabel: declaring(requests.putNamedRequest, (caller, given) => putAfdNamed(deps, caller, 'label', given)),
    CreateVariable: declaring(requests.createVariableRequest, (caller, given) =>
      createAfdVariable(deps, caller, given),
    ),
    BatchCreateVariable: afdOperation('rules', requests.batchCreateVariableRequest, async (caller, batch) => {
      const errors: object[] = [];
      for (const entry of batch.variableEntries) {
        try {
          const { data, error } = requests.createVariableRequest.safeParse(entry);
          if (error) throw invalidRequest(error.issues.map((issue) => schemaFault(issue, entry, 'variableEntries')));
          await createAfdVariable(deps, caller, data);
        } catch (error) {
          if (!(error instanceof DomainError) || STATUS[error.code] >= 500) throw error;
          errors.push({ name: entry.name, code: 400, message: error.message });
        }
      }
      return { errors };
    }),
    UpdateVariable: declaring(requests.updateVariableRequest, (caller, given) =>
      updateAfdVariable(deps, caller, given),
    ),
    DeleteVariable: declaring(requests.namedRequest, (caller, { name }) => deleteAfdVariable(deps, caller, name)),
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
