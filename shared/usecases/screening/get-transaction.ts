import type { Caller } from '../../domain/accounts/account';
import { notFound } from '../../domain/errors';
import { isRetained, isTransaction, type TransactionRecord } from '../../domain/screening/subjects/screening-record';
import { ulidOf } from '../../domain/screening/subjects/subject-id';
import type { ReadScreeningDeps } from './get-decision';

/** The screening of a transaction, for as long as results are kept. */
export async function getTransaction(deps: ReadScreeningDeps, caller: Caller, id: string): Promise<TransactionRecord> {
  const ulid = ulidOf(id, 'txn');
  const record = ulid ? await deps.screenings.find(caller.account_id, ulid) : undefined;
  if (!record || !isTransaction(record) || !isRetained(record, deps.clock.now())) throw notFound('transaction');
  return record;
}
