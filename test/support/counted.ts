import { DEFAULT_SETTINGS } from '../../shared/domain/accounts/account';
import { attemptOf, entitiesOf, type Subject } from '../../shared/domain/screening/subjects/attempt-of';
import { newUlid } from '../../shared/runtime/ids';
import type { entityStore } from '../../shared/store/entities/entity-store';
import { screeningDeps } from './screening-deps';

/** How many transactions each entity of a payment has counted, by its name. */
export async function countedOn(accountId: string, subject: Subject): Promise<Readonly<Record<string, number>>> {
  const atMs = Date.now();
  const attempt = attemptOf(subject, { ulid: newUlid(atMs), atMs }, undefined);
  const entities = screeningDeps().entities as ReturnType<typeof entityStore>;
  const counts = entitiesOf(accountId, subject, attempt, DEFAULT_SETTINGS).map(async ({ kind, name, key }) => {
    const profile = await entities.profile(accountId, kind, key, atMs);
    return [name, profile?.transactions.total ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
