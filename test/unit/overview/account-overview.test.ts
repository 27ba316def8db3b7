import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { CASE_LIFE_MS } from '../../../shared/domain/cases/review-case';
import { RETENTION_MS } from '../../../shared/domain/screening/subjects/screening-record';
import { overviewAnswer } from '../../../shared/http/presenters/overview-answer';
import { type AccountOverviewDeps, accountOverview } from '../../../shared/usecases/overview/account-overview';
import { openCase } from '../../support/changes';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 2, 20, 10, 30);
const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };

function world() {
  const { overview, cases } = memoryTable();
  const deps: AccountOverviewDeps = { clock: { now: () => NOW }, counts: overview, cases };
  let sequence = 0;
  let mark: string | undefined;
  return {
    ...{ deps, cases, overview },
    async count(agoMs: number, account_id = 'acc_1') {
      const parts = (['hour', 'day'] as const).map((interval) => ({
        ...{ account_id, interval, at_ms: NOW - agoMs },
        counters: new Map([['allow', 1]]),
      }));
      await overview.add('shard', mark, String(++sequence), parts);
      mark = String(sequence);
    },
    see: async (span: { startMs?: number; endMs?: number } = {}, over = deps) =>
      overviewAnswer(await accountOverview(over, caller, span)),
  };
}

it('covers the last week by hours unless it is asked for more', async () => {
  const { see, count } = world();
  for (const agoMs of [0, 2 * DAY, 7 * DAY, 8 * DAY]) await count(agoMs);
  await count(HOUR, 'acc_2');
  expect(await see()).toMatchObject({
    start_date: new Date(NOW - 7 * DAY - 30 * 60_000).toISOString(),
    interval: 'hour',
    screenings: { total: 3 },
  });
  expect(await see({ startMs: NOW - 30 * DAY })).toMatchObject({ interval: 'day', screenings: { total: 4 } });
});

it('looks neither into the future nor further back than anything is kept', async () => {
  const { see } = world();
  const { start_date, end_date } = await see({ startMs: 0, endMs: NOW + 365 * DAY });
  expect(Date.parse(start_date)).toBeGreaterThan(NOW - RETENTION_MS - DAY);
  expect(Date.parse(end_date)).toBeLessThan(NOW + DAY);
});

it('counts the cases of the span by what they are now', async () => {
  const { see, cases } = world();
  cases.put('acc_1', openCase(NOW - HOUR));
  cases.put('acc_1', openCase(NOW - CASE_LIFE_MS));
  cases.put('acc_1', openCase(NOW - HOUR, { status: 'approved' }));
  for (let i = 0; i < 3; i++) cases.put('acc_1', openCase(NOW - 2 * HOUR, { status: 'rejected' }));
  cases.put('acc_1', openCase(NOW - 20 * DAY, { status: 'rejected' }));
  expect(await see()).toMatchObject({
    cases: { opened: 6, open: 1, approved: 1, rejected: 3, expired: 1 },
    review_precision: 0.75,
  });
});

it('is empty, without a single read, for a span that is turned round', async () => {
  const { see, deps } = world();
  const calls: string[] = [];
  const watch = <Port extends object>(port: Port) =>
    interpose(port, (call, apply) => {
      calls.push(call);
      return apply();
    });
  const over = { ...deps, counts: watch(deps.counts), cases: watch(deps.cases) };
  const endMs = Date.UTC(2025, 0, 1);
  expect(await see({ startMs: endMs + HOUR, endMs }, over)).toMatchObject({
    screenings: { total: 0 },
    cases: { opened: 0, open: 0, approved: 0, rejected: 0, expired: 0 },
    review_precision: null,
  });
  expect(calls).toEqual([]);
});

it.each(['counts', 'cases'] as const)('shows no half of it when the %s cannot be read', async (port) => {
  const { see, deps } = world();
  const down = {
    ...deps,
    [port]: interpose(
      deps[port],
      failing(() => 'before'),
    ),
  };
  await expect(see({}, down)).rejects.toMatchObject({ code: 'unavailable' });
});
