import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { EMPTY_TALLY, type ShadowTally } from '../../domain/models/registry-state';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { shadowTallyKey } from '../keys';
import { reach, type Table } from '../sdk/client';

export function shadowTallyStore(table: Table) {
  return {
    async add(version: string, counts: ShadowTally, nowMs: number): Promise<void> {
      const command = new UpdateCommand({
        TableName: table.name,
        Key: shadowTallyKey(version),
        UpdateExpression:
          'ADD screened :screened, silent :silent, champion_stopped :champion, shadow_stopped :shadow SET entity = :entity, #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':screened': counts.screened,
          ':silent': counts.silent,
          ':champion': counts.champion_stopped,
          ':shadow': counts.shadow_stopped,
          ':entity': 'shadow_tally',
          ':ttl': Math.ceil((nowMs + RETENTION_MS) / 1000),
        },
      });
      await reach(() => table.client.send(command));
    },

    async find(version: string): Promise<ShadowTally> {
      const command = new GetCommand({ TableName: table.name, Key: shadowTallyKey(version), ConsistentRead: true });
      const { Item: item } = await reach(() => table.client.send(command));
      if (!item) return EMPTY_TALLY;
      const { screened, silent, champion_stopped, shadow_stopped } = item as unknown as ShadowTally;
      return { screened, silent, champion_stopped, shadow_stopped };
    },
  };
}
