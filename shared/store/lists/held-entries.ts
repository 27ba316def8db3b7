import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EntityRef } from '../../domain/entities/entity-ref';
import type { HeldEntries, ListFlag } from '../../domain/lists/match-lists';
import { listFlag } from '../entities/list-flags';
import { entityKey, listEntriesPk } from '../keys';
import type { EntityItem } from '../sdk/attribute-value';
import { type Table, within } from '../sdk/client';
import { queryAll } from '../sdk/table-calls';

/** The entries of lists of networks and domains, by their names: what they stand for stays sealed. */
export function heldEntryReader(table: Table) {
  return {
    async entriesOf(accountId: string, number: number): Promise<HeldEntries> {
      const untilMs = new Map<string, number | undefined>();
      const scopes = new Set<string>();
      const items = await queryAll(table, {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': listEntriesPk(accountId, number) },
        ProjectionExpression: 'sk, expires_at_ms, #scope',
        ExpressionAttributeNames: { '#scope': 'scope' },
      });
      for (const { sk, expires_at_ms, scope } of items) {
        untilMs.set(sk, expires_at_ms);
        if (scope !== undefined) scopes.add(scope);
      }
      return { untilMs, scopes };
    },
  };
}

/** The flags of entities whose histories a screening does not record, such as attributes that are not tracked. */
export function flagReader({ onceClient, name }: { readonly onceClient: DynamoDBClient; readonly name: string }) {
  return {
    async flags(
      accountId: string,
      refs: readonly EntityRef[],
      limitMs: number,
    ): Promise<ReadonlyMap<string, readonly ListFlag[]>> {
      const Keys = refs.map(({ key }) => {
        const { pk, sk } = entityKey(accountId, key);
        return { pk: { S: pk }, sk: { S: sk } };
      });
      const command = new BatchGetItemCommand({ RequestItems: { [name]: { Keys, ConsistentRead: false } } });
      const { Responses, UnprocessedKeys } = await within(limitMs, onceClient.send(command));
      if (Object.keys(UnprocessedKeys ?? {}).length > 0) throw new Error('DynamoDB had no time for flags of lists');
      const items = (Responses?.[name] ?? []) as unknown as readonly EntityItem[];
      const found = new Map<string, readonly ListFlag[]>();
      for (const [at, { key }] of refs.entries()) {
        const pk = Keys[at]?.pk.S;
        const item = items.find((each) => each.pk !== undefined && 'S' in each.pk && each.pk.S === pk);
        found.set(
          key,
          Object.entries(item ?? {}).flatMap(([attribute, value]) => listFlag(attribute, value) ?? []),
        );
      }
      return found;
    },
  };
}
