import type { Caller } from '../../domain/accounts/account';
import { type AfdEventContent, type AfdEventNote, afdClaim } from '../../domain/afd/afd-event';
import type { Subject } from '../../domain/screening/subjects/attempt-of';
import { type ScreenedSubject, type ScreenSubjectDeps, screenSubject } from '../screening/screen-subject';
import type { AfdEvents } from './afd-events-port';

/** Dependencies of a prediction. */
export interface PredictAfdEventDeps extends ScreenSubjectDeps {
  readonly events: Pick<AfdEvents, 'claims'>;
}

/** An AFD event and its subject. */
export interface AfdEventToScreen {
  readonly content: AfdEventContent;
  readonly note: AfdEventNote;
  readonly subject: Subject;
}

/**
 * Screens an event once: its name is the claim. The same event again has the same prediction; other content under the
 * same name is refused.
 */
export const predictAfdEvent = (
  deps: PredictAfdEventDeps,
  caller: Caller,
  { content, note, subject }: AfdEventToScreen,
): Promise<ScreenedSubject> =>
  screenSubject({ ...deps, claims: deps.events.claims(note) }, caller, subject, afdClaim(content));
