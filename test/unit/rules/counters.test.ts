import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { writeUnits } from '../../../bench/support/wire-size';
import {
  COUNTER_WINDOWS,
  type CounterDefinition,
  NO_DECLARATIONS,
} from '../../../shared/domain/declarations/declaration';
import type { Attempt } from '../../../shared/domain/entities/entity-history';
import { checkedRequestTree } from '../../../shared/domain/rules/rule-faults';
import { toUsd } from '../../../shared/domain/screening/currency-rates';
import { entityKey } from '../../../shared/store/keys';
import { memoryCounters } from '../../../shared/store/memory/memory-counters';
import { itemSize } from '../../../shared/store/sdk/attribute-value';
import { fixedRules } from '../../../shared/usecases/screening/followers';
import { screenSubject } from '../../../shared/usecases/screening/screen-subject';
import { shopBySignals } from '../../support/shop-in-memory';
import { sized } from '../../support/sized';
import { callerOf } from '../../support/traffic/payment';
import { storedRule } from './stored-rule';

const stamps = { note: null, created_at: '', updated_at: '', updated_by: '', since: '', version: 1 };
const perUser: CounterDefinition = {
  of: ['transaction'],
  count: 'attempts',
  value: null,
  by: ['user_id'],
  window: '10m',
  where: null,
};

/** A shop whose account has one counter, which a rule reads. */
function shopWith(change: Partial<CounterDefinition>, attributes: Record<string, 'number'> = {}) {
  const definition = { ...perUser, ...change };
  const typed = {
    ...NO_DECLARATIONS,
    attributes: Object.entries(attributes).map(([key, type]) => ({ key, type, ...stamps })),
  };
  const tree = definition.where === null ? null : checkedRequestTree(definition.where, typed);
  if (typeof tree === 'string') throw new Error(tree);
  const declarations = { ...typed, counters: [{ name: 'seen', number: 1, ...definition, ...stamps, tree }] };
  const shop = shopBySignals();
  const counters = memoryCounters();
  const rule = { ...storedRule('busy', { state: 'shadow' }), tree: { op: 'has', name: 'counters.seen' } as const };
  const deps = { ...shop.deps, counters, rules: fixedRules([rule], declarations) };
  const caller = callerOf('acc_1');
  const screen = async (subject: object, claim?: { scope: string; body_hash: string }) => {
    const base = {
      subject_type: 'transaction',
      action: 'transaction',
      outcome: 'succeeded',
      user_id: 'ann',
      amount: 10,
      currency: 'EUR',
    };
    return (await screenSubject(deps, caller, { ...base, ...subject } as never, claim as never)).record.counters?.seen;
  };
  return { shop, counters, screen, windowMs: COUNTER_WINDOWS[definition.window] };
}

