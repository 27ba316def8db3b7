import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { partiesOf, type Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import type { entityStore } from '../../../shared/store/entities/entity-store';
import { admin } from '../api';
import { screeningDeps } from '../stores/screening-deps';

/** How many transactions each entity of a payment has counted, by its name. */
export async function countedOn(accountId: string, subject: Subject): Promise<Readonly<Record<string, number>>> {
  const atMs = Date.now();
  const entities = screeningDeps().entities as ReturnType<typeof entityStore>;
  const names = entityNames(accountId, await admin().identity.pseudonyms());
  const counts = partiesOf(names, subject, undefined, DEFAULT_SETTINGS).refs.map(async ({ kind, name, key }) => {
    const profile = await entities.profile(accountId, kind, key, atMs);
    return [name, profile?.transactions.total ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
