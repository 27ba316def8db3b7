import type { Caller } from '../../domain/accounts/account';
import { type AfdMapping, labelOfName, mappingOfType } from '../../domain/afd/afd-mapping';
import {
  type AfdDeclaredType,
  type AfdTypes,
  type AfdVariable,
  attributeTypeOfVariable,
  keptUnder,
  ownAttributeKey,
  ownTypeName,
  unknownName,
  withType,
} from '../../domain/afd/afd-types';
import { planVariables } from '../../domain/afd/plan-variables';
import { attributeTypeOf, eventTypeOf, isBuiltInType } from '../../domain/declarations/declaration';
import { DomainError, type Fault, invalidRequest, unavailable } from '../../domain/errors';
import {
  deleteAttribute,
  deleteDeclared,
  type ManageDeclarationsDeps,
  putAttribute,
  putEventType,
} from '../declarations/manage-declarations';

/** Dependencies of what Amazon's client declares: it is kept as it was given, and declared here. */
export interface ManageAfdTypesDeps {
  readonly afdTypes: {
    find(accountId: string): Promise<{ readonly revision: number; readonly types: AfdTypes }>;
    /** False if somebody else has changed them since that revision. */
    save(accountId: string, types: AfdTypes, since: number): Promise<boolean>;
  };
  readonly declaring: ManageDeclarationsDeps;
}

type Given<Kept> = Omit<Kept, 'createdTime' | 'lastUpdatedTime'>;

/** Infrastructure code declares many things at once: who loses starts again from the winner's. */
const MAX_TRIES = 8;
/** DynamoDB's items end at 400 kB. */
const MAX_BYTES = 350_000;

async function change(
  { afdTypes }: ManageAfdTypesDeps,
  { account_id }: Caller,
  decide: (types: AfdTypes) => AfdTypes | Promise<AfdTypes>,
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { revision, types } = await afdTypes.find(account_id);
    const after = await decide(types);
    if (Buffer.byteLength(JSON.stringify(after)) > MAX_BYTES) {
      throw invalidRequest([{ field: 'name', message: 'all types together are too large; delete some first' }]);
    }
    if (await afdTypes.save(account_id, after, revision)) return;
  }
  throw unavailable(new Error("Many changes of Amazon's types at once"));
}

const stamps = ({ declaring: { clock } }: ManageAfdTypesDeps, before: { readonly createdTime: string } | undefined) => {
  const now = new Date(clock.now()).toISOString();
  return { createdTime: before?.createdTime ?? now, lastUpdatedTime: now };
};

/** An entity type or a label: kept, and known to event types. The mapping says what a label means. */
export const putAfdNamed = (
  deps: ManageAfdTypesDeps,
  caller: Caller,
  kind: 'entity-type' | 'label',
  given: { readonly name: string; readonly description?: string | undefined },
): Promise<void> =>
  change(deps, caller, (types) =>
    withType(types, kind, given.name, { ...given, ...stamps(deps, keptUnder(types, kind, given.name)) }),
  );

async function declareVariable({ declaring }: ManageAfdTypesDeps, caller: Caller, variable: Given<AfdVariable>) {
  const { name, description } = variable;
  const request = { type: attributeTypeOfVariable(variable), entity: 'kept', note: description } as const;
  await putAttribute(declaring, caller, ownAttributeKey(name), request);
}

/** Keeps a variable that is new and declares its attribute. */
export const createAfdVariable = (deps: ManageAfdTypesDeps, caller: Caller, given: Given<AfdVariable>): Promise<void> =>
  change(deps, caller, async (types) => {
    if (keptUnder(types, 'variable', given.name)) {
      throw invalidRequest([{ field: 'name', message: `there is a variable ${given.name} already` }]);
    }
    await declareVariable(deps, caller, given);
    return withType(types, 'variable', given.name, { ...given, ...stamps(deps, undefined) });
  });

/** Changes what is given of a variable. */
export const updateAfdVariable = (
  deps: ManageAfdTypesDeps,
  caller: Caller,
  given: Pick<AfdVariable, 'name' | 'description' | 'variableType'> & { readonly defaultValue?: string | undefined },
): Promise<void> =>
  change(deps, caller, async (types) => {
    const before = keptUnder(types, 'variable', given.name);
    if (!before) throw unknownName('variable', given.name);
    const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const after = { ...before, ...changed, ...stamps(deps, before) };
    await declareVariable(deps, caller, after);
    return withType(types, 'variable', given.name, after);
  });

