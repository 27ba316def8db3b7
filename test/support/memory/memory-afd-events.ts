import { AFD_EVENT_LIFE_MS, type AfdEventNote, type StoredAfdEvent } from '../../../shared/domain/afd/afd-event';
import type { AfdEvents } from '../../../shared/usecases/afd/afd-events-port';
import { type ClaimsPort, memoryClaims } from './memory-claims';

/** Events of Amazon Fraud Detector's client, in memory. */
export function memoryAfdEvents(): AfdEvents {
  const claims = memoryClaims();
  const events = new Map<string, StoredAfdEvent & { readonly expiresAtMs: number }>();
  const claimsWith = (note: AfdEventNote): ClaimsPort => ({
    ...claims,
    async claim(accountId, claim, by) {
      const holder = await claims.claim(accountId, claim, by);
      const key = `${accountId}/${claim.scope}`;
      if (!holder) events.set(key, { ...note, ulid: by.ulid, expiresAtMs: by.nowMs + AFD_EVENT_LIFE_MS });
      return holder;
    },
  });
  return {
    claims: claimsWith,
    async nameLabel(accountId, scope, name) {
      const key = `${accountId}/${scope}`;
      const event = events.get(key);
      if (event) events.set(key, { ...event, label_name: name });
    },
    async find(accountId, scope, nowMs) {
      const event = events.get(`${accountId}/${scope}`);
      return event && event.expiresAtMs > nowMs ? event : undefined;
    },
  };
}
