import type { Caller } from '../../shared/domain/accounts/account';
import type { Fault } from '../../shared/domain/errors';
import { Created } from '../../shared/http/answer';
import { type EndpointDeps, endpoint, serveFamily } from '../../shared/http/endpoint';
import {
  attributeAnswer,
  attributeListAnswer,
  counterAnswer,
  counterListAnswer,
  eventTypeAnswer,
  eventTypeListAnswer,
} from '../../shared/http/presenters/declaration-answer';
import * as routes from '../../shared/routes/declarations';
import { functionBasics } from '../../shared/runtime/function-basics';
import { keyReader } from '../../shared/store/accounts/account-store';
import { ruleStore } from '../../shared/store/rules/rule-store';
import {
  type CounterRequest,
  counterFaults,
  deleteAttribute,
  deleteDeclared,
  getCounter,
  listAttributes,
  listDeclared,
  type ManageDeclarationsDeps,
  putAttribute,
  putCounter,
  putEventType,
} from '../../shared/usecases/declarations/manage-declarations';

type Deps = EndpointDeps & ManageDeclarationsDeps;

function thresholdFaults(body: unknown): Fault[] {
  const { review_threshold: review, block_threshold: block } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof review !== 'number' || typeof block !== 'number' || review <= block) return [];
  return [{ field: 'review_threshold', message: 'must not be above block_threshold' }];
}

const isNames = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Faults of a counter that a schema cannot detect, as far as the body can be parsed. */
async function bodyFaultsOf(deps: Deps, body: unknown, { account_id }: Caller): Promise<Fault[]> {
  const sent = (body ?? {}) as Readonly<Record<keyof CounterRequest, unknown>>;
  const { of, by, value, where, count } = sent;
  const { declarations } = await deps.rules.book(account_id);
  const readable = {
    of: isNames(of) ? (of as string[]) : [],
    by: isNames(by) ? (by as string[]) : [],
    value: typeof value === 'string' ? value : undefined,
    where: typeof where === 'string' ? where : undefined,
    count: count as CounterRequest['count'],
  };
  return counterFaults(readable, declarations);
}

export const build = (deps: Deps) =>
  serveFamily([
    endpoint(routes.listAttributesRoute, deps, async ({ caller }) =>
      attributeListAnswer(await listAttributes(deps, caller)),
    ),
    endpoint(routes.putAttributeRoute, deps, async ({ caller, params: { key }, body }) => {
      const { declared, isNew, untracked } = await putAttribute(deps, caller, key, body);
      const answer = attributeAnswer(
        declared,
        untracked ? [`The values of ${key} were entities and no longer are; entity: true keeps them so.`] : [],
      );
      return isNew ? new Created(answer) : answer;
    }),
    endpoint(routes.deleteAttributeRoute, deps, async ({ caller, params }) => {
      await deleteAttribute(deps, caller, params.key);
      return undefined;
    }),
    endpoint(routes.listEventTypesRoute, deps, async ({ caller }) =>
      eventTypeListAnswer(await listDeclared(deps, caller, 'event_types')),
    ),
    endpoint(
      routes.putEventTypeRoute,
      deps,
      async ({ caller, params, body }) => {
        const { declared, isNew } = await putEventType(deps, caller, params.name, body);
        return isNew ? new Created(eventTypeAnswer(declared)) : eventTypeAnswer(declared);
      },
      { bodyFaults: thresholdFaults },
    ),
    endpoint(routes.deleteEventTypeRoute, deps, async ({ caller, params }) => {
      await deleteDeclared(deps, caller, 'event_types', params.name);
      return undefined;
    }),
    endpoint(routes.listCountersRoute, deps, async ({ caller }) =>
      counterListAnswer(await listDeclared(deps, caller, 'counters')),
    ),
    endpoint(routes.getCounterRoute, deps, async ({ caller, params }) =>
      counterAnswer(await getCounter(deps, caller, params.name)),
    ),
    endpoint(
      routes.putCounterRoute,
      deps,
      async ({ caller, params, body }) => {
        const { declared, isNew } = await putCounter(deps, caller, params.name, body);
        return isNew ? new Created(counterAnswer(declared)) : counterAnswer(declared);
      },
      { bodyFaults: (body, caller) => bodyFaultsOf(deps, body, caller) },
    ),
    endpoint(routes.deleteCounterRoute, deps, async ({ caller, params }) => {
      await deleteDeclared(deps, caller, 'counters', params.name);
      return undefined;
    }),
  ]);

const { table, ...basics } = functionBasics('declarations');

export const handler = build({
  ...basics,
  rules: ruleStore(table),
  accounts: keyReader(table),
});
