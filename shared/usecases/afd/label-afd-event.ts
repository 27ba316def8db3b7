import type { Caller } from '../../domain/accounts/account';
import { type AfdEventContent, afdScope } from '../../domain/afd/afd-event';
import { type Label, labelOf } from '../../domain/cases/outcome';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { decisionId } from '../../domain/screening/subjects/subject-id';
import { type RecordOutcomeDeps, reviewDecision } from '../cases/record-outcome';
import type { AfdEvents } from './afd-events-port';
import { type FindAfdEventDeps, findAfdEvent } from './find-afd-event';

/** Dependencies of labelling an event. */
export type LabelAfdEventDeps = FindAfdEventDeps &
  RecordOutcomeDeps & { readonly events: Pick<AfdEvents, 'nameLabel'> };

/** A label, and the name that it was stated by. */
export interface NamedLabel {
  readonly label: Label;
  readonly name: string;
}

/** Who an audit entry names: Amazon's client says no more. */
const ANALYST = 'UpdateEventLabel';

/** Labels an event by its name, as a review of its decision does. The label that it has already changes nothing. */
export async function labelAfdEvent(
  deps: LabelAfdEventDeps,
  caller: Caller,
  name: Pick<AfdEventContent, 'eventId' | 'eventTypeName'>,
  { label, name: stated }: NamedLabel,
): Promise<ScreeningRecord> {
  const { event, record } = await findAfdEvent(deps, caller, name);
  const isNews = !record.review || labelOf(record.review.decision) !== label;
  const decision = label === 'fraud' ? 'block' : 'allow';
  const labelled = isNews
    ? await reviewDecision(deps, caller, decisionId(record.ulid), { decision, analyst_id: ANALYST })
    : record;
  if (event.label_name !== stated) await deps.events.nameLabel(caller.account_id, afdScope(name), stated);
  return labelled;
}
