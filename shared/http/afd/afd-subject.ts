import { AfdFault, afdBody } from '../../domain/afd/afd-body';
import type { AfdEventNote } from '../../domain/afd/afd-event';
import { type AfdMapping, mappingOfType } from '../../domain/afd/afd-mapping';
import { planVariables } from '../../domain/afd/plan-variables';
import type { EventTypeDeclaration } from '../../domain/declarations/declaration';
import { invalidRequest } from '../../domain/errors';
import type { Subject } from '../../domain/screening/subjects/attempt-of';
import type { AfdEventRequest } from '../../schemas/afd';
import { screenedSubject } from '../../schemas/screened-subject';
import { schemaFault } from '../faults';

/**
 * What an event of Amazon's client is here, of a built-in type unless it is given, and what is kept of it besides its screening.
 * @throws DomainError that says what is wrong with the event
 */
export function afdSubject(
  { eventTypeName, eventId, eventTimestamp, entities, eventVariables }: AfdEventRequest,
  account: AfdMapping,
  type?: EventTypeDeclaration,
): { readonly subject: Subject; readonly note: AfdEventNote } {
  const mapped = mappingOfType(eventTypeName, account);
  const mapping = type === undefined ? mapped : { ...mapped, kind: type.name };
  const plan = planVariables(Object.keys(eventVariables), mapping);
  const [entity] = entities;
  const { kind, body } = readable(() =>
    afdBody({ variables: eventVariables, entityId: entity?.entityId, fallbackId: eventId }, plan, mapping),
  );
  const { subject, issues } = screenedSubject(kind, body, kind === type?.name ? type : undefined);
  if (!subject) throw invalidRequest(issues.map((issue) => schemaFault(issue, body, 'eventVariables')));
  const from = (target: string) => plan.find((variable) => variable.target === target)?.name.slice(0, 64);
  const isPayment = kind === 'transaction';
  return {
    subject,
    note: {
      event_timestamp: eventTimestamp,
      entity_type: entity?.entityType ?? '',
      ...(isPayment ? { amount_from: from('amount'), currency_from: from('currency') } : {}),
    },
  };
}

function readable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AfdFault)) throw error;
    throw invalidRequest([{ field: 'eventVariables', message: error.message }]);
  }
}