/** Names that were taken back already do not stand in the way. */
const unlessGone = (error: unknown): void => {
  if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
};

export const deleteAfdVariable = (deps: ManageAfdTypesDeps, caller: Caller, name: string): Promise<void> =>
  change(deps, caller, async (types) => {
    if (!keptUnder(types, 'variable', name)) throw unknownName('variable', name);
    const key = ownAttributeKey(name);
    const user = types['event-type'].find(({ eventVariables }) =>
      eventVariables.some((each) => ownAttributeKey(each) === key),
    );
    if (user) throw new DomainError('in_use', `The event type ${user.name} has the variable ${name}. Change it first.`);
    await deleteAttribute(deps.declaring, caller, key, { keepsEntity: true }).catch(unlessGone);
    return withType(types, 'variable', name);
  });

const isInFile = (name: string, { event_types = {} }: AfdMapping): boolean => Object.hasOwn(event_types, name);

/** Keeps an event type, and declares it unless the mapping or its name says that it is a built-in one. */
export const putAfdEventType = (
  deps: ManageAfdTypesDeps,
  caller: Caller,
  given: Omit<Given<AfdDeclaredType>, 'eventIngestion'> & { readonly eventIngestion?: string | undefined },
  mapping: AfdMapping,
): Promise<void> =>
  change(deps, caller, async (types) => {
    const { name, description, eventVariables, entityTypes, labels = [], eventIngestion = 'ENABLED' } = given;
    const before = keptUnder(types, 'event-type', name);
    const { declarations } = await deps.declaring.rules.book(caller.account_id);
    const faults: Fault[] = [];
    const require = (field: string, names: readonly string[], isKnown: (name: string) => unknown): void => {
      const unknown = names.filter((each) => !isKnown(each));
      if (unknown.length > 0) faults.push({ field, message: `there is no ${unknown.join(', ')}` });
    };
    const isAttribute = (each: string) => attributeTypeOf(declarations, ownAttributeKey(each)) !== undefined;
    const ofFile = Object.values(mapping.event_types ?? {}).flatMap(({ entity_types }) => entity_types ?? []);
    require('eventVariables', eventVariables, (each) => keptUnder(types, 'variable', each) ?? isAttribute(each));
    require('entityTypes', entityTypes, (each) => keptUnder(types, 'entity-type', each) ?? ofFile.includes(each));
    require('labels', labels, (each) => keptUnder(types, 'label', each) ?? labelOfName(each, mapping));
    if (faults.length > 0) throw invalidRequest(faults);
    const own = ownTypeName(name);
    if (!isInFile(name, mapping) && !isBuiltInType(own)) {
      const known = eventTypeOf(declarations, own);
      const plan = planVariables(eventVariables, mappingOfType(name, mapping));
      const taken = plan.some(({ target }) => target === 'amount') ? 'optional' : 'none';
      const amount = known === undefined || known.amount === 'none' ? taken : known.amount;
      await putEventType(deps.declaring, caller, own, { ...known, amount, note: description ?? known?.note });
    }
    return withType(types, 'event-type', name, { ...given, eventIngestion, ...stamps(deps, before) });
  });

/** Takes an event type back, here as well. */
export const deleteAfdEventType = (
  deps: ManageAfdTypesDeps,
  caller: Caller,
  name: string,
  mapping: AfdMapping,
): Promise<void> =>
  change(deps, caller, async (types) => {
    const kept = keptUnder(types, 'event-type', name);
    const own = ownTypeName(name);
    if (isInFile(name, mapping) || isBuiltInType(own)) {
      if (!kept) throw new DomainError('built_in', `${name} is built in or mapped and cannot be deleted.`);
    } else {
      const gone = deleteDeclared(deps.declaring, caller, 'event_types', own);
      await gone.catch((error: unknown) => {
        unlessGone(error);
        if (!kept) throw unknownName('event-type', name);
      });
    }
    return withType(types, 'event-type', name);
  });
