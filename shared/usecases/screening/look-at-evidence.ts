import type { Caller } from '../../domain/accounts/account';
import { isAllowed, roleOrAdmin } from '../../domain/accounts/role';
import type { DeskEntry } from '../../domain/cases/desk-change';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import { anonymousEvidence, openEvidence, type SeenEvidence } from '../../domain/screening/subjects/evidence';
import { entryBy } from '../cases/change-case';
import { getDecision, type ReadScreeningDeps } from './get-decision';

/** Dependencies of looking at what was sent. */
export interface EvidenceDeps extends ReadScreeningDeps {
  readonly newUlid: (nowMs: number) => string;
  readonly pseudonyms: () => Pseudonyms | Promise<Pseudonyms>;
  readonly desk: { note(accountId: string, ulid: string, entry: DeskEntry): Promise<void> };
}

/** Opens what was sent with a decision. Keys that work on cases see all of it, and each such look is on record. */
export async function lookAtEvidence(
  deps: EvidenceDeps,
  caller: Caller,
  id: string,
  analystId: string | undefined,
): Promise<SeenEvidence> {
  const { account_id: accountId } = caller;
  const record = await getDecision(deps, caller, id);
  const evidence = openEvidence({ accountId, pseudonyms: await deps.pseudonyms() }, record);
  if (evidence === undefined) return { evidence, isWithheld: false };
  if (!isAllowed(roleOrAdmin(caller.role), 'cases')) {
    return { evidence: anonymousEvidence(evidence), isWithheld: true };
  }
  const entry = entryBy(deps, caller, analystId, { kind: 'viewed', nowMs: deps.clock.now() });
  await deps.desk.note(accountId, record.ulid, entry);
  return { evidence, isWithheld: false };
}
