import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import {
  COUNTER_WINDOWS,
  type CounterDefinition,
  NO_DECLARATIONS,
} from '../../../shared/domain/declarations/declaration';
import { checkedRequestTree } from '../../../shared/domain/rules/rule-faults';
import { toUsd } from '../../../shared/domain/screening/currency-rates';
import { memoryCounters } from '../../../shared/store/memory/memory-counters';
import { itemSize } from '../../../shared/store/sdk/attribute-value';
import { fixedRules } from '../../../shared/usecases/screening/followers';
import { screenSubject } from '../../../shared/usecases/screening/screen-subject';
import { shopBySignals } from '../../support/shop-in-memory';
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
      { numRuns: 40 },
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

  it('count one Idempotency-Key once', async () => {
    const { screen, counters } = shopWith({});
    const claim = { scope: 'POST /x#key', body_hash: 'h', key: 'key' };
    expect(await screen({}, claim)).toBe(1);
    expect(await screen({}, claim)).toBe(1);
    expect(await screen({})).toBe(2);
    expect(counters.items.size).toBe(1);
  });

  it('are exact up to 1,024 different values, then within 10%', async () => {
    const counters = memoryCounters();
    const plan = { name: 'seen', entity: 'counter.1#x', windowMs: 600_000, count: 'distinct', isRead: true } as const;
    const attempt = { at_ms: Date.UTC(2026, 10, 14), action: 'login', outcome: 'succeeded', user_id: 'u' } as const;
    for (let n = 1; n <= 2_500; n++) {
      const adds = createHash('sha256').update(`d${n}`).digest('base64url').slice(-5);
      const counted = await counters.count('acc_1', { ...plan, adds }, { ...attempt, attempt_id: `evt_${n}` }, 1_000);
      await counted.trim?.(1_000);
      if (n <= 1_024) expect(counted.value).toBe(n);
      else if (n % 50 === 0) expect(Math.abs(counted.value - n) / n).toBeLessThan(0.1);
    }
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
