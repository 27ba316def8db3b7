import fc from 'fast-check';
import {
  DAY_MS,
  generator,
  live,
  newLife,
  ordinaryAttempt,
  START_MS,
  secondUpdate,
} from '../../../bench/support/live-through';
import { counterpartHashes, deviceHash, memberOf } from '../../../shared/domain/entities/counterpart-hashes';
import type { Attempt, EntityKind } from '../../../shared/domain/entities/entity-history';
import { readProfile } from '../../../shared/store/entities/entity-store';
import { OTHER_CURRENCIES, readHistory } from '../../../shared/store/entities/read-history';
import { recordAttemptUpdate } from '../../../shared/store/entities/record-attempt-update';
import {
  bucketName,
  FAILED_LOGIN_LEVELS,
  LABEL_LEVELS,
  staleAgeMs,
  TRANSACTION_LEVELS,
} from '../../../shared/store/entities/time-buckets';
import { trimUpdate } from '../../../shared/store/entities/trim-update';
import { applyUpdate } from '../../../shared/store/memory/apply-update';
import type { EntityItem } from '../../../shared/store/sdk/attribute-value';
import { itemSize } from '../../../shared/store/sdk/attribute-value';

const BASE: Attempt = {
  attempt_id: 'txn_0',
  at_ms: START_MS,
  action: 'transaction',
  outcome: 'succeeded',
  user_id: 'ann',
};

let count = 0;
const attempt = (members: Partial<Attempt>): Attempt => ({ ...BASE, attempt_id: `txn_${++count}`, ...members });

/** The item after attempts that were all allowed. */
const after = (kind: EntityKind, attempts: readonly Attempt[]): EntityItem | undefined =>
  attempts.reduce<EntityItem | undefined>((item, one) => {
    const recorded = applyUpdate(item, recordAttemptUpdate(kind, one)).item;
    const second = secondUpdate(kind, one, readHistory(kind, item, one), 'allow');
    return second ? applyUpdate(recorded, second).item : recorded;
  }, undefined);

test('an entity nobody has seen has an empty history', () => {
  const history = readHistory('user', undefined, attempt({ device: 'd', country: 'DE' }));
  expect(history).toMatchObject({ first_seen_ms: undefined, last_seen_ms: undefined, last_place: undefined });
  expect(history.transactions.windows['30d']).toEqual({ count: 0, amount_usd: 0 });
  expect(history.seen).toEqual({ devices: false, countries: false });
  expect(history.hours).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});

test('times, places, devices and account changes of a user are remembered', () => {
  const item = after('user', [
    attempt({ action: 'signup', country: 'DE', network: 'mobile', device: 'phone' }),
    attempt({ at_ms: START_MS + 4_000, action: 'password_reset', outcome: 'failed', country: 'DE' }),
    attempt({
      at_ms: START_MS + 5_000,
      action: 'login',
      outcome: 'failed',
      country: 'FR',
      network: 'hosting',
      device: 'x',
    }),
  ]);
  const history = readProfile('user', item ?? {}, START_MS + 6_000);
  expect(history.first_seen_ms).toBe(START_MS);
  expect(history.last_seen_ms).toBe(START_MS + 5_000);
  expect(history.last_event_ms).toEqual({ signup: START_MS });
  expect(history.events).toEqual({ total: 3, by_type: { signup: 1, password_reset: 1, login: 1 } });
  expect(history.failed_logins).toEqual({ '10m': 1, '1h': 1, '24h': 1 });
  // What failed, or was no login, signup or payment, does not show where the user is: it may be a thief at work.
  expect(history.last_place).toEqual({ country: 'DE', network: 'mobile', at_ms: START_MS });
  expect(history.countries).toEqual(['DE']);
  expect(history.distinct.devices).toBe(1);
  expect(history.recent_devices).toEqual([{ device: deviceHash('phone'), last_seen_ms: START_MS }]);
  expect(history.hours).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
  expect(item?.ttl).toEqual({ N: String((START_MS + 5_000) / 1000 + 180 * 86_400) });
});

test('mean and spread of amounts are right to 1 %, below one unit too', () => {
  const amounts = [0.02, 0.5, 1, 12.34, 99, 2_500];
  const item = after(
    'user',
    amounts.map((amount) => attempt({ amount, currency: 'EUR', amount_usd: amount })),
  );
  const logs = amounts.map(Math.log);
  const mean = logs.reduce((a, b) => a + b) / logs.length;
  const sd = Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length);
  for (const stats of [
    readHistory('user', item, START_MS).amounts_by_currency.EUR,
    readHistory('user', item, START_MS).amounts_usd,
  ]) {
    expect(stats?.total).toBeCloseTo(
      amounts.reduce((a, b) => a + b),
      6,
    );
    expect(Math.abs((stats?.mean_log ?? 0) - mean)).toBeLessThan(0.03);
    expect(Math.abs((stats?.sd_log ?? 0) - sd)).toBeLessThan(0.03);
  }
});

test('different counterparts are counted exactly while few, and estimated when many', () => {
  const users = (many: number) => Array.from({ length: many }, (_, n) => attempt({ user_id: `user-${n}` }));
  const distinct = (kind: EntityKind, many: number) =>
    readHistory(kind, after(kind, users(many)), START_MS).distinct.users;
  for (const few of [1, 2, 5]) expect(distinct('device', few)).toBe(few);
  expect(Math.abs((distinct('ip', 30) ?? 0) / 30 - 1)).toBeLessThan(0.25);
  expect(Math.abs((distinct('ip', 100) ?? 0) / 100 - 1)).toBeLessThan(0.3);
  expect(distinct('ip', 3_000)).toBeGreaterThan(200);
});

