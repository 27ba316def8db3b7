import { TRAINING_RULE } from '../../../shared/domain/models/training-rule';
import { FEATURE_NAMES } from '../../../shared/domain/screening/features';
import { packVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import { SAMPLE_STANDS_FOR } from '../../../shared/domain/screening/subjects/record-members';
import { labelledRows, monthsBack } from '../../../shared/usecases/models/labelled-rows';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';
import { screened } from '../../support/webhooks/changes';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 20);
const vector = packVector(new Float32Array(FEATURE_NAMES.length).fill(1));

function world(accounts: readonly string[]) {
  const { labels } = memoryTable();
  const said = (label: 'fraud' | 'legitimate', atMs: number) => ({
    ...{ label, source: 'case' as const, analyst_id: null, labeled_at: new Date(atMs).toISOString() },
  });
  return {
    labels: { ...labels, accounts: async () => accounts },
    label(account: string, agoMs: number, label: 'fraud' | 'legitimate' = 'fraud') {
      const record = screened(NOW - agoMs, { vector, review_count: 1 });
      labels.put(account, record, said(label, NOW), { number: 1, endMs: NOW + 365 * DAY });
      return record;
    },
    sample: (account: string, agoMs: number) => labels.keep(account, screened(NOW - agoMs, { vector })),
  };
}

it('collects the labels of all accounts in the order of screening, the sample weighed for all it stands for', async () => {
  const { labels, label, sample } = world(['acc_1', 'acc_2']);
  label('acc_1', DAY);
  label('acc_2', 40 * DAY, 'legitimate');
  await sample('acc_2', 3 * DAY);
  label('acc_stranger', DAY);
  const rows = await labelledRows(labels, NOW);
  expect(rows.map(({ screened_at_ms }) => (NOW - screened_at_ms) / DAY)).toEqual([40, 3, 1]);
  expect(rows.map(({ account }) => account)).toEqual([1, 1, 0]);
  expect(rows.map(({ label: found, presumed, weight }) => [found, presumed, weight])).toEqual([
    [0, undefined, undefined],
    [0, true, SAMPLE_STANDS_FOR],
    [1, undefined, undefined],
  ]);
});

it('presumes nothing legitimate within three days: somebody may still object', async () => {
  const { labels, label, sample } = world(['acc_1']);
  label('acc_1', DAY / 24, 'legitimate');
  await sample('acc_1', 3 * DAY - 1);
  expect((await labelledRows(labels, NOW)).map(({ presumed }) => presumed)).toEqual([undefined]);
  expect((await labelledRows(labels, NOW + 1)).map(({ presumed }) => presumed)).toEqual([true, undefined]);
});

it.each([
  ['nothing before its label would have come, where nearly everything is labelled', 0, 0],
  ['the rest legitimate, where most of it never gets a label', 5, 6],
])('presumes %s', async (_, older, presumed) => {
  const { labels, label, sample } = world(['acc_1']);
  for (let i = 0; i < TRAINING_RULE.least_labels; i++) label('acc_1', 7 * DAY, i % 10 === 0 ? 'fraud' : 'legitimate');
  await sample('acc_1', 5 * DAY);
  for (let i = 0; i < older; i++) await sample('acc_1', 20 * DAY);
  const rows = await labelledRows(labels, NOW);
  expect(rows.filter((row) => row.presumed)).toHaveLength(presumed);
  expect(rows).toHaveLength(TRAINING_RULE.least_labels + presumed);
});

it('leaves out what is older than training looks back', async () => {
  const { labels, label } = world(['acc_1']);
  label('acc_1', TRAINING_RULE.window_ms + 1);
  const young = label('acc_1', TRAINING_RULE.window_ms);
  expect((await labelledRows(labels, NOW)).map(({ subject_id }) => subject_id)).toEqual([`txn_${young.ulid}`]);
});

it('reads every account, also where there are more than are read at once', async () => {
  const accounts = Array.from({ length: 40 }, (_, i) => `acc_${i}`);
  const { labels, label } = world(accounts);
  for (const account of accounts) label(account, DAY);
  const rows = await labelledRows(labels, NOW);
  expect(rows.map(({ account }) => account).sort((a, b) => a - b)).toEqual(accounts.map((_, i) => i));
});

it('trains from nothing rather than from a part of it', async () => {
  const { labels, label } = world(['acc_1']);
  label('acc_1', DAY);
  const failed = interpose(
    labels,
    failing((call, nth) => (call === 'storedInMonth' && nth === 2 ? 'before' : undefined)),
  );
  await expect(labelledRows(failed, NOW)).rejects.toMatchObject({ code: 'unavailable' });
});

it('goes back month by month, whatever the day of the month is', () => {
  expect(monthsBack(Date.UTC(2026, 2, 31), Date.UTC(2025, 11, 31))).toEqual([
    '2026-03',
    '2026-02',
    '2026-01',
    '2025-12',
  ]);
  expect(monthsBack(NOW, NOW)).toEqual(['2026-03']);
});
