import { join } from 'node:path';
import type { Attempt } from '../../../shared/domain/entities/entity-history';
import { readProfile } from '../../../shared/store/entities/entity-store';
import { readHistory } from '../../../shared/store/entities/read-history';
import { recordAttemptUpdate } from '../../../shared/store/entities/record-attempt-update';
import { applyUpdate } from '../../../shared/store/memory/apply-update';
import type { EntityItem } from '../../../shared/store/sdk/attribute-value';
import { inAThread } from '../../support/machine/in-a-thread';
import { patient } from '../../support/patience';
import { DAY_MS, generator, KINDS } from '../../support/screening/live-through';
import { sized } from '../../support/sized';
import { busyDays, type Recount, WINDOWS } from './busy-days';
import type { Lived } from './hostile-lives';

describe('windows', () => {
  jest.setTimeout(patient(60_000));

  // The errors of one life are hardly wider than those of six, and every window but the longest is full after two days.
  const LIVES = sized(6, 2);
  const DAYS = sized(7, 2);

  test('windowed counts and amounts of a simulated week are within 1 % of a recount', async () => {
    const { errors, amountError } = await inAThread<Recount>(join(__dirname, 'busy-days.ts'), 'recountedWeek', LIVES);
    const told = WINDOWS.map((window, at) => `${window} ${(100 * (errors[at] ?? 1)).toFixed(2)} %`);
    process.stdout.write(`relative error of windowed counts: ${told.join(', ')}\n`);
    for (const error of errors) expect(Math.abs(error)).toBeLessThanOrEqual(0.01);
    expect(Math.abs(amountError)).toBeLessThanOrEqual(0.01);
  });

  test.each(KINDS)('the order of arrival does not matter: %s', (kind) => {
    const attempts = busyDays(3, DAYS);
    const random = generator(8);
    // The first stays first: first_seen is that of the first arrival.
    const shuffled = attempts
      .map((attempt) => ({ attempt, rank: attempt === attempts[0] ? -1 : random() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ attempt }) => attempt);
    const endMs = (attempts.at(-1)?.at_ms ?? 0) + 1;
    const after = (order: readonly Attempt[]) =>
      readProfile(
        kind,
        order.reduce<EntityItem>(
          (item, attempt) => applyUpdate(item, recordAttemptUpdate(kind, attempt)).item ?? item,
          {},
        ),
        endMs,
      );
    const { transactions, distinct, amounts_by_currency, hours, countries } = after(attempts);
    expect(transactions.total).toBe(attempts.length);
    expect(after(shuffled)).toMatchObject({ distinct, amounts_by_currency, hours, countries });
    for (const window of WINDOWS) {
      expect(after(shuffled).transactions.windows[window].count).toBeCloseTo(transactions.windows[window].count, 6);
    }
  });

  test('an attempt leaves its window gradually, over one bucket', () => {
    const attempt = busyDays(1, 1)[0] as Attempt;
    const earlier = { ...attempt, attempt_id: 'txn_earlier', at_ms: attempt.at_ms - DAY_MS };
    const born = applyUpdate(undefined, recordAttemptUpdate('ip', earlier)).item;
    const item = applyUpdate(born, recordAttemptUpdate('ip', attempt)).item;
    const countAfter = (ms: number): number =>
      readHistory('ip', item, attempt.at_ms + ms).transactions.windows['10m'].count;
    expect(countAfter(0)).toBe(1);
    expect(countAfter(7 * 60_000)).toBe(1);
    expect(countAfter(10 * 60_000)).toBeGreaterThan(0);
    expect(countAfter(10 * 60_000)).toBeLessThan(1);
    expect(countAfter(12 * 60_000)).toBe(0);
  });
});

describe('entity size', () => {
  jest.setTimeout(patient(150_000));

  const LIVES = join(__dirname, 'hostile-lives.ts');

  // An item is largest after a few thousand attempts, when every part of it is full; all of them by `npm run test:soak`.
  const ATTEMPTS = sized(100_000, 2_500);

  test.each(KINDS)(`an item stays within 1,000 bytes through ${ATTEMPTS} hostile attempts: %s`, async (kind) => {
    const { largestBytes, lastBytes, trims } = await inAThread<Lived>(LIVES, 'hostileLife', kind, ATTEMPTS);
    process.stdout.write(`${kind}: largest ${largestBytes} bytes, last ${lastBytes}, trims ${trims}\n`);
    expect(trims).toBeGreaterThan(0);
    expect(largestBytes).toBeLessThanOrEqual(1_000);
  });

  test.each(KINDS)(
    'nor do labels push it above that when they keep coming after the last attempt: %s',
    async (kind) => {
      const largest = await inAThread<number>(LIVES, 'largestWithLateLabels', kind, sized(24, 4));
      process.stdout.write(`${kind}: largest ${largest} bytes with labels after the last attempt\n`);
      expect(largest).toBeGreaterThan(0);
      expect(largest).toBeLessThanOrEqual(1_000);
    },
  );
});
