import { AFD_EVENT_LIFE_MS, type AfdEventNote, type StoredAfdEvent } from '../../domain/afd/afd-event';
import { afdEventKey } from '../keys';
import { claimStore } from '../screening/claim-store';
import type { Table } from '../sdk/client';
import { getItem, updateItem } from '../sdk/table-calls';

/**
 * Events of Amazon Fraud Detector's client. The item is the claim under which the event was screened: it is written in
 * the first trip of the screening, and leads from the event's name to the result for as long as that is kept.
 */
export function afdEventStore(table: Table) {
  return {
    claims: (note: AfdEventNote) =>
      claimStore(table, { key: afdEventKey, entity: 'afd-event', lifeMs: AFD_EVENT_LIFE_MS, note }),

    async nameLabel(accountId: string, scope: string, name: string): Promise<void> {
      await updateItem(table, afdEventKey(accountId, scope), {
        UpdateExpression: 'SET label_name = :name',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':name': name },
      });
    },

    async find(accountId: string, scope: string, nowMs: number): Promise<StoredAfdEvent | undefined> {
      const item = await getItem(table, afdEventKey(accountId, scope));
      if (!item || (item.expires_at_ms as number) <= nowMs) return undefined;
      const { ulid, event_timestamp, entity_type, amount_from, currency_from, label_name } =
        item as unknown as StoredAfdEvent;
      return { ulid, event_timestamp, entity_type, amount_from, currency_from, label_name };
    },
  };
}
