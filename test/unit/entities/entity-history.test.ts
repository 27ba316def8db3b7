import fc from 'fast-check';
import { counterpartHashes, deviceHash, memberOf } from '../../../shared/domain/entities/counterpart-hashes';
import { earningOf, isFamiliarDevice, isOnProbation } from '../../../shared/domain/entities/earning';
import {
  type Attempt,
  type EntityKind,
  type KnownLabel,
  LABEL_WINDOWS,
  type LabelCount,
  type LabelWindow,
} from '../../../shared/domain/entities/entity-history';
import { extractFeatures, type FeatureName, featureSlot } from '../../../shared/domain/screening/features';
import type { ScreeningFacts } from '../../../shared/domain/screening/screening-facts';
import { earnUpdate } from '../../../shared/store/entities/earn-update';
import { readProfile } from '../../../shared/store/entities/entity-store';
import { OTHER_CURRENCIES, readHistory } from '../../../shared/store/entities/read-history';
import { recordAttemptUpdate } from '../../../shared/store/entities/record-attempt-update';
import {
  bucketName,
  FAILED_LOGIN_LEVELS,
  LABEL_LEVELS,
  LABEL_WINDOW_LEVELS,
  staleAgeMs,
  TRANSACTION_LEVELS,
} from '../../../shared/store/entities/time-buckets';
import { trimUpdate } from '../../../shared/store/entities/trim-update';
import { applyUpdate } from '../../../shared/store/memory/apply-update';
import { type EntityItem, itemSize, type LiveItem } from '../../../shared/store/sdk/attribute-value';
import before from '../../fixtures/entity-items-before-earning.json';
import {
  DAY_MS,
  generator,
  learn,
  live,
  newLife,
  ordinaryAttempt,
  START_MS,
  secondUpdate,
} from '../../support/screening/live-through';

