import type { AfdEventNote, StoredAfdEvent } from '../../domain/afd/afd-event';
import type { ScreenSubjectDeps } from '../screening/screen-subject';

/** Events of Amazon Fraud Detector's client, by the hash of their names. */
export interface AfdEvents {
  /** Claims under which a screening is stored together with what is kept of its event. */
  claims(note: AfdEventNote): ScreenSubjectDeps['claims'];
  nameLabel(accountId: string, scope: string, name: string): Promise<void>;
  /** The event of a name, for as long as its screening is kept. */
  find(accountId: string, scope: string, nowMs: number): Promise<StoredAfdEvent | undefined>;
}
