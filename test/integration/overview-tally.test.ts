import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { addCounters, type Counters } from '../../shared/domain/overview/overview-counters';
import { overviewSpan } from '../../shared/domain/overview/overview-span';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { overviewReader, overviewTallies } from '../../shared/store/overview/overview-store';
import { readTally } from '../../shared/store/overview/tally-record';
import { screeningItem } from '../../shared/store/screening/screening-store';
import type { ChangeRecord } from '../../shared/store/sdk/change-record';
import type { Table } from '../../shared/store/sdk/client';
import { tallyChanges } from '../../shared/usecases/overview/tally-changes';
import { screened } from '../support/changes';
import { emptyTable } from '../support/empty-table';

const NOW = Date.parse('2026-11-14T12:00:00Z');
const HOUR = 3_600_000;

const image = (item: object) => marshall(item, { removeUndefinedValues: true, allowImpreciseNumbers: true });
const inserted = (account: string, change: Partial<ScreeningRecord> = {}): ChangeRecord => ({
  eventName: 'INSERT',
  dynamodb: { NewImage: image(screeningItem(account, screened(NOW, change))) },
});
/** A record that the filter lets through and that holds something else than it should. */
const spoilt = (members: object): ChangeRecord => ({
  eventName: 'INSERT',
  dynamodb: { NewImage: image({ ...screeningItem('acc_a', screened(NOW)), ...members, entity: 'screening' }) },
});
const numbered = (records: readonly ChangeRecord[], from = 1) =>
  records.map((raw, i) => ({ sequence: String(from + i), raw }));

let table: Table;
beforeEach(async () => {
  table = await emptyTable();
});

function tally(records: ReturnType<typeof numbered>, shardId = 'shard-1') {
  const clock = { now: () => NOW };
  const deps = { clock, read: readTally, tallies: overviewTallies(table, clock), report: () => undefined };
  return tallyChanges(deps, shardId, records);
}

async function sumOf(account: string): Promise<Counters> {
  const parts = await overviewReader(table).read(account, overviewSpan(NOW - HOUR, NOW + HOUR, NOW));
  return addCounters(...parts.values());
}

it('counts a batch that comes twice, in other pieces and by two calls at once, one time each', async () => {
  const records = numbered([
    ...Array.from({ length: 130 }, (_, i) => inserted(`acc_${i % 60}`)),
    inserted('acc_a', {
      automated_decision: 'review',
      risk_score: 61,
      contributions: [{ signal: 'new_device', points: 56, detail: '' }],
    }),
  ]);
  const first = await Promise.all([tally(records), tally(records)]);
  // A call that lost the race too often hands the rest back, as Lambda would hand it over again.
  for (const { failed } of first) if (failed) await tally(records.slice(Number(failed) - 1));
  expect(await tally(records)).toMatchObject({ counted: 0, repeated: 131 });
  expect(await tally(records.slice(40, 90))).toMatchObject({ counted: 0, repeated: 50 });
  expect((await sumOf('acc_3')).get('allow')).toBe(3);
  expect((await sumOf('acc_59')).get('allow')).toBe(2);
  expect(Object.fromEntries(await sumOf('acc_a'))).toEqual({
    review: 1,
    transaction: 1,
    's12:review': 1,
    'n:new_device': 1,
    // 25 euros that are held, in cents of a dollar.
    'u:review': 2913,
  });
});

it('takes the same number of another shard for another record', async () => {
  await tally(numbered([inserted('acc_a')]), 'shard-1');
  await tally(numbered([inserted('acc_a')]), 'shard-2');
  expect((await sumOf('acc_a')).get('allow')).toBe(2);
});

it('leaves out what the table refuses, and counts what comes before and after it', async () => {
  // A name beyond the 64 kB that DynamoDB allows: readable, but never to be written.
  const endless = [{ signal: 'x'.repeat(66_000), points: 1, detail: '' }];
  const records = numbered([
    inserted('acc_a'),
    inserted('acc_a', { contributions: endless }),
    inserted('acc_b'),
    inserted('acc_a'),
  ]);
  expect(await tally(records)).toEqual({ counted: 3, repeated: 0, skipped: 1, failed: undefined });
  expect([(await sumOf('acc_a')).get('allow'), (await sumOf('acc_b')).get('allow')]).toEqual([2, 1]);
});

it('is held up by no record, whatever is in it', async () => {
  const anything = fc.oneof(
    fc.constantFrom(undefined, null, '', 'x', -1, 1e300, true, [], {}, [null], [{}], [{ signal: 7, points: 1 }]),
    fc.jsonValue(),
  );
  const members = fc.record(
    {
      account_id: anything,
      screened_at_ms: anything,
      automated_decision: anything,
      subject_type: anything,
      risk_score: anything,
      contributions: anything,
      review: anything,
    },
    { requiredKeys: [] },
  );
  let at = 1;
  await fc.assert(
    fc.asyncProperty(members, async (change) => {
      const records = numbered([inserted('acc_before'), spoilt(change), inserted('acc_after')], at);
      at += records.length;
      const { counted, skipped, failed } = await tally(records);
      expect([counted + skipped, failed]).toEqual([3, undefined]);
    }),
    { numRuns: 60 },
  );
  const runs = (at - 1) / 3;
  expect([(await sumOf('acc_before')).get('allow'), (await sumOf('acc_after')).get('allow')]).toEqual([runs, runs]);
});