describe('entity history', () => {
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

  test('a spree that was allowed does not make itself usual', () => {
    const paid = (at_ms: number, amount: number) => attempt({ at_ms, amount, amount_usd: amount, currency: 'USD' });
    const usual = Array.from({ length: 40 }, (_, day) => paid(START_MS + day * DAY_MS, day % 2 === 0 ? 20 : 45));
    const thenMs = START_MS + 41 * DAY_MS;
    const spree = [986, 754, 813, 22].map((amount, i) => paid(thenMs + i * 7_200_000, amount));
    const next = paid(thenMs + 8 * 3_600_000, 800);
    const read = (attempts: readonly Attempt[]) => {
      const user = readHistory('user', after('user', attempts), next);
      const vector = extractFeatures({ attempt: next, user, attributes: [] } as unknown as ScreeningFacts);
      const value = (name: FeatureName) => vector[featureSlot(name)] as number;
      return {
        naive: value('user_amount_ratio'),
        habit: value('user_habit_amount_ratio'),
        largest: Math.exp(value('user_largest_24h_ln')),
        day: value('user_day_spending_ratio'),
        week: value('user_week_spending_ratio'),
      };
    };
    const [before, during] = [read(usual), read([...usual, ...spree])];
    expect(before.habit).toBeCloseTo(before.naive, 1);
    expect(during.naive).toBeLessThan(before.naive - 0.2);
    expect(during.habit).toBeGreaterThan(before.habit - 0.02);
    expect(before.largest).toBeNaN();
    // The mean of those that fell into the same fifth of a day.
    expect(during.largest).toBeGreaterThan(750);
    expect(during.largest).toBeLessThan(987);
    expect(during.day).toBeGreaterThan(before.day + 1);
    expect(during.week).toBeGreaterThan(before.week + 1);
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
    // An attempt that failed, or was no login, signup or payment, does not show where the user is: it may be a thief at work.
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
});

describe('stored histories', () => {
  /*
   * Items as they were stored before familiarity was earned: twelve purchases of one user, every three days. They are read
   * as they are, and everything they hold counts as earned: sets until they leave their 30 to 60 days, the rest for the
   * life of the item.
   */
  const items = before.items as unknown as Readonly<Record<EntityKind, EntityItem>>;

  const next = (change: Partial<Attempt> = {}): Attempt => ({
    attempt_id: 'txn_next',
    at_ms: before.ended_at_ms,
    action: 'transaction',
    outcome: 'succeeded',
    amount: 30,
    currency: 'EUR',
    amount_usd: 35,
    user_id: 'victim',
    device: 'laptop',
    ip: '91.0.0.1',
    country: 'DE',
    network: 'other',
    card: 'card-1',
    ...change,
  });

  test.each<EntityKind>(['user', 'device', 'ip', 'attribute'])(
    'an old item of a %s is trusted since it was seen',
    (kind) => {
      const history = readHistory(kind, items[kind], next());
      expect(history).toMatchObject({
        first_seen_ms: before.began_at_ms,
        trusted_since_ms: before.began_at_ms,
        transactions: { total: 12, established: kind === 'user' ? 11 : 12, stopped: kind === 'user' ? 1 : 0 },
      });
    },
  );

  test('what an old user is familiar with stays so, and what is new to them is new', () => {
    const own = readHistory('user', items.user, next());
    expect(own.seen).toMatchObject({ devices: true, ips: true, countries: true, cards: true });
    expect(own).toMatchObject({ earned: { devices: 1, cards: 1 }, distinct: { devices: 1, cards: 1 } });
    expect(own.last_place).toMatchObject({ country: 'DE' });
    expect(own.amounts_by_currency.EUR?.count).toBe(12);
    expect(own.hours.reduce((sum, count) => sum + count)).toBe(12);
    expect(isFamiliarDevice(own, before.ended_at_ms)).toBe(true);
    const thief = next({ device: 'thief', ip: '41.58.0.1', country: 'NG', card: 'other' });
    const theirs = readHistory('user', items.user, thief);
    expect(theirs.seen).toMatchObject({ devices: false, countries: false, cards: false });
    expect(isOnProbation(thief, theirs)).toBe(true);
  });

  test('new attempts write the new form beside the old, and the item goes on as one history', () => {
    const [stopped, allowed] = [
      next({ device: 'thief' }),
      next({ attempt_id: 'txn_2', at_ms: before.ended_at_ms + 1_000 }),
    ];
    let item: EntityItem | undefined = applyUpdate(items.user, recordAttemptUpdate('user', stopped)).item;
    expect(readHistory('user', item, allowed)).toMatchObject({
      first_seen_ms: before.began_at_ms,
      transactions: { total: 13 },
      distinct: { devices: 2 },
      earned: { devices: 1 },
    });
    const earning = earningOf(allowed, readHistory('user', item, allowed), undefined, []);
    const earned = earning && earnUpdate({ attempt: allowed, earning });
    item = applyUpdate(item, recordAttemptUpdate('user', allowed)).item;
    item = earned && applyUpdate(item, earned).item;
    // Carried on into the next epochs, the device stays as old as it was.
    for (let day = 20; day <= 100; day += 20) {
      const later = next({ attempt_id: `txn_${day}`, at_ms: before.ended_at_ms + day * DAY_MS });
      const history = readHistory('user', item, later);
      expect(isFamiliarDevice(history, later.at_ms)).toBe(true);
      expect(history.trusted_since_ms).toBe(before.began_at_ms);
      const more = earningOf(later, history, undefined, []);
      const trim = item && trimUpdate('user', item, later);
      item = applyUpdate(item, recordAttemptUpdate('user', later)).item;
      const params = more && earnUpdate({ attempt: later, earning: more });
      item = params && applyUpdate(item, params).item;
      if (trim) item = applyUpdate(item, trim).item;
    }
  });
});

describe('label windows', () => {
  const SPAN_MS: Readonly<Record<LabelWindow, number>> = { '1d': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS };

  /** An entity that was first seen long before the labels. */
  const known = () => {
    const life = newLife('user');
    live(life, ordinaryAttempt(generator(1), 0, START_MS - 200 * DAY_MS));
    return life;
  };

  const recent = (item: LiveItem, atMs: number) => readHistory('user', item, atMs).recent_labels;

  const counted = (labels: readonly KnownLabel[], from: number, to: number): LabelCount => {
    const inside = labels.filter(({ known_at_ms }) => known_at_ms > from && known_at_ms <= to);
    return { fraud: inside.filter(({ label }) => label === 'fraud').length, labelled: inside.length };
  };

  /** A label of a subject, and perhaps a second review of it. */
  const labelled = fc.record({
    first: fc.constantFrom('fraud' as const, 'legitimate' as const),
    at: fc.integer({ min: 0, max: 60 * DAY_MS }),
    second: fc.option(
      fc.record({
        label: fc.constantFrom('fraud' as const, 'legitimate' as const),
        later: fc.oneof(fc.integer({ min: 0, max: 2 * DAY_MS }), fc.integer({ min: 0, max: 89 * DAY_MS })),
      }),
      { nil: undefined },
    ),
  });

  test('a window holds the labels that became known in it, give or take its oldest bucket; a relabel moves its label', () => {
    fc.assert(
      fc.property(fc.array(labelled, { maxLength: 40 }), (subjects) => {
        const reviews = subjects.flatMap(({ first, at, second }) => {
          const label: KnownLabel = { label: first, known_at_ms: START_MS + at };
          const again = second && { label: second.label, known_at_ms: label.known_at_ms + second.later };
          return again ? [[label], [again, label]] : [[label]];
        });
        reviews.sort(([a], [b]) => (a?.known_at_ms ?? 0) - (b?.known_at_ms ?? 0));
        const life = known();
        const holding = new Set<KnownLabel>();
        for (const [label, replaced] of reviews) {
          if (label === undefined) continue;
          // Every review finds the windows as a recount of the labels that hold then.
          const nowMs = label.known_at_ms;
          const windows = recent(life.item, nowMs);
          for (const [window, { bucketMs }] of LABEL_WINDOW_LEVELS) {
            const surely = counted([...holding], nowMs - SPAN_MS[window] + bucketMs, nowMs);
            const atMost = counted([...holding], nowMs - SPAN_MS[window] - bucketMs, nowMs);
            for (const count of ['fraud', 'labelled'] as const) {
              expect(windows[window][count]).toBeGreaterThanOrEqual(surely[count] - 1e-9);
              expect(windows[window][count]).toBeLessThanOrEqual(atMost[count] + 1e-9);
            }
          }
          learn(life, label, replaced);
          holding.add(label);
          if (replaced) holding.delete(replaced);
        }
        const { labels } = readHistory('user', life.item, START_MS);
        const totals = counted([...holding], 0, Number.POSITIVE_INFINITY);
        expect(labels).toEqual({ fraud: totals.fraud, legitimate: totals.labelled - totals.fraud });
      }),
    );
  });

  test('windowed labels of a simulated quarter are within 1 % of a recount', () => {
    const sums = new Map<LabelWindow, { estimated: number; recounted: number }>();
    for (let seed = 1; seed <= 4; seed++) {
      const random = generator(seed);
      const life = known();
      const labels: KnownLabel[] = [];
      for (let atMs = START_MS; atMs < START_MS + 90 * DAY_MS; ) {
        atMs += Math.round(-Math.log(1 - random()) * 2 * 3_600_000);
        if (atMs > START_MS + 30 * DAY_MS) {
          const windows = recent(life.item, atMs);
          for (const window of LABEL_WINDOWS) {
            const sum = sums.get(window) ?? { estimated: 0, recounted: 0 };
            sum.estimated += windows[window].fraud + windows[window].labelled;
            const { fraud, labelled: all } = counted(labels, atMs - SPAN_MS[window], atMs);
            sum.recounted += fraud + all;
            sums.set(window, sum);
          }
        }
        const label: KnownLabel = { label: random() < 0.2 ? 'fraud' : 'legitimate', known_at_ms: atMs };
        learn(life, label);
        labels.push(label);
      }
    }
    for (const window of LABEL_WINDOWS) {
      const { estimated, recounted } = sums.get(window) ?? { estimated: 0, recounted: 1 };
      expect(Math.abs(estimated / recounted - 1)).toBeLessThan(0.01);
    }
  });

  test('a label that was given twice is where it would be had it been given once', () => {
    const first = { label: 'fraud', known_at_ms: START_MS } as const;
    for (const laterMs of [0, 3_600_000, 5 * DAY_MS, 25 * DAY_MS, 80 * DAY_MS]) {
      for (const label of ['fraud', 'legitimate'] as const) {
        const second = { label, known_at_ms: START_MS + laterMs };
        const [twice, once] = [known(), known()];
        learn(twice, first);
        learn(twice, second, first);
        learn(once, second);
        expect(recent(twice.item, second.known_at_ms)).toEqual(recent(once.item, second.known_at_ms));
      }
    }
  });

  const labelNames = new Set(
    LABEL_LEVELS.flatMap((level) => Array.from({ length: level.ring }, (_, index) => bucketName(level, index))),
  );
  const isLabels = (name: string): boolean => labelNames.has(name);

  test('a label leaves no bucket behind that has left its window', () => {
    const random = generator(4);
    const life = known();
    let atMs = START_MS;
    for (let number = 0; number < 400; number++) {
      atMs += Math.round(random() ** 3 * 40 * DAY_MS);
      learn(life, { label: 'fraud', known_at_ms: atMs });
      for (const name in life.item) if (isLabels(name)) expect(staleAgeMs(name, atMs)).toBe(0);
    }
  });
});
