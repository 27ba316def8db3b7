import type { Caller } from '../../domain/accounts/account';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import { keptUntilMs } from '../../domain/outcomes/kept-subject';
import { referenceNames } from '../../domain/outcomes/outcome-names';
import type { Subject } from '../../domain/screening/subjects/attempt-of';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';

/** References are kept by their pseudonyms, and with them what labels from outside will need. */
export function screeningReferences(
  { account_id, settings }: Caller,
  { references = [] }: Subject,
  { pseudonyms, atMs }: { readonly pseudonyms: Pseudonyms; readonly atMs: number },
): Pick<ScreeningRecord, 'references' | 'kept_until_ms'> {
  if (references.length === 0) return {};
  return {
    references: referenceNames(pseudonyms, account_id, references),
    kept_until_ms: keptUntilMs(settings, { screened_at_ms: atMs }),
  };
}
