import type { Caller } from '../../domain/accounts/account';
import type { IdempotencyClaim } from '../../domain/idempotency';
import { transactionSubject } from '../../domain/screening/subjects/attempt-of';
import { isTransaction, type TransactionRecord } from '../../domain/screening/subjects/screening-record';
import { type ScreenedSubject, type ScreenSubjectDeps, screenSubject } from './screen-subject';

type TransactionBody = Parameters<typeof transactionSubject>[0];

/** Screens a transaction as its caller sent it. */
export async function screenTransaction(
  deps: ScreenSubjectDeps,
  caller: Caller,
  body: TransactionBody,
  claim?: IdempotencyClaim,
): Promise<ScreenedSubject & { readonly record: TransactionRecord }> {
  const { record, replayed } = await screenSubject(deps, caller, transactionSubject(body), claim);
  // A claim's scope names the route, so a repeat finds what this route stored.
  if (!isTransaction(record))
    throw new Error(`The claim of a transaction led to ${record.subject_type} ${record.ulid}`);
  return { record, replayed };
}
