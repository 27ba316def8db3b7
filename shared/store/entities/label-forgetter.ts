import { bucketIndex } from '../../domain/entities/kind-spec';
import { entityKey } from '../keys';
import type { Table } from '../sdk/client';
import { isAccepted, updateItem } from '../sdk/table-calls';
import { NAME } from './entity-attributes';
import { streakName } from './item-reading';
import { bucketName, LABEL_LEVELS } from './time-buckets';

export function fraudLabelNames(nowMs: number): string[] {
  const buckets = LABEL_LEVELS.flatMap((level) =>
    Array.from({ length: level.live + 2 }, (_, age) => bucketName(level, bucketIndex(level, nowMs) - age)),
  );
  return [NAME.fraud, NAME.lastLabel, streakName(nowMs), streakName(nowMs, 1), ...buckets];
}

export function labelForgetter(table: Table) {
  return {
    /** Removes the fraud labels of an entity, and marks of what was stopped because of them; false if nothing is known of it. */
    async forget(accountId: string, entity: string, nowMs: number): Promise<boolean> {
      const names = [...new Set([...fraudLabelNames(nowMs), NAME.rejectedMarks, NAME.undecidedMarks])];
      return await isAccepted(
        updateItem(table, entityKey(accountId, entity), {
          UpdateExpression: `REMOVE ${names.map((_, at) => `#${at}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(names.map((name, at) => [`#${at}`, name])),
          ConditionExpression: 'attribute_exists(pk)',
        }),
      );
    },
  };
}
