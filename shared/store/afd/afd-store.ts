import { AFD_EVENT_LIFE_MS, type AfdEventNote, type StoredAfdEvent } from '../../domain/afd/afd-event';
import type { AfdMapping } from '../../domain/afd/afd-mapping';
import { type AfdTypes, NO_AFD_TYPES } from '../../domain/afd/afd-types';
import { afdEventKey, afdMappingKey, afdTypesKey } from '../keys';
import { claimStore } from '../screening/claim-store';
import type { Table } from '../sdk/client';
import { deleteItem, getItem, isAccepted, putItem, updateItem } from '../sdk/table-calls';

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

export function afdMappingReader(table: Table) {
  return {
    async find(accountId: string): Promise<AfdMapping | undefined> {
      const item = await getItem(table, afdMappingKey(accountId));
      // As JSON: columns may have names that no document path takes.
      return item && (JSON.parse(item.mapping as string) as AfdMapping);
    },
  };
}

export function afdMappingStore(table: Table) {
  return {
    ...afdMappingReader(table),

    async save(accountId: string, mapping: AfdMapping): Promise<void> {
      await putItem(table, { ...afdMappingKey(accountId), entity: 'afd-mapping', mapping: JSON.stringify(mapping) });
    },

    async remove(accountId: string): Promise<void> {
      await deleteItem(table, afdMappingKey(accountId));
    },
  };
}

/** Types that accounts declared through Amazon Fraud Detector's client: one item per account. */
export function afdTypeStore(table: Table) {
  return {
    async find(accountId: string): Promise<{ readonly revision: number; readonly types: AfdTypes }> {
      const item = await getItem(table, afdTypesKey(accountId));
      if (!item) return { revision: 0, types: NO_AFD_TYPES };
      return { revision: item.revision as number, types: JSON.parse(item.types as string) as AfdTypes };
    },

    /** False if somebody else has changed them since that revision. */
    async save(accountId: string, types: AfdTypes, since: number): Promise<boolean> {
      const members = { entity: 'afd-types', revision: since + 1, types: JSON.stringify(types) };
      const item = { ...afdTypesKey(accountId), ...members };
      const put = putItem(table, item, {
        ConditionExpression: 'attribute_not_exists(pk) OR revision = :since',
        ExpressionAttributeValues: { ':since': since },
      });
      return await isAccepted(put);
    },
  };
}
