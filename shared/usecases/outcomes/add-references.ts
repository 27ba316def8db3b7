import type { Caller } from '../../domain/accounts/account';
import { referenceNames } from '../../domain/entities/pseudonyms';
import { notFound, unavailable } from '../../domain/errors';
import type { IdempotencyRecord } from '../../domain/idempotency';
import { isDecisionOf } from '../../domain/screening/subjects/screening-record';
import { ulidOf } from '../../domain/screening/subjects/subject-id';
import { applyHeldOutcomes } from './apply-held-outcomes';
import type { OutsideOutcomesDeps } from './outside-outcomes-port';
import { MAX_ROUNDS, reachSubject } from './reach-subject';

/** References to add, and the record of the response about those that were, which commits with them. */
export interface AddedReferences {
  readonly references: readonly string[];
  readonly recordOf?: ((added: readonly string[]) => IdempotencyRecord) | undefined;
}

/**
 * Adds references to a screened transaction, and applies the outcomes that waited for them. Those that belong to another
 * user's are left out. Returns the others.
 */
export async function addReferences(
  deps: OutsideOutcomesDeps,
  caller: Caller,
  id: string,
  { references, recordOf }: AddedReferences,
): Promise<readonly string[]> {
  const { account_id: accountId } = caller;
  const ulid = ulidOf(id, 'txn');
  if (!ulid) throw notFound('transaction');
  const pseudonyms = await deps.pseudonyms();
  const namesOf = (some: readonly string[]) => referenceNames(pseudonyms, accountId, some);
  let added = references;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const nowMs = deps.clock.now();
    const subject = await reachSubject(deps, caller, ulid, nowMs);
    if (!subject || (subject !== 'changed' && !isDecisionOf(subject.screening, id))) throw notFound('transaction');
    if (subject === 'changed') continue;
    const names = namesOf(added);
    const taken = await deps.outside.link(accountId, names, subject, { nowMs, answer: recordOf?.(added) });
    if (taken.length > 0) {
      added = added.filter((each) => !namesOf([each]).some((name) => taken.includes(name)));
      continue;
    }
    for (const name of names) await applyHeldOutcomes(deps, accountId, name);
    return added;
  }
  throw unavailable(new Error(`The transaction changed ${MAX_ROUNDS} times while references were being added`));
}
