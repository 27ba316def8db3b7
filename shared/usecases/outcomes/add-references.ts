import type { Caller } from '../../domain/accounts/account';
import { notFound, unavailable } from '../../domain/errors';
import type { IdempotencyRecord } from '../../domain/idempotency';
import { referenceNames } from '../../domain/outcomes/reason-codes';
import { isDecisionOf } from '../../domain/screening/subjects/screening-record';
import { ulidOf } from '../../domain/screening/subjects/subject-id';
import { applyHeldOutcomes } from './apply-held-outcomes';
import type { OutsideOutcomesDeps } from './outside-outcomes-port';
import { MAX_ROUNDS, reachSubject } from './reach-subject';

/** References to add, and the record of the response, which commits with them. */
export interface AddedReferences {
  readonly references: readonly string[];
  readonly record?: IdempotencyRecord | undefined;
}

/** Adds references to a screened transaction, and applies the outcomes that waited for them. */
export async function addReferences(
  deps: OutsideOutcomesDeps,
  caller: Caller,
  id: string,
  { references, record }: AddedReferences,
): Promise<void> {
  const { account_id: accountId } = caller;
  const ulid = ulidOf(id, 'txn');
  if (!ulid) throw notFound('transaction');
  const names = referenceNames(await deps.pseudonyms(), accountId, references);
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const nowMs = deps.clock.now();
    const subject = await reachSubject(deps, caller, ulid, nowMs);
    if (!subject || (subject !== 'changed' && !isDecisionOf(subject.screening, id))) throw notFound('transaction');
    if (subject === 'changed') continue;
    await deps.outside.link(accountId, names, subject, { nowMs, answer: record });
    for (const name of names) await applyHeldOutcomes(deps, accountId, name);
    return;
  }
  throw unavailable(new Error(`The transaction changed ${MAX_ROUNDS} times while references were being added`));
}
