import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Label } from '../../domain/cases/outcome';
import type { LabelGiven, StoredLabel } from '../../domain/models/stored-label';
import type { LabelledScreening } from '../../domain/outcomes/kept-subject';
import { unpackVector } from '../../domain/screening/subjects/feature-vector-codec';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';
import { subjectId } from '../../domain/screening/subjects/subject-id';
import { labelKey, labelPk, labelsAfter } from '../keys';
import { type Table, within } from '../sdk/client';
import { atOnce } from '../sdk/read-pace';
import { queryPages } from '../sdk/table-calls';

/** A label as it is stored: `none` if it only says that the label before it is withdrawn. */
export type GivenOrNone = Omit<LabelGiven, 'label'> & { readonly label: LabelGiven['label'] | 'none' };

export interface LabelSpan {
  /** The highest holds. A sampled one has the number 0, so anything that is said about it replaces it. */
  readonly number: number;
  readonly endMs: number;
}

/** Training data of a screening. It outlives the screening, so it holds the vector but nothing that names anyone. */
export const labelItem = (
  accountId: string,
  record: LabelledScreening,
  given: GivenOrNone,
  { number, endMs }: LabelSpan,
): Record<string, unknown> => ({
  ...labelKey(accountId, record.ulid, record.screened_at_ms, number),
  entity: 'label',
  account_id: accountId,
  subject_id: subjectId(record.subject_type, record.ulid),
  ...given,
  screened_at_ms: record.screened_at_ms,
  risk_score: record.risk_score,
  model_version: record.model_version,
  feature_version: record.feature_version,
  vector: record.vector,
  ...(record.observed === undefined ? {} : { observed: record.observed }),
  ttl: Math.ceil(endMs / 1000),
});

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

function validLabels(items: ReadonlyArray<StoredLabel | Withdrawn>): StoredLabel[] {
  const latest = new Map<string, StoredLabel>();
  const samples = new Map<string, StoredLabel>();
  // In the order of their numbers, so that a later one replaces an earlier one.
  for (const item of items) read(item, latest, samples);
  return [...latest.values()];
}

/** A label that was just given is found. A reader of all of them, a few times per day, may take any copy, at half the price. */
export function labelReader(table: Table, { ConsistentRead = true, pace = atOnce } = {}) {
  /** The valid labels of a month's subjects, page by page in the order of screening; after a subject, if one is given. */
  async function* pagesInMonth(accountId: string, month: string, after?: string): AsyncGenerator<StoredLabel[]> {
    const pages = queryPages(table, {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': labelPk(accountId, month) },
      ConsistentRead,
      ReturnConsumedCapacity: 'TOTAL',
      ...(after === undefined ? {} : { ExclusiveStartKey: { ...labelsAfter(accountId, month, after) } }),
    });
    let open: Array<StoredLabel | Withdrawn> = [];
    for await (const { Items: found = [], LastEvaluatedKey: next, ConsumedCapacity: consumed } of pages) {
      await pace(consumed?.CapacityUnits ?? 0);
      const items = [...open, ...(found as Array<StoredLabel | Withdrawn>)];
      // The last subject may have further labels on the next page.
      const last = items.at(-1)?.subject_id;
      const cut = next === undefined ? items.length : items.findIndex(({ subject_id }) => subject_id === last);
      open = items.slice(cut);
      yield validLabels(items.slice(0, cut));
    }
  }

  /** The valid label of every subject of a month: of several, the latest. */
  async function storedInMonth(accountId: string, month: string): Promise<StoredLabel[]> {
    const labels: StoredLabel[] = [];
    for await (const page of pagesInMonth(accountId, month)) labels.push(...page);
    return labels;
  }
  return {
    storedInMonth,
    pagesInMonth,

    ofMonth: async (accountId: string, month: string): Promise<LabelRecord[]> =>
      (await storedInMonth(accountId, month)).flatMap(toRecord),
  };
}