describe('counters', () => {
  it('say what a plain recount says, at any times', async () => {
    const attempt = fc.record({
      pause: fc.integer({ min: 0, max: 90_000 }),
      user: fc.constantFrom('ann', 'bob'),
      device: fc.constantFrom('a', 'b', 'c', undefined),
      amount: fc.integer({ min: 1, max: 5_000 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(attempt, { maxLength: 60 }),
        fc.constantFrom('attempts', 'distinct', 'sum'),
        async (attempts, count) => {
          const value = count === 'attempts' ? null : count === 'sum' ? 'amount' : 'device_fingerprint';
          const { shop, screen, windowMs } = shopWith({ count, value, where: 'amount < 4000' });
          const past: Array<{ at: number; user: string; device: string | undefined; amount: number }> = [];
          for (const { pause, user, device, amount } of attempts) {
            shop.pass(pause);
            const at = shop.now();
            if (amount < 4000) past.push({ at, user, device, amount });
            const said = await screen({ user_id: user, device_fingerprint: device, amount });
            const recount = (spanMs: number): number => {
              const rows = past.filter((each) => each.user === user && at - each.at < spanMs);
              if (count === 'attempts') return rows.length;
              if (count === 'distinct') return new Set(rows.flatMap((each) => each.device ?? [])).size;
              return rows.reduce((sum, each) => sum + Math.round((toUsd(each.amount, 'EUR') ?? 0) * 1e4), 0) / 1e4;
            };
            // The end of the window is at most a sixtieth of it late.
            expect(said).toBeGreaterThanOrEqual(recount(windowMs));
            expect(said).toBeLessThanOrEqual(recount((windowMs * 61) / 60) + 1e-9);
          }
        },
      ),
      { numRuns: sized(40, 12) },
    );
  });

  it('are missing without a value of by, and read without counting what does not match', async () => {
    const { screen } = shopWith({ by: ['device_fingerprint'] });
    expect(await screen({})).toBeUndefined();
    expect(await screen({ device_fingerprint: 'd' })).toBe(1);
    expect(await screen({ subject_type: 'event', action: 'login', device_fingerprint: 'd', amount: undefined })).toBe(
      1,
    );
    expect(await screen({ device_fingerprint: 'd' })).toBe(2);
  });

  it('cost nothing where there are none, or none that matches: not even a call', async () => {
    const shop = shopBySignals();
    const calls: string[] = [];
    const counters = {
      count: async (_account: string, { name }: { readonly name: string }) => {
        calls.push(name);
        return { name, value: 1 };
      },
      uncount: async () => undefined,
    };
    const payment = {
      subject_type: 'transaction',
      action: 'transaction',
      outcome: 'succeeded',
      user_id: 'ann',
    } as const;
    const declared = { name: 'logins', number: 1, ...perUser, of: ['login'], ...stamps, tree: null };
    for (const declarations of [NO_DECLARATIONS, { ...NO_DECLARATIONS, counters: [declared] }]) {
      const deps = { ...shop.deps, counters, rules: fixedRules([], declarations) };
      const { record } = await screenSubject(deps, callerOf('acc_1'), { ...payment, amount: 10, currency: 'EUR' });
      expect([calls, record.counters]).toEqual([[], undefined]);
    }
  });

  it('count one Idempotency-Key once', async () => {
    const { screen, counters } = shopWith({});
    const claim = { scope: 'POST /x#key', body_hash: 'h', key: 'key' };
    expect(await screen({}, claim)).toBe(1);
    expect(await screen({}, claim)).toBe(1);
    expect(await screen({})).toBe(2);
    expect(counters.items.size).toBe(1);
  });

  const START_MS = Date.UTC(2026, 10, 14);
  const planned = {
    ...{ name: 'seen', entity: `counter.12#1.${'x'.repeat(22)}`, windowMs: 600_000, isRead: true },
    owner: `device#1.${'y'.repeat(22)}`,
  } as const;
  const attemptOf = (n: number, atMs = START_MS): Attempt => ({
    ...{ attempt_id: `evt_${n}`, repeat_key: `key ${n}`, at_ms: atMs, user_id: 'u' },
    action: 'login',
    outcome: 'succeeded',
  });
  const memberOf = (n: number): string => createHash('sha256').update(`d${n}`).digest('base64url').slice(-5);
  /** The units that DynamoDB charges for the largest item. */
  const mostUnits = ({ items }: ReturnType<typeof memoryCounters>): number => {
    const account = `acc_${'0'.repeat(26)}`;
    const keyed = [...items].map(([name, item]) => {
      const { pk, sk } = entityKey(account, name.slice('acc_1#'.length));
      return itemSize({ ...item, pk: { S: pk }, sk: { S: sk } });
    });
    return writeUnits(Math.max(...keyed));
  };

  it('are exact up to 50 different values and then within 10%, for one write unit, and forget them all', async () => {
    const counters = memoryCounters();
    const see = (n: number, atMs?: number) =>
      counters.count('acc_1', { ...planned, count: 'distinct', adds: memberOf(n) }, attemptOf(n, atMs), 1_000);
    for (let n = 1; n <= 1_200; n++) {
      const { value, trim } = await see(n);
      await trim?.(1_000);
      if (n <= 500) expect(value).toBe(n);
      else if (n % 50 === 0) expect(Math.abs(value - n) / n).toBeLessThan(0.1);
      if (n % 50 === 0) expect([n, mostUnits(counters)]).toEqual([n, 1]);
    }
    // A process that knows nothing says the same, and again what was seen adds nothing.
    const elsewhere = memoryCounters(counters.items);
    const again = await elsewhere.count(
      'acc_1',
      { ...planned, count: 'distinct', adds: memberOf(7) },
      attemptOf(9_999),
      1_000,
    );
    expect(Math.abs(again.value - 1_200)).toBeLessThan(120);
    expect((await see(1, START_MS + 900_000)).value).toBe(1);
  });

  it('spread when DynamoDB refuses, and count what is there once', async () => {
    const home = memoryCounters();
    let isRefusing = false;
    const counters = memoryCounters(home.items, (entity) => {
      if (isRefusing && entity === planned.entity) throw Object.assign(new Error(), { name: 'ThrottlingException' });
    });
    const add = async (count: 'attempts' | 'distinct' | 'sum', adds: number | string, n: number) => {
      const counted = await counters.count('acc_1', { ...planned, count, adds }, attemptOf(n, START_MS + n), 1_000);
      isRefusing = false;
      await counted.trim?.(1_000);
      return counted.value;
    };
    for (const [count, adds, values] of [
      ['attempts', 1, [1, 2, 3, 4, 5]],
      ['distinct', memberOf(1), [1, 1, 1, 1, 1]],
      ['sum', 2.5, [2.5, 5, 7.5, 10, 12.5]],
    ] as const) {
      home.items.clear();
      const seen: number[] = [];
      for (let n = 1; n <= 5; n++) {
        isRefusing = n === 3;
        // Beyond the second for which a process spares a home.
        seen.push(await add(count, adds, n * 2_000));
      }
      expect([count, seen]).toEqual([count, values]);
    }
  });

  it('take back an attempt of which no response came, if it was counted, and once', async () => {
    const { counters, shop } = shopWith({});
    const plan = { ...planned, count: 'attempts', adds: 1 } as const;
    const read = async () =>
      (await counters.count('acc_1', { ...plan, adds: undefined }, attemptOf(0, shop.now()), 1_000)).value;
    const [counted, lost] = [attemptOf(1, shop.now()), attemptOf(2, shop.now())];
    await counters.count('acc_1', plan, counted, 1_000);
    for (const attempt of [lost, counted, counted]) await counters.uncount('acc_1', plan, attempt, { limitMs: 1_000 });
    expect(await read()).toBe(0);
  });

  it('fit into one write unit, however long they count', async () => {
    const { screen, shop, counters } = shopWith({ count: 'sum', value: 'amount' });
    for (let n = 0; n < 400; n++) {
      shop.pass(10_000);
      await screen({ amount: 12_345.67 });
      for (const item of counters.items.values()) expect(itemSize(item) + 90).toBeLessThanOrEqual(1_024);
    }
  });

  it('take 200 at once as 1 to 200, also when they are spread', async () => {
    const { screen, counters, shop } = shopWith({});
    const all = async () =>
      (await Promise.all(Array.from({ length: 200 }, () => screen({})))).sort((a, b) => (a ?? 0) - (b ?? 0));
    expect(await all()).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
    const entity = [...counters.items.keys()][0]?.slice('acc_1#'.length) ?? '';
    await counters.spreadNow(
      'acc_1',
      { name: 'seen', entity, windowMs: 600_000, count: 'attempts', isRead: true },
      shop.now(),
      1_000,
    );
    expect(await all()).toEqual(Array.from({ length: 200 }, (_, at) => at + 201));
    // When it has cooled down, what shards hold still counts.
    shop.pass(300_000);
    expect(await screen({})).toBe(401);
  });
});
