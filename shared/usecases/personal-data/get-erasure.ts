import type { Caller } from '../../domain/accounts/account';
import { notFound } from '../../domain/errors';
import type { Erasure } from '../../domain/personal-data/erasure';

/** Dependencies of reading an erasure. */
export interface GetErasureDeps {
  readonly erasures: { find(accountId: string, erasureId: string): Promise<Erasure | undefined> };
}

/** How far an erasure has come. */
export async function getErasure({ erasures }: GetErasureDeps, caller: Caller, id: string): Promise<Erasure> {
  const erasure = await erasures.find(caller.account_id, id);
  if (!erasure) throw notFound('erasure');
  return erasure;
}
