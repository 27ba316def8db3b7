import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { entityKey } from '../keys';
import { reach, type Table } from '../sdk/client';

/** Erases profiles, and can find nothing else: for the request, which does not wait for the rest. */
export function profileEraser(table: Table) {
  return {
    /** Erases what is known of a user at once. */
    async eraseProfile(accountId: string, user: string): Promise<void> {
      const { pk, sk } = entityKey(accountId, user);
      await reach(() => table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } })));
    },
  };
}
