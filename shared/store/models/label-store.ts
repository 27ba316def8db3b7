import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Label } from '../../domain/cases/outcome';
import type { StoredLabel } from '../../domain/models/stored-label';
import { unpackVector } from '../../domain/screening/subjects/feature-vector-codec';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { labelPk } from '../keys';
import { reach, type Table, within } from '../sdk/client';
import { labelItem } from './label-item';

/** An outcome that was recorded, for people and their tools. */
export interface LabelRecord {
  readonly subject_id: string;
  readonly label: Label;
  readonly source: Exclude<StoredLabel['source'], 'sample'>;
  readonly analyst_id: string | null;
  readonly labeled_at: string;
  readonly screened_at: string;
  readonly risk_score: number;
  readonly model_version: string;
  readonly feature_version: number;
  /** Missing features are null. */
  readonly vector: readonly (number | null)[];
}

function toRecord(stored: StoredLabel): LabelRecord[] {
  const { subject_id, label, source, analyst_id, labeled_at, screened_at_ms, vector, ...rest } = stored;
  if (source === 'sample') return [];
  const { risk_score, model_version, feature_version } = rest;
  return [
    {
      subject_id,
      label,
      source,
      analyst_id,
      labeled_at,
      screened_at: new Date(screened_at_ms).toISOString(),
      risk_score,
      model_version,
      feature_version,
      vector: Array.from(unpackVector(vector), (value) => (Number.isNaN(value) ? null : value)),
    },
  ];
}

/** Keeps samples of allowed screenings, presumed legitimate. */
export function sampleWriter(table: Table) {
  return {
    async keep(accountId: string, record: ScreeningRecord, untilMs: number, limitMs: number): Promise<void> {
      const labeled_at = new Date(record.screened_at_ms).toISOString();
      const given = { label: 'legitimate', source: 'sample', analyst_id: null, labeled_at } as const;
      const Item = labelItem(accountId, record, given, { number: 0, endMs: untilMs });
      await within(limitMs, table.client.send(new PutCommand({ TableName: table.name, Item })));
    },
  };
}

type Withdrawn = Omit<StoredLabel, 'label'> & { readonly label: 'none' };

/** A later label replaces an earlier one; one that is withdrawn leaves what nobody said: the sample, or nothing. */
function read(
  item: StoredLabel | Withdrawn,
  latest: Map<string, StoredLabel>,
  samples: Map<string, StoredLabel>,
): void {
  const { subject_id } = item;
  if (item.label !== 'none') {
    if (item.source === 'sample') samples.set(subject_id, item);
    latest.set(subject_id, item);
    return;
  }
  const sample = samples.get(subject_id);
  if (sample) latest.set(subject_id, sample);
  else latest.delete(subject_id);
}

/** Labels by the month their subjects were screened in. */
export function labelReader(table: Table) {
  /** The valid label of every subject of a month: of several, the latest. */
  async function storedInMonth(accountId: string, month: string): Promise<StoredLabel[]> {
    const latest = new Map<string, StoredLabel>();
    const samples = new Map<string, StoredLabel>();
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
      // In the order of their numbers, so that a later one replaces an earlier one.
      for (const item of page.Items ?? []) read(item as unknown as StoredLabel | Withdrawn, latest, samples);
      from = page.LastEvaluatedKey;
    } while (from);
    return [...latest.values()];
  }
  return {
    storedInMonth,

    /** The labels that were given, by people or from outside. */
    ofMonth: async (accountId: string, month: string): Promise<LabelRecord[]> =>
      (await storedInMonth(accountId, month)).flatMap(toRecord),
  };
}
