import { AfdFault, afdBody, cleaned } from '../../domain/afd/afd-body';
import type { AfdEventNote } from '../../domain/afd/afd-event';
import { type AfdMapping, mappingOfType } from '../../domain/afd/afd-mapping';
import { ATTRIBUTES } from '../../domain/afd/afd-target';
import { ownAttributeKey } from '../../domain/afd/afd-types';
import { MAX_ATTRIBUTES, planVariables } from '../../domain/afd/plan-variables';
import type { Declarations, EventTypeDeclaration } from '../../domain/declarations/declaration';
import { invalidRequest } from '../../domain/errors';
import type { Subject } from '../../domain/screening/subjects/attempt-of';
import type { AfdEventRequest } from '../../schemas/afd';
import { screenedSubject } from '../../schemas/screened-subject';
import { schemaFault } from '../faults';

/**
 * The subject of an event of Amazon's client, of a built-in type unless it is given, and the record kept with its screening.
 * @throws DomainError that says what is wrong with the event
 */
export function afdSubject(
  { eventTypeName, eventId, eventTimestamp, entities, eventVariables }: AfdEventRequest,
  account: AfdMapping,
  own?: { readonly type: EventTypeDeclaration; readonly declarations: Pick<Declarations, 'attributes'> },
): { readonly subject: Subject; readonly note: AfdEventNote } {
  const mapped = mappingOfType(eventTypeName, account);
  const type = own?.type;
  const mapping =
    type === undefined ? mapped : { ...mapped, kind: type.name, columns: { ...NOT_THE_TYPE, ...mapped.columns } };
  const plan = planVariables(Object.keys(eventVariables), mapping);
  const [entity] = entities;
  const facts = { variables: eventVariables, entityId: entity?.entityId, fallbackId: eventId };
  const takesAmount = type !== undefined && type.amount !== 'none';
  const { kind, body: read } = readable(() => afdBody(facts, plan, mapping, takesAmount));
  const body = own ? withDeclared(read, eventVariables, own.declarations) : read;
  const { subject, issues } = screenedSubject(kind, body, kind === type?.name ? type : undefined);
  if (!subject) throw invalidRequest(issues.map((issue) => schemaFault(issue, body, 'eventVariables')));
  const from = (target: string) => plan.find((variable) => variable.target === target)?.name.slice(0, 64);
  const isPaid = body.amount !== undefined;
  return {
    subject,
    note: {
      event_timestamp: eventTimestamp,
      entity_type: entity?.entityType ?? '',
      ...(isPaid ? { amount_from: from('amount'), currency_from: from('currency') } : {}),
    },
  };
}

/** In an event of a declared type, a variable of this name is an ordinary one. */
const NOT_THE_TYPE = { event_type: `${ATTRIBUTES}event_type` };

/** A declared variable is an attribute under its own name, even where it fills a field: rules use that name. */
function withDeclared(
  body: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, string>>,
  { attributes }: Pick<Declarations, 'attributes'>,
): Readonly<Record<string, unknown>> {
  const declared = new Set(attributes.map(({ key }) => key));
  const named = Object.entries(variables).flatMap(([name, value]) => {
    const key = ownAttributeKey(name);
    return declared.has(key) ? [[key, cleaned(value)] as const] : [];
  });
  const all = { ...Object.fromEntries(named), ...(body.custom_attributes as object) };
  return { ...body, custom_attributes: Object.fromEntries(Object.entries(all).slice(0, MAX_ATTRIBUTES)) };
}

function readable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AfdFault)) throw error;
    throw invalidRequest([{ field: 'eventVariables', message: error.message }]);
  }
}
