import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { unpackVector } from '../domain/subjects/feature-vector-codec';
import type { Label } from '../domain/subjects/outcome';
import { reach, type Table } from './client';
import { labelPk } from './keys';

/** An outcome ready for training: the vector as it was scored, and nothing that names a person. */
export interface LabelRecord {
  readonly subject_id: string;
  readonly label: Label;
  readonly source: 'decision_review' | 'case';
  readonly analyst_id: string | null;
  readonly labeled_at: string;
  readonly screened_at: string;
  readonly risk_score: number;
  readonly model_version: string;
  readonly feature_version: number;
  /** Missing features are null. */
  readonly vector: readonly (number | null)[];
}

function fromItem(item: Record<string, unknown>): LabelRecord {
  const { subject_id, label, source, analyst_id, labeled_at, risk_score, model_version, feature_version } =
    item as unknown as LabelRecord;
  return {
    subject_id,
    label,
    source,
    analyst_id,
    labeled_at,
    screened_at: new Date(item.screened_at_ms as number).toISOString(),
    risk_score,
    model_version,
    feature_version,
    vector: Array.from(unpackVector(item.vector as Uint8Array), (value) => (Number.isNaN(value) ? null : value)),
  };
}

/** Labels by the month their subjects were screened in. */
export function labelReader(table: Table) {
  return {
    /** The label that holds for every subject of a month: of several, the latest. */
    async ofMonth(accountId: string, month: string): Promise<LabelRecord[]> {
      const latest = new Map<string, LabelRecord>();
      let from: Record<string, unknown> | undefined;
      do {
        const command: QueryCommand = new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': labelPk(accountId, month) },
          ConsistentRead: true,
          ...(from ? { ExclusiveStartKey: from } : {}),
        });
        const page = await reach(() => table.client.send(command));
        // In the order of their numbers, so that a later one replaces an earlier.
        for (const item of page.Items ?? []) latest.set(item.subject_id as string, fromItem(item));
        from = page.LastEvaluatedKey;
      } while (from);
      return [...latest.values()];
    },
  };
}
