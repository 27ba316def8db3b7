import type { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { newUlid } from '../../../../shared/runtime/ids';
import { labelKey } from '../../../../shared/store/keys';
import { labelReader } from '../../../../shared/store/models/label-store';

const MAY_MS = Date.UTC(2026, 4, 3);
const ULIDS = Array.from({ length: 7 }, (_, i) => newUlid(MAY_MS + i * 60_000));
const item = (subject: number, number: number, label: string, source = 'case') => {
  const ulid = ULIDS[subject] as string;
  return { ...labelKey('acc_1', ulid, MAY_MS, number), subject_id: `txn_${ulid}`, label, source };
};
/** Some subjects were labelled more than once, one was sampled and its label withdrawn, one has nothing left. */
const ITEMS = [
  item(0, 1, 'fraud'),
  item(1, 0, 'legitimate', 'sample'),
  item(1, 1, 'fraud'),
  item(1, 2, 'none'),
  item(2, 1, 'fraud'),
  item(2, 2, 'legitimate'),
  item(3, 1, 'fraud'),
  item(3, 2, 'none'),
  item(4, 1, 'legitimate'),
  item(5, 1, 'legitimate'),
  item(5, 2, 'legitimate'),
  item(5, 3, 'fraud'),
  item(6, 1, 'legitimate'),
].sort((a, b) => (a.sk < b.sk ? -1 : 1));
const VALID = ['0 fraud', '1 legitimate', '2 legitimate', '4 legitimate', '5 fraud', '6 legitimate'];

/** Answers queries as DynamoDB does, so many items per page. */
function labelsInPagesOf(size: number) {
  const send = async ({ input }: QueryCommand) => {
    const from = input.ExclusiveStartKey?.sk ?? '';
    const rest = ITEMS.filter(({ pk, sk }) => pk === input.ExpressionAttributeValues?.[':pk'] && sk > from);
    const Items = rest.slice(0, size);
    const last = Items.at(-1);
    return { Items, ...(rest.length > size ? { LastEvaluatedKey: { pk: last?.pk, sk: last?.sk } } : {}) };
  };
  return labelReader({ client: { send } as unknown as DynamoDBDocumentClient, name: 'table' });
}

const shown = ({ subject_id, label }: { subject_id: string; label: string }) =>
  `${ULIDS.indexOf(subject_id.slice(4))} ${label}`;

it.each([1, 2, 3, 5, 100])('the valid label of each subject is found, however pages of %d cut them', async (size) => {
  expect((await labelsInPagesOf(size).storedInMonth('acc_1', '2026-05')).map(shown)).toEqual(VALID);
});

it.each([1, 2, 4])('a walk in pages of %d continues after any subject', async (size) => {
  for (const [at, ulid] of ULIDS.entries()) {
    const labels: string[] = [];
    for await (const page of labelsInPagesOf(size).pagesInMonth('acc_1', '2026-05', ulid)) {
      labels.push(...page.map(shown));
    }
    expect(labels).toEqual(VALID.filter((label) => Number(label.charAt(0)) > at));
  }
});