test('a counterpart counts through this epoch and the next, then it is forgotten', () => {
  const item = after('user', [attempt({ device: 'phone', at_ms: START_MS })]);
  const seen = (days: number) =>
    readHistory('user', item, attempt({ device: 'phone', at_ms: START_MS + days * DAY_MS })).seen.devices;
  expect([seen(0), seen(30), seen(61)]).toEqual([true, true, false]);
});

test('hashes spread evenly over the buckets', () => {
  const hits = new Map<string, number>();
  for (let n = 0; n < 64_000; n++) {
    const member = memberOf(counterpartHashes({ ...BASE, user_id: `u${n}` }), 'users', 64) ?? '';
    hits.set(member, (hits.get(member) ?? 0) + 1);
  }
  expect(hits.size).toBe(64);
  for (const many of hits.values()) expect(Math.abs(many - 1_000)).toBeLessThan(160);
});

test('size follows the rules of the developer guide', () => {
  expect(itemSize({ abc: { S: 'Zoë' } })).toBe(3 + 4);
  expect(itemSize({ abc: { S: '😀€' } })).toBe(3 + 4 + 3);
  expect(itemSize({ n: { N: '27' } })).toBe(1 + 2);
  expect(itemSize({ n: { N: '-27' } })).toBe(1 + 3);
  expect(itemSize({ n: { N: '12345' } })).toBe(1 + 4);
  expect(itemSize({ n: { N: '1000000' } })).toBe(1 + 2);
  expect(itemSize({ s: { SS: ['A', 'bc'] } })).toBe(1 + 3 + 3);
});

test('bucket names are unique through an entity’s life, and say when they went stale', () => {
  const names = new Set<string>();
  let made = 0;
  for (const level of [...TRANSACTION_LEVELS.slice(1), ...FAILED_LOGIN_LEVELS.slice(1), ...LABEL_LEVELS]) {
    const first = Math.floor(START_MS / level.bucketMs);
    for (let index = first; index < first + (269 * DAY_MS) / level.bucketMs; index++) {
      names.add(bucketName(level, index));
      made += 1;
    }
  }
  expect(names.size).toBe(made);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 250 * DAY_MS }),
      fc.constantFrom(...TRANSACTION_LEVELS, ...LABEL_LEVELS),
      (agoMs, level) => {
        const atMs = START_MS + 300 * DAY_MS;
        const name = bucketName(level, Math.floor((atMs - agoMs) / level.bucketMs));
        const staleMs = staleAgeMs(name, atMs) ?? Number.NaN;
        const behindMs = agoMs - level.live * level.bucketMs;
        if (behindMs > level.bucketMs) expect(Math.abs(staleMs - agoMs)).toBeLessThanOrEqual(level.bucketMs);
        if (behindMs < -level.bucketMs) expect(staleMs).toBe(0);
      },
    ),
  );
  for (const fixed of ['ttl', 'f', 'n', 'x0', 'tUSD', 'a*', 'u0', 'pk', 'sk'])
    expect(staleAgeMs(fixed, 0)).toBeUndefined();
});

test('years of rare visits leave no name that could be met again', () => {
  const random = generator(6);
  const life = newLife('user');
  let atMs = START_MS;
  for (let number = 0; number < 200; number++) {
    atMs += Math.round(random() * 179 * DAY_MS);
    const visit = { ...ordinaryAttempt(random, number, atMs), action: 'transaction' as const };
    expect(readHistory('user', life.item, visit).transactions.windows['10m'].count).toBe(0);
    live(life, visit);
  }
});

test('rare currencies of a user with many are folded, and a fold that came late is refused', () => {
  const codes = Array.from({ length: 52 }, (_, n) => `A${n < 26 ? 'A' : 'B'}${String.fromCharCode(65 + (n % 26))}`);
  const item = after('user', [
    ...codes.map((currency) => attempt({ amount: 5, currency })),
    ...Array.from({ length: 9 }, () => attempt({ amount: 5, currency: 'EUR' })),
  ]);
  const trim = trimUpdate('user', item ?? {}, START_MS);
  expect(trim).toBeDefined();
  if (trim === undefined) return;
  const trimmed = readHistory('user', applyUpdate(item, trim).item, START_MS).amounts_by_currency;
  expect(trimmed.EUR?.count).toBe(9);
  expect(trimmed[OTHER_CURRENCIES]).toMatchObject({ count: 8, total: 0 });
  expect(Object.values(trimmed).reduce((sum, stats) => sum + stats.count, 0)).toBe(61);
  const moved = codes.reduce((held, currency) => {
    const again = attempt({ amount: 5, currency });
    const earned = secondUpdate('user', again, readHistory('user', held, again), 'allow');
    return earned && applyUpdate(held, earned).item;
  }, item);
  expect(applyUpdate(moved, trim).applied).toBe(false);
});

test('amounts are recovered exactly from packed numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 99_999_999 }), { minLength: 1, maxLength: 40 }), (cents) => {
      const item = after(
        'attribute',
        cents.map((c) => attempt({ amount_usd: c / 100 })),
      );
      const { windows, total } = readHistory('attribute', item, START_MS).transactions;
      const sum = cents.reduce((a, b) => a + b) / 100;
      expect(total).toBe(cents.length);
      for (const window of Object.values(windows)) {
        expect(window.count).toBe(cents.length);
        expect(window.amount_usd).toBeCloseTo(sum, 6);
      }
    }),
    { numRuns: 50 },
  );
});
